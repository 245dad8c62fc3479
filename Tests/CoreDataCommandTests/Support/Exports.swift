// Every file of this target uses the shared test support.
@_exported import CoreDataTestSupport
@_exported import TestExpectations
@_exported import TestSupport
