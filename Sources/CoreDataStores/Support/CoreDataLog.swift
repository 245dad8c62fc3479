// SPDX-License-Identifier: Apache-2.0

internal import Logging

/// The log of the framework: swift-log under the label `CoreData`.
package enum CoreDataLog {
    private static let logger = Logger(label: "CoreData")

    package static func warning(_ message: @autoclosure () -> String) { logger.warning("\(message())", source: source) }
    package static func error(_ message: @autoclosure () -> String) { logger.error("\(message())", source: source) }

    /// The module that programs import, whichever of ours writes.
    private static let source = "CoreData"
}
