@_exported import Foundation
@_exported import SwiftData
@_exported import TestExpectations
@_exported import TestSupport
@_exported import Testing
