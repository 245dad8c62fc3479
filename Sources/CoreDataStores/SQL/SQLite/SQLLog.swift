// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import Logging
internal import SQLiteLibrary

/// The log of SQL, as on Apple's platforms.
///
/// It is enabled by the argument `-com.apple.CoreData.SQLDebug 1` of the program, or by that key in the user defaults.
/// Level 1 logs statements and times, level 2 also bound values, level 3 also query plans and rows.
enum SQLLog {
    enum Level: Int, Comparable, Sendable {
        case off = 0
        case statements, values, rows

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    static let logger = Logger(label: "com.apple.CoreData.SQLDebug")

    /// The level in the arguments of the program, or in the user defaults.
    static let defaultLevel = level(
        arguments: OperatingSystem.arguments,
        fallback: UserDefaults.standard.string(forKey: "com.apple.CoreData.SQLDebug"))

    /// The level in arguments, or else in a fallback. Numbers above 3 count as 3.
    static func level(arguments: [String], fallback: String?) -> Level {
        var text = fallback
        if let index = arguments.lastIndex(of: "-com.apple.CoreData.SQLDebug"), index + 1 < arguments.count {
            text = arguments[index + 1]
        }
        guard let text, let number = Int(text.trimmingCharacters(in: .whitespaces)) else { return .off }
        return Level(rawValue: min(max(number, 0), 3)) ?? .off
    }

    static func sql(_ text: String) { logger.info("CoreData: sql: \(text)") }
    static func annotation(_ text: String) { logger.info("CoreData: annotation: \(text)") }
    static func details(_ text: String) { logger.info("CoreData: details: \(text)") }

    /// Logs one run of a statement.
    final class Trace {
        private let level: Level
        private let start: UInt64
        private var rowCount = 0

        init(statement: SQLiteStatement, connection: SQLiteConnection) {
            level = connection.logLevel
            SQLLog.sql(statement.observedText)
            if level >= .values, statement.parameterCount > 0, let expanded = statement.expandedText {
                SQLLog.details("SQLite: with values: \(expanded)")
            }
            if level >= .rows { Self.logPlan(of: statement, on: connection.handle) }
            start = OperatingSystem.uptimeNanoseconds
        }

        func row(_ values: () -> [(name: String, value: SQLValue)]) {
            rowCount += 1
            guard level >= .rows else { return }
            let values = values().map { "\($0.name) = \($0.value)" }
            SQLLog.details("SQLite: row \(rowCount): \(values.joined(separator: ", "))")
        }

        func finish() {
            let seconds = Double(OperatingSystem.uptimeNanoseconds - start) / 1_000_000_000
            let time = String(format: "%.4f", seconds)
            SQLLog.annotation("sql execution time: \(time)s for \(rowCount) rows")
        }

        /// Logs the query plan, which a separate statement explains.
        private static func logPlan(of statement: SQLiteStatement, on handle: OpaquePointer) {
            var plan: OpaquePointer?
            defer { sqlite3_finalize(plan) }
            let text = "EXPLAIN QUERY PLAN " + statement.observedText
            guard sqlite3_prepare_v2(handle, text, -1, &plan, nil) == SQLITE_OK else {
                return
            }
            while sqlite3_step(plan) == SQLITE_ROW {
                if let detail = sqlite3_column_text(plan, 3) {
                    SQLLog.details("SQLite: plan: \(String(cString: detail))")
                }
            }
        }
    }
}
