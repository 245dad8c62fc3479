// Every file of this target uses the shared expectations.
@_exported import TestExpectations
