// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
internal import SQLiteLibrary

/// The predicate library as SQL functions: each calls the function that evaluates in memory. Triggers and views of a
/// file can't call them.
///
/// | function | result |
/// | --- | --- |
/// | `NSCoreDataSqrt(x)`, `NSCoreDataRaiseToPower(x, y)`, … | as `sqrt:`, `raise:toPower:`, …; NULL for nil |
/// | `NSCoreDataCast(value, type, form)` | the value as the type that `CAST` names; `form` is a ``SQLValueForm`` |
/// | `NSCoreDataStringKey(text, key)` | the value of a string for a key: `intValue`, `capitalizedString` |
/// | `NSCoreDataMedian(x)`, `NSCoreDataStddev(x)` | aggregates, as `median:` and `stddev:` |
extension SQLiteFunctions {
    private typealias Finish = @convention(c) (OpaquePointer?) -> Void

    /// The functions of the library with one result for the same arguments.
    private static let scalars = [
        "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "trunc:", "abs:", "raise:toPower:", "modulus:by:",
    ]
    /// The functions of the library that SQLite calls for every row.
    private static let randomFunctions = ["random", "random:", "randomn:"]
    private static let aggregates = ["median:", "stddev:"]

    /// The SQL name of a function of the library: `NSCoreDataRaiseToPower` for `raise:toPower:`.
    static func name(ofLibraryFunction selector: String) -> String {
        "NSCoreData" + selector.split(separator: ":").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    static func installLibrary(on connection: SQLiteConnection) throws {
        for selector in scalars + randomFunctions {
            let isDeterministic = scalars.contains(selector)
            try register(
                name(ofLibraryFunction: selector), count: selector.count { $0 == ":" },
                isDeterministic: isDeterministic,
                box: LibraryCall(selector), function: call, on: connection)
        }
        try register("NSCoreDataCast", count: 3, box: LibraryCall("castObject:toType:"), function: cast, on: connection)
        try register("NSCoreDataStringKey", count: 2, box: nil, function: stringKey, on: connection)
        for selector in aggregates {
            try register(
                name(ofLibraryFunction: selector), count: 1, box: LibraryCall(selector), step: step, finish: finish,
                on: connection)
        }
    }

    private final class LibraryCall {
        let selector: String
        init(_ selector: String) { self.selector = selector }
    }

    /// The numbers of the rows that an aggregate has read.
    private final class AggregatedNumbers {
        var numbers: [Any] = []
    }

    private static func register(
        _ name: String, count: Int, isDeterministic: Bool = true, box: LibraryCall?, function: Function? = nil,
        step: Function? = nil, finish: Finish? = nil, on connection: SQLiteConnection
    ) throws {
        let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let user = box.map { Unmanaged.passRetained($0).toOpaque() }
        let code = sqlite3_create_function_v2(
            connection.handle, name, Int32(count), flags, user, function, step, finish
        ) { user in
            if let user { Unmanaged<LibraryCall>.fromOpaque(user).release() }
        }
        guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
    }

    private static func selector(_ context: OpaquePointer?) -> String {
        guard let user = sqlite3_user_data(context) else { return "" }
        return Unmanaged<LibraryCall>.fromOpaque(user).takeUnretainedValue().selector
    }

    // MARK: Calls

    private static let call: Function = { context, count, values in
        let arguments = (0..<Int(count)).map { SQLiteFunctions.value(values?[$0], .natural) }
        SQLiteFunctions.setResult(of: context, FunctionLibrary.value(of: SQLiteFunctions.selector(context), arguments))
    }

    private static let cast: Function = { context, _, values in
        let form = SQLValueForm(rawValue: sqlite3_value_int64(values?[2])) ?? .natural
        let arguments = [SQLiteFunctions.value(values?[0], form), SQLiteFunctions.text(values, 1)]
        SQLiteFunctions.setResult(of: context, FunctionLibrary.value(of: SQLiteFunctions.selector(context), arguments))
    }

    private static let stringKey: Function = { context, _, values in
        guard let text = SQLiteFunctions.text(values, 0), let key = SQLiteFunctions.text(values, 1) else {
            return sqlite3_result_null(context)
        }
        SQLiteFunctions.setResult(of: context, KeyPathEvaluation.value(of: text, key: key))
    }

    private static let step: Function = { context, _, values in
        guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)) else {
            return
        }
        guard let number = SQLiteFunctions.value(values?[0], .natural) else { return }
        // SQLite fills the memory with zeros, which is a nil reference.
        let reference = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if let known = reference.pointee {
            Unmanaged<AggregatedNumbers>.fromOpaque(known).takeUnretainedValue().numbers.append(number)
        } else {
            let aggregated = AggregatedNumbers()
            aggregated.numbers.append(number)
            reference.pointee = Unmanaged.passRetained(aggregated).toOpaque()
        }
    }

    private static let finish: Finish = { context in
        var numbers: [Any] = []
        if let memory = sqlite3_aggregate_context(context, 0) {
            let reference = memory.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
            if let known = reference.pointee {
                numbers = Unmanaged<AggregatedNumbers>.fromOpaque(known).takeRetainedValue().numbers
            }
            reference.pointee = nil
        }
        SQLiteFunctions.setResult(of: context, FunctionLibrary.value(of: SQLiteFunctions.selector(context), [numbers]))
    }

    // MARK: Values

    /// The value in memory of a stored value.
    private static func value(_ value: OpaquePointer?, _ form: SQLValueForm) -> Any? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER where form == .natural:
            return NSNumber(value: sqlite3_value_int64(value))
        case SQLITE_INTEGER, SQLITE_FLOAT:
            let real = sqlite3_value_double(value)
            switch form {
            case .date: return Date(timeIntervalSinceReferenceDate: real)
            case .decimal: return Decimal(shortest: real).map { NSDecimalNumber(decimal: $0) }
            default: return NSNumber(value: real)
            }
        case SQLITE_TEXT:
            return text(value)
        case SQLITE_BLOB where form == .uuid:
            guard let bytes = sqlite3_value_blob(value), sqlite3_value_bytes(value) == 16 else { return nil }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        default:
            return nil
        }
    }

    /// Returns a value to SQLite.
    private static func setResult(of context: OpaquePointer?, _ value: Any?) {
        switch value {
        case let text as String:
            setResult(of: context, text: text)
        case let date as Date:
            sqlite3_result_double(context, date.timeIntervalSinceReferenceDate)
        case let uuid as UUID:
            withUnsafeBytes(of: uuid.uuid) { sqlite3_result_blob(context, $0.baseAddress, 16, sqliteTransient) }
        case let data as Data:
            data.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
                sqlite3_result_blob64(context, base, UInt64(bytes.count), sqliteTransient)
            }
        case let url as URL:
            setResult(of: context, text: url.absoluteString)
        default:
            guard let number = Numbers.number(value) else { return sqlite3_result_null(context) }
            if Numbers.isReal(number) { return sqlite3_result_double(context, number.doubleValue) }
            sqlite3_result_int64(context, number.int64Value)
        }
    }
}
