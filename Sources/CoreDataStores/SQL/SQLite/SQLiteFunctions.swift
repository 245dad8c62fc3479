// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// The SQL functions that every connection to a store has.
///
/// The functions of predicates call the functions that evaluate predicates in memory, so that both results are the
/// same. `options` is the raw value of `NSComparisonPredicate.Options`.
///
/// | function | result |
/// | --- | --- |
/// | `NSCoreDataStringSearch(value, pattern, options, kind)` | 1 or 0; `kind` is a ``SearchKind``; for NULL see there |
/// | `NSCoreDataLike(value, pattern, options)` | 1 or 0 (`LIKE` with `?` and `*`); 0 for NULL |
/// | `NSCoreDataMatches(value, pattern, options)` | 1 or 0 (`MATCHES`); 0 for NULL; throws for an invalid pattern |
/// | `NSCoreDataStringCompare(left, right, options)` | -1, 0 or 1; NULL if one is NULL |
/// | `NSCoreDataFold(value, options)` | the text without the differences that the options ignore |
/// | `NSCoreDataUppercase(value)`, `NSCoreDataLowercase(value)` | the text in uppercase, in lowercase |
/// | `NSCoreDataLength(value)` | the number of UTF-16 units of the text |
///
/// The triggers in files call three other functions with table, `Z_ENT`, `Z_PK`, attribute and new value. They return
/// NULL, and add the row to the connection's ``SQLiteConnection/affectedRows``:
/// `NSCoreDataDATriggerUpdatedAffectedObjectValue`, `NSCoreDataDATriggerInsertUpdatedAffectedObjectValue`,
/// `NSCoreDataTriggerUpdateAffectedObjectValue`.
enum SQLiteFunctions {
    /// A test of two texts. It is false if one of them is NULL, except that two NULLs are equal.
    enum SearchKind: Int64, Sendable {
        case equal = 0
        case beginsWith, endsWith, contains
    }

    typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    typealias Options = NSComparisonPredicate.Options

    /// Installs all functions on a connection.
    static func install(on connection: SQLiteConnection) throws {
        try add("NSCoreDataStringSearch", 4, to: connection, search)
        try add("NSCoreDataLike", 3, to: connection, like)
        try add("NSCoreDataMatches", 3, to: connection, matches)
        try add("NSCoreDataStringCompare", 3, to: connection, compare)
        try add("NSCoreDataFold", 2, to: connection) { context, _, values in
            SQLiteFunctions.map(context, values) { Strings.fold($0, SQLiteFunctions.options(values, 1)) }
        }
        try add("NSCoreDataUppercase", 1, to: connection) { context, _, values in
            SQLiteFunctions.map(context, values) { $0.uppercased() }
        }
        try add("NSCoreDataLowercase", 1, to: connection) { context, _, values in
            SQLiteFunctions.map(context, values) { $0.lowercased() }
        }
        try add("NSCoreDataLength", 1, to: connection) { context, _, values in
            guard let value = SQLiteFunctions.text(values, 0) else { return sqlite3_result_null(context) }
            sqlite3_result_int64(context, Int64(value.utf16.count))
        }
        try SQLiteRowCollector.install(on: connection)
        try installLibrary(on: connection)
        try SQLiteListEncoding.installFunctions(on: connection)
        try addTriggerFunction("NSCoreDataDATriggerUpdatedAffectedObjectValue", to: connection) { context, _, values in
            SQLiteFunctions.recordAffectedRow(context, values, isInsert: false)
        }
        try addTriggerFunction("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", to: connection) {
            context, _, values in
            SQLiteFunctions.recordAffectedRow(context, values, isInsert: true)
        }
        try addTriggerFunction("NSCoreDataTriggerUpdateAffectedObjectValue", to: connection) { context, _, values in
            SQLiteFunctions.recordAffectedRow(context, values, isInsert: false)
        }
    }

    // MARK: Registering

    /// Adds a deterministic function of predicates.
    static func add(
        _ name: String, _ count: Int32, to connection: SQLiteConnection, _ function: @escaping Function
    ) throws {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        let code = sqlite3_create_function_v2(connection.handle, name, count, flags, nil, function, nil, nil, nil)
        guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
    }

    /// Adds a function that triggers call.
    ///
    /// It is declared harmless: triggers of an untrusted file may call it. The connection outlives its functions.
    private static func addTriggerFunction(
        _ name: String, to connection: SQLiteConnection, _ function: @escaping Function
    ) throws {
        let code = sqlite3_create_function_v2(
            connection.handle, name, 5, SQLITE_UTF8 | SQLITE_INNOCUOUS,
            Unmanaged.passUnretained(connection).toOpaque(), function, nil, nil, nil)
        guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
    }

    // MARK: Predicates

    private static let search: Function = { context, _, values in
        let kind = SearchKind(rawValue: sqlite3_value_int64(values?[3]))
        guard let value = text(values, 0), let pattern = text(values, 1) else {
            let areBothNull = text(values, 0) == nil && text(values, 1) == nil
            return sqlite3_result_int(context, kind == .equal && areBothNull ? 1 : 0)
        }
        let options = options(values, 2)
        let isFound: Bool
        switch kind {
        case .equal: isFound = Strings.equal(value, pattern, options)
        case .beginsWith: isFound = Strings.begins(value, with: pattern, options)
        case .endsWith: isFound = Strings.ends(value, with: pattern, options)
        case .contains: isFound = Strings.contains(value, pattern, options)
        case nil: return sqlite3_result_error(context, "NSCoreDataStringSearch: unknown kind of search", -1)
        }
        sqlite3_result_int(context, isFound ? 1 : 0)
    }

    private static let like: Function = { context, _, values in
        guard let value = text(values, 0), let pattern = text(values, 1) else { return sqlite3_result_int(context, 0) }
        sqlite3_result_int(context, Strings.like(value, pattern, options(values, 2)) ? 1 : 0)
    }

    private static let matches: Function = { context, _, values in
        guard let value = text(values, 0), let pattern = text(values, 1) else { return sqlite3_result_int(context, 0) }
        do {
            sqlite3_result_int(context, try Strings.matches(value, pattern, options(values, 2)) ? 1 : 0)
        } catch {
            sqlite3_result_error(context, "MATCHES: \(pattern) is not a regular expression", -1)
        }
    }

    private static let compare: Function = { context, _, values in
        guard let left = text(values, 0), let right = text(values, 1) else { return sqlite3_result_null(context) }
        sqlite3_result_int(context, Int32(Strings.order(left, right, options(values, 2)).rawValue))
    }

    private static func map(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ change: (String) -> String
    ) {
        guard let value = text(values, 0) else { return sqlite3_result_null(context) }
        setResult(of: context, text: change(value))
    }

    static func setResult(of context: OpaquePointer?, text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard let base = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_result_text(context, "", 0, sqliteTransient)
            }
            base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_result_text64(context, $0, UInt64(bytes.count), sqliteTransient, UInt8(SQLITE_UTF8))
            }
        }
    }

    // MARK: Triggers

    private static func recordAffectedRow(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?, isInsert: Bool
    ) {
        defer { sqlite3_result_null(context) }
        guard let user = sqlite3_user_data(context), let table = text(values, 0), let property = text(values, 3) else {
            return
        }
        Unmanaged<SQLiteConnection>.fromOpaque(user).takeUnretainedValue().affectedRows.append(
            SQLiteAffectedRow(
                table: table, entityNumber: sqlite3_value_int64(values?[1]),
                primaryKey: sqlite3_value_int64(values?[2]),
                property: property, isInsert: isInsert))
    }

    // MARK: Arguments

    static func text(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> String? {
        text(values?[index])
    }

    static func text(_ value: OpaquePointer?) -> String? {
        guard let value, sqlite3_value_type(value) != SQLITE_NULL, let bytes = sqlite3_value_text(value) else {
            return nil
        }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private static func options(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> Options {
        Options(rawValue: UInt(truncatingIfNeeded: sqlite3_value_int64(values?[index])))
    }
}

/// A row in which a trigger has set a derived attribute.
///
/// A save reads the rows that its triggers have reported, to refresh the snapshots of rows that it hasn't written.
struct SQLiteAffectedRow: Hashable, Sendable {
    /// The name of the table, as `ZALBUM`.
    let table: String
    /// `Z_ENT` of the row.
    let entityNumber: Int64
    /// `Z_PK` of the row.
    let primaryKey: Int64
    /// The name of the derived attribute.
    let property: String
    /// Whether the trigger belongs to the insertion of the row itself.
    let isInsert: Bool
}
