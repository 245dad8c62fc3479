internal import Logging

/// The log of the framework: swift-log under the label `CoreData`.
enum CoreDataLog {
    private static let logger = Logger(label: "CoreData")

    static func warning(_ message: @autoclosure () -> String) { logger.warning("\(message())") }
    static func error(_ message: @autoclosure () -> String) { logger.error("\(message())") }
}
