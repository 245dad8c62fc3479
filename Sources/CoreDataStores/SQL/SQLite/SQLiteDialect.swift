// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The SQL of SQLite. Statements call the functions that ``SQLiteFunctions`` installs.
package struct SQLiteDialect: SQLDialect {
    package init() {}

    // MARK: Parameters

    package func placeholder(_ number: Int) -> String { "?" }
    package var canRepeatPlaceholders: Bool { false }
    // SQLITE_MAX_VARIABLE_NUMBER, the default of SQLite since 3.32.
    package var maximumParameterCount: Int { 32_766 }

    // MARK: Lists

    package var maximumListCount: Int { 500 }

    package func list(_ values: [SQLValue]) -> SQLListParameter? { SQLiteListEncoding.parameter(values) }
    package func list(ofKeys keys: [Int64]) -> SQLValue { SQLiteListEncoding.encode(keys: keys) }
    package func keyMembership(_ placeholder: String) -> String { SQLiteListEncoding.membership(placeholder) }

    // MARK: Texts of statements

    package func table(_ name: String) -> String { SQLGenerator.identifier(name) }
    package func operation(_ symbol: SQLOperator) -> (infix: String, suffix: String) { (" \(symbol.rawValue) ", "") }
    package var ordersDistinctRowsBySelectedValues: Bool { false }
    package func constant(_ value: Bool) -> String { value ? "1" : "0" }
    package var nullSafeEqualOperator: String { "IS" }
    package var nullSafeNotEqualOperator: String { "IS NOT" }
    /// SQLite's order of NULLs is the required one.
    package func nullOrder(isAscending: Bool) -> String { "" }
    package var unlimited: String { "-1" }

    /// SQLite stores decimals as doubles, and dates as their seconds.
    package func conversion(to type: SQLConversion) -> (prefix: String, suffix: String) {
        switch type {
        case .real, .decimal: ("CAST(", " AS REAL)")
        case .wideInteger, .wideReal, .seconds, .date: ("", "")
        }
    }

    package func insertIfAbsent(into target: String, values: String) -> String {
        "INSERT OR IGNORE INTO \(target) \(values)"
    }

    // MARK: Functions

    package func function(_ function: SQLFunction) -> (name: String, constants: [Int64])? {
        switch function {
        case .uppercase: ("NSCoreDataUppercase", [])
        case .lowercase: ("NSCoreDataLowercase", [])
        case .length: ("NSCoreDataLength", [])
        case .absolute: ("abs", [])
        case .fold(let options): ("NSCoreDataFold", [Int64(options.rawValue)])
        case .order(let options): ("NSCoreDataStringCompare", [Int64(options.rawValue)])
        case .position: ("instr", [])
        case .library(let selector): (SQLiteFunctions.name(ofLibraryFunction: selector), [])
        case .cast(let form): ("NSCoreDataCast", [form.rawValue])
        case .stringKey: ("NSCoreDataStringKey", [])
        }
    }

    package func name(of aggregate: SQLAggregate) -> String? {
        switch aggregate {
        case .count: "COUNT"
        case .sum: "SUM"
        case .average: "AVG"
        case .minimum: "MIN"
        case .maximum: "MAX"
        case .median: SQLiteFunctions.name(ofLibraryFunction: "median:")
        case .standardDeviation: SQLiteFunctions.name(ofLibraryFunction: "stddev:")
        case .concatenation: "group_concat"
        }
    }

    package func function(
        _ test: SQLTextTest, options: NSComparisonPredicate.Options
    ) -> (name: String, constants: [Int64])? {
        let options = Int64(options.rawValue)
        func search(_ kind: SQLiteFunctions.SearchKind) -> (name: String, constants: [Int64]) {
            ("NSCoreDataStringSearch", [options, kind.rawValue])
        }
        switch test {
        case .equal: return search(.equal)
        case .beginsWith: return search(.beginsWith)
        case .endsWith: return search(.endsWith)
        case .contains: return search(.contains)
        case .like: return ("NSCoreDataLike", [options])
        case .matches: return ("NSCoreDataMatches", [options])
        }
    }

    package func collation(forSelector selector: String) -> SQLCollation? {
        // BINARY is the default of columns.
        SQLiteCollations.name(forSelector: selector).map { $0 == "BINARY" ? .columnDefault : .named($0) }
    }
}
