import CoreData
import CoreDataPostgreSQL
import PostgreSQLClient

/// The server of the workloads with PostgreSQL stores. Each store has its own schema.
enum PostgreSQLDatabase {
    /// The variable that names the server.
    static let variable = "OPENCOREDATA_BENCH_POSTGRESQL"

    /// The URL of the server; nil without one.
    static let server = ProcessInfo.processInfo.environment[variable]

    static func url(schema: String) throws -> URL {
        guard let server, let url = URL(string: server + (server.contains("?") ? "&" : "?") + "schema=" + schema) else {
            throw BenchmarkError("\(variable) is the URL of no server: see Scripts/bench-postgresql.sh")
        }
        return url
    }

    static func stack(schema: String) throws -> StoreStack {
        try StoreStack(url(schema: schema), type: NSPostgreSQLStoreType)
    }

    /// A store without objects, in place of a former one.
    static func makeEmptyStore(schema: String) throws {
        let connection = try RawServerConnection()
        try connection.execute("DROP SCHEMA IF EXISTS \(schema) CASCADE")
        _ = try stack(schema: schema)
        // Pages that an earlier run has left to write don't disturb this one.
        try connection.execute("CHECKPOINT")
    }

    /// The schema of a store with so many rows of ten integers, which all arms read.
    static func readings(_ rows: Int) throws -> String {
        let schema = "readings_\(rows)"
        let connection = try RawServerConnection()
        let isPresent = "SELECT COUNT(to_regclass('\(schema).z_filled'))"
        if try connection.integer(isPresent) == 0 {
            try makeEmptyStore(schema: schema)
            try connection.copyReadings(schema: schema, rows)
            try connection.execute("VACUUM (ANALYZE, FREEZE) \(schema).zreading")
            try connection.execute("CREATE TABLE \(schema).z_filled ()")
        }
        return schema
    }
}

/// A connection of the arms in C.
final class RawServerConnection {
    private let handle: OpaquePointer
    private static let rowsOfPart: Int32 = 10_000
    private static let columns = (0..<ReadingValues.columnCount).map { "zvalue\($0)" }

    init() throws {
        guard let server = PostgreSQLDatabase.server, let handle = server_connect(server) else {
            throw BenchmarkError("\(PostgreSQLDatabase.variable) names no server: see Scripts/bench-postgresql.sh")
        }
        self.handle = handle
        try check(server_error(handle) == nil ? 1 : 0)
        try execute("SET client_min_messages = warning")
    }

    deinit { server_close(handle) }

    private func check(_ status: Int32) throws {
        guard status == 0 else { return }
        throw BenchmarkError(server_error(handle).map { String(cString: $0) } ?? "the server refuses")
    }

    func execute(_ text: String) throws { try check(server_execute(handle, text)) }

    func integer(_ text: String) throws -> Int64 {
        var value: Int64 = 0
        try check(server_integer(handle, text, &value))
        return value
    }

    /// Reads all rows one by one.
    func sumOfReadings(schema: String) throws -> Int64 {
        var sum: Int64 = 0
        let text = "SELECT z_pk, \(Self.columns.joined(separator: ", ")) FROM \(schema).zreading"
        try check(server_read_rows(handle, text, Int32(ReadingValues.columnCount), &sum))
        return sum
    }

    func readingEntity(schema: String) throws -> Int64 {
        try integer("SELECT z_number FROM \(schema).z_entity WHERE z_name = 'Reading'")
    }

    /// Takes keys as a store does.
    private func reserveKeys(schema: String, _ count: Int) throws -> Int64 {
        try integer("SELECT \(schema).z_reserve_keys('\(schema).zreading_keys'::regclass, \(count))")
    }

    /// The statement of a save, and its parameters as `pgbench` or a program gives them.
    static func insertion(schema: String, entity: Int64, _ parameters: [String]) -> String {
        let names = (1...parameters.count).map { "c\($0)" }
        let types = zip(parameters, names).map { "\($0)::\($1 == "c2" ? "integer" : "bigint")[]" }
        return """
            INSERT INTO \(schema).zreading (z_pk, z_ent, z_opt, \(columns.joined(separator: ", "))) \
            SELECT v.c1, \(entity), v.c2, \(names.dropFirst(2).map { "v.\($0)" }.joined(separator: ", ")) \
            FROM unnest(\(types.joined(separator: ", "))) AS v(\(names.joined(separator: ", ")))
            """
    }

    /// Inserts rows by arrays, as many in a statement as a store inserts, in one transaction.
    func insertReadings(schema: String, _ rows: Int) throws {
        let entity = try readingEntity(schema: schema)
        try execute("BEGIN")
        let first = try reserveKeys(schema: schema, rows)
        let names = (1...ReadingValues.columnCount + 1).map { "c\($0)" }
        let text = """
            INSERT INTO \(schema).zreading (z_pk, z_ent, z_opt, \(Self.columns.joined(separator: ", "))) \
            SELECT v.c1, \(entity), 1, \(names.dropFirst().map { "v.\($0)" }.joined(separator: ", ")) \
            FROM unnest(\(names.indices.map { "$\($0 + 1)::bigint[]" }.joined(separator: ", "))) \
            AS v(\(names.joined(separator: ", ")))
            """
        try check(
            server_insert_arrays(
                handle, text, first, Int32(rows), Int32(ReadingValues.columnCount), Self.rowsOfPart))
        try execute("COMMIT")
    }

    /// Copies rows, in one transaction.
    func copyReadings(schema: String, _ rows: Int) throws {
        let entity = try readingEntity(schema: schema)
        try execute("BEGIN")
        let first = try reserveKeys(schema: schema, rows)
        let text = """
            COPY \(schema).zreading (z_pk, z_ent, z_opt, \(Self.columns.joined(separator: ", "))) \
            FROM STDIN (FORMAT binary)
            """
        try check(
            server_copy_rows(handle, text, first, Int32(entity), Int32(rows), Int32(ReadingValues.columnCount)))
        try execute("COMMIT")
    }
}
