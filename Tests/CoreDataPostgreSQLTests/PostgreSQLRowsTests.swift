import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Reading rows one by one, and COPY.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLRowsTests {
    private let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    private static let series = "SELECT g::bigint, 'row ' || g FROM generate_series(1, $1) g"

    private func count(_ count: Int32) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(int32: count)
        return parameters
    }

    @Test("Ten thousand rows arrive in order")
    func tenThousandRowsArrive() throws {
        var next: Int64 = 1
        try connection.read(Self.series, count(10_000)) { row in
            expectEqual(row.int64(0), next)
            expectEqual(row.text(1), "row \(next)")
            next += 1
        }
        expectEqual(next, 10_001)
    }

    @Test("A statement without rows calls nothing")
    func aStatementWithoutRows() throws {
        try connection.read(Self.series, count(0)) { _ in Issue.record("There is no row.") }
    }

    @Test("An error of the body ends the reading, and the connection stays usable")
    func anErrorOfTheBody() throws {
        var read = 0
        #expect(throws: TestFailure.self) {
            try connection.read(Self.series, count(10_000_000)) { _ in
                read += 1
                if read == 5_000 { throw TestFailure("stop") }
            }
        }
        expectEqual(read, 5_000)
        expectEqual(connection.transactionStatus, .idle)
        for number in 1...20 { try #expect(connection.execute("SELECT \(number)")[0].int64(0) == number) }
    }

    @Test("A failure of the server after some rows is thrown")
    func aFailureOfTheServer() throws {
        var read = 0
        let failure = #expect(throws: PostgreSQLFailure.self) {
            try connection.read("SELECT 100 / (3000 - g) FROM generate_series(1, $1) g", count(5000)) { _ in
                read += 1
            }
        }
        expectEqual(failure?.sqlState, "22012")
        expectEqual(read, 2_999)
        expectEqual(connection.transactionStatus, .idle)
    }

    @Test("A failure before the first row is thrown")
    func aFailureBeforeTheFirst() throws {
        let failure = #expect(throws: PostgreSQLFailure.self) {
            try connection.read("SELECT * FROM missing WHERE $1 > 0", count(1))
        }
        expectEqual(failure?.sqlState, "42P01")
    }

    @Test("A select of many rows is copied and one of few rows prepared, with the same values")
    func aSelectOfMany()
        throws
    {
        func rows(_ count: Int) throws -> [String] {
            let select = """
                SELECT g::bigint, NULLIF(g % 3, 0)::integer, 'Zeile ' || g, g / 4.0::double precision, ''::text \
                FROM generate_series(1, \(count)) g
                """
            var rows: [String] = []
            try connection.read(select) { row in
                rows.append(
                    "\(row.int64(0)) \(row.isNull(1) ? "-" : "\(row.int64(1))") \(row.text(2)) \(row.double(3)) "
                        + "\(row.isNull(4)) \(row.text(4)) \(row.columnCount)")
            }
            return rows
        }
        var statements: [String] = []
        connection.log = { text, _ in statements.append(text) }
        for count in [3000, 7, 0] {
            let expected = (0..<count).map { index -> String in
                let number = index + 1
                let rest = number % 3 == 0 ? "-" : "\(number % 3)"
                return "\(number) \(rest) Zeile \(number) \(Double(number) / 4) false  5"
            }
            for _ in 1...3 { try expectEqual(rows(count), expected) }
        }
        expectEqual(
            statements.map { $0.hasPrefix("COPY") }, [true, true, true, true, false, false, true, false, false])
    }

    @Test("An error of the body ends a COPY, and the connection stays usable")
    func anErrorOfTheBodyEnds() throws {
        var read = 0
        #expect(throws: TestFailure.self) {
            try connection.read("SELECT g FROM generate_series(1, 10000000) g") { _ in
                read += 1
                if read == 5_000 { throw TestFailure("stop") }
            }
        }
        expectEqual(read, 5_000)
        expectEqual(connection.transactionStatus, .idle)
        try expectEqual(connection.execute("SELECT 1")[0].int64(0), 1)
    }

    @Test("A failure of the server before or after some rows of a COPY is thrown")
    func aFailureOfTheServerBefore()
        throws
    {
        var read = 0
        let failure = #expect(throws: PostgreSQLFailure.self) {
            try connection.read("SELECT 100 / (3000 - g) FROM generate_series(1, 5000) g") { _ in
                read += 1
            }
        }
        expectEqual(failure?.sqlState, "22012")
        expectEqual(read, 2_999)
        let missing = #expect(throws: PostgreSQLFailure.self) {
            try connection.read("SELECT * FROM missing")
        }
        expectEqual(missing?.sqlState, "42P01")
        expectEqual(connection.transactionStatus, .idle)
        try expectEqual(connection.execute("SELECT 1")[0].int64(0), 1)
    }

    @Test("Copies of parameters don't share later changes")
    func copiesOfParametersDont() throws {
        var first = PostgreSQLParameters()
        first.append(text: "a")
        var second = first
        second.append(text: "b")
        first.append(int64: 7)
        #expect(first.values.map { "\($0)" } != second.values.map { "\($0)" })
        let row = try connection.execute("SELECT $1 || $2::text", first)[0]
        expectEqual(row.text(0), "a7")
        try expectEqual(connection.execute("SELECT $1 || $2::text", second)[0].text(0), "ab")
    }

    @Test("COPY writes rows with all types and nulls")
    func copyWritesRowsWithAll() throws {
        try connection.executeScript(
            "CREATE TEMPORARY TABLE t (a bigint, b text, c timestamptz, d numeric, e bytea, f boolean)")
        let copied = try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
            for number in 0..<20_000 {
                writer.beginRow(columns: 6)
                writer.append(int64: Int64(number))
                if number % 2 == 0 { writer.append(text: "Zeile \(number) ß") } else { writer.appendNull() }
                writer.append(timestamp: Date(timeIntervalSinceReferenceDate: Double(number)))
                writer.append(.decimal(Decimal(number) / 100), as: .numeric)
                writer.append(bytes: Data([UInt8(number & 0xFF)]))
                writer.append(bool: number % 3 == 0)
            }
        }
        expectEqual(copied, 20_000)
        let row = try connection.execute("SELECT count(*), count(b), sum(a)::bigint, sum(d) FROM t")[0]
        expectEqual(row.int64(0), 20_000)
        expectEqual(row.int64(1), 10_000)
        expectEqual(row.int64(2), 199_990_000)
        expectEqual(row.decimal(3), Decimal(string: "1999900"))
        let one = try connection.execute("SELECT b, c, e, f FROM t WHERE a = 300")[0]
        expectEqual(one.text(0), "Zeile 300 ß")
        expectEqual(one.date(1), Date(timeIntervalSinceReferenceDate: 300))
        expectEqual(one.data(2), Data([44]))
        expectTrue(one.bool(3))
    }

    @Test("COPY without rows copies none")
    func copyWithoutRowsCopies() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a bigint)")
        try expectEqual(connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { _ in }, 0)
    }

    @Test("An error of the body copies nothing, and the connection stays usable")
    func anErrorOfTheBodyCopies() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a bigint)")
        #expect(throws: TestFailure.self) {
            try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
                for number in 0..<50_000 {
                    writer.beginRow(columns: 1)
                    writer.append(int64: Int64(number))
                }
                throw TestFailure("stop")
            }
        }
        expectEqual(connection.transactionStatus, .idle)
        try expectEqual(connection.execute("SELECT count(*) FROM t")[0].int64(0), 0)
    }

    @Test("A value that the server refuses ends the COPY with its failure")
    func aValueThatTheServer() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a bigint PRIMARY KEY)")
        let failure = #expect(throws: PostgreSQLFailure.self) {
            try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
                for _ in 0..<2 {
                    writer.beginRow(columns: 1)
                    writer.append(int64: 1)
                }
            }
        }
        expectEqual(failure?.isUniqueViolation, true)
        try expectEqual(connection.execute("SELECT 1").count, 1)
    }

    @Test("A statement that isn't a COPY is an error")
    func aStatementThatIsnt() throws {
        for text in ["SELECT 1", "COPY missing FROM STDIN (FORMAT binary)"] {
            let failure = #expect(throws: PostgreSQLFailure.self) { try connection.copyIn(text) { _ in } }
            expectContains(["42601", "42P01"], failure?.sqlState)
        }
        try expectEqual(connection.execute("SELECT 1").count, 1)
    }
}
