// Every file of this target uses the shared test support.
@_exported import TestSupport
