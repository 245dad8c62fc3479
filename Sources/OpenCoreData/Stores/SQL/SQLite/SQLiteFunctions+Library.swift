internal import CSQLite
import CoreDataPredicates

/// The library of predicate functions as SQL functions: each calls the very function that evaluates in memory. Triggers
/// and views of a file can't call them.
///
/// | function | result |
/// | --- | --- |
/// | `NSCoreDataSqrt(x)`, `NSCoreDataRaiseToPower(x, y)`, … | as `sqrt:`, `raise:toPower:` and so on; NULL where they give nil |
/// | `NSCoreDataCast(value, type, form)` | the value as the type that `CAST` names; `form` is a ``SQLValueForm`` |
/// | `NSCoreDataStringKey(text, key)` | what a string answers to a key: `intValue`, `capitalizedString` |
/// | `NSCoreDataMedian(x)`, `NSCoreDataStddev(x)` | aggregates, as `median:` and `stddev:` |
extension SQLiteFunctions {
    private typealias Finish = @convention(c) (OpaquePointer?) -> Void

    /// The functions of the library that SQL calls; those with chance are called anew for every row.
    private static let scalars = [
        "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "trunc:", "abs:", "raise:toPower:", "modulus:by:",
    ]
    private static let chances = ["random", "random:", "randomn:"]
    private static let gatherers = ["median:", "stddev:"]

    /// The SQL name of a function of the library: `NSCoreDataRaiseToPower` for `raise:toPower:`.
    static func name(ofLibraryFunction selector: String) -> String {
        "NSCoreData" + selector.split(separator: ":").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    static func installLibrary(on connection: SQLiteConnection) throws {
        for selector in scalars + chances {
            let isDeterministic = scalars.contains(selector)
            try register(
                name(ofLibraryFunction: selector), count: selector.count { $0 == ":" },
                isDeterministic: isDeterministic,
                box: LibraryCall(selector), function: call, on: connection)
        }
        try register("NSCoreDataCast", count: 3, box: LibraryCall("castObject:toType:"), function: cast, on: connection)
        try register("NSCoreDataStringKey", count: 2, box: nil, function: stringKey, on: connection)
        for selector in gatherers {
            try register(
                name(ofLibraryFunction: selector), count: 1, box: LibraryCall(selector), step: gather, finish: finish,
                on: connection)
        }
    }

    private final class LibraryCall {
        let selector: String
        init(_ selector: String) { self.selector = selector }
    }

    /// The numbers of the rows so far of one aggregate.
    private final class Gathered {
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
        SQLiteFunctions.answer(context, FunctionLibrary.value(of: SQLiteFunctions.selector(context), arguments))
    }

    private static let cast: Function = { context, _, values in
        let form = SQLValueForm(rawValue: sqlite3_value_int64(values?[2])) ?? .natural
        let arguments = [SQLiteFunctions.value(values?[0], form), SQLiteFunctions.text(values, 1)]
        SQLiteFunctions.answer(context, FunctionLibrary.value(of: SQLiteFunctions.selector(context), arguments))
    }

    private static let stringKey: Function = { context, _, values in
        guard let text = SQLiteFunctions.text(values, 0), let key = SQLiteFunctions.text(values, 1) else {
            return sqlite3_result_null(context)
        }
        SQLiteFunctions.answer(context, KeyPathWalk.value(of: text, key: key))
    }

    private static let gather: Function = { context, _, values in
        guard let place = sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeRawPointer?>.size)) else {
            return
        }
        guard let number = SQLiteFunctions.value(values?[0], .natural) else { return }
        // SQLite gives the memory zeroed, which is no reference.
        let cell = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if let known = cell.pointee {
            Unmanaged<Gathered>.fromOpaque(known).takeUnretainedValue().numbers.append(number)
        } else {
            let gathered = Gathered()
            gathered.numbers.append(number)
            cell.pointee = Unmanaged.passRetained(gathered).toOpaque()
        }
    }

    private static let finish: Finish = { context in
        var numbers: [Any] = []
        if let place = sqlite3_aggregate_context(context, 0) {
            let cell = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
            if let known = cell.pointee { numbers = Unmanaged<Gathered>.fromOpaque(known).takeRetainedValue().numbers }
            cell.pointee = nil
        }
        SQLiteFunctions.answer(context, FunctionLibrary.value(of: SQLiteFunctions.selector(context), [numbers]))
    }

    // MARK: Values

    /// A stored value as it is in memory.
    private static func value(_ value: OpaquePointer?, _ form: SQLValueForm) -> Any? {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER where form == .natural:
            return NSNumber(value: sqlite3_value_int64(value))
        case SQLITE_INTEGER, SQLITE_FLOAT:
            let real = sqlite3_value_double(value)
            switch form {
            case .date: return Date(timeIntervalSinceReferenceDate: real)
            case .decimal: return Decimal(string: "\(real)").map { NSDecimalNumber(decimal: $0) }
            default: return NSNumber(value: real)
            }
        case SQLITE_TEXT:
            let text = text(value)
            return form == .uri ? text.flatMap { URL(string: $0) } : text
        case SQLITE_BLOB where form == .uuid:
            guard let bytes = sqlite3_value_blob(value), sqlite3_value_bytes(value) == 16 else { return nil }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        default:
            return nil
        }
    }

    /// Gives a value of memory back to SQLite.
    private static func answer(_ context: OpaquePointer?, _ value: Any?) {
        switch value {
        case let text as String:
            answer(context, text: text)
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
            answer(context, text: url.absoluteString)
        default:
            guard let number = Numbers.number(value) else { return sqlite3_result_null(context) }
            if Numbers.isReal(number) { return sqlite3_result_double(context, number.doubleValue) }
            sqlite3_result_int64(context, number.int64Value)
        }
    }
}
