// SPDX-License-Identifier: Apache-2.0

internal import Logging

/// The log of migrations: swift-log under the label `CoreData.Migration`, with the launch argument
/// `-com.apple.CoreData.MigrationDebug 1`.
package enum MigrationLog {
    private static let logger = Logger(label: "CoreData.Migration")
    private static let isOn = LaunchSetting.isOn("com.apple.CoreData.MigrationDebug")

    /// Writes a line, for instance a part of the plan.
    package static func write(_ text: @autoclosure () -> String) {
        if isOn { logger.info("\(text())") }
    }

    /// Runs a step, and logs its name and its duration, also if it fails.
    package static func step<Result>(_ name: @autoclosure () -> String, _ body: () throws -> Result) rethrows -> Result
    {
        guard isOn else { return try body() }
        let start = OperatingSystem.uptimeNanoseconds
        var outcome = "failed"
        defer {
            let milliseconds = Double((OperatingSystem.uptimeNanoseconds &- start) / 10_000) / 100
            logger.info("\(name()): \(outcome) in \(milliseconds) ms")
        }
        let result = try body()
        outcome = "done"
        return result
    }
}
