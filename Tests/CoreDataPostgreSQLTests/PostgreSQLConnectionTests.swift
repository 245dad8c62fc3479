import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Statements on one connection.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLConnectionTests {
    private let connection: PostgreSQLConnection

    init() throws { connection = try TestServer.connect() }

    private func parameters(_ body: (inout PostgreSQLParameters) -> Void) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        body(&parameters)
        return parameters
    }

    private func failure(_ body: () throws -> Void) throws -> PostgreSQLFailure {
        try #require(throws: PostgreSQLFailure.self) { try body() }
    }

    @Test("A connection knows its server")
    func aConnectionKnowsItsServer() {
        expectTrue(connection.isUsable)
        #expect(connection.serverVersion >= 140_000)
        #expect(connection.backendProcess > 0)
        expectEqual(connection.transactionStatus, .idle)
        connection.close()
        expectFalse(connection.isUsable)
    }

    @Test("A closed connection throws")
    func aClosedConnectionThrows() throws {
        connection.close()
        try expectTrue(failure { try connection.execute("SELECT 1") }.isConnectionLost)
        try expectTrue(failure { try connection.executeScript("SELECT 1") }.isConnectionLost)
        try expectTrue(failure { try connection.read("SELECT 1") }.isConnectionLost)
        try expectTrue(failure { _ = try connection.notifications() }.isConnectionLost)
    }

    @Test("A result has rows, columns and the count of affected rows")
    func aResultHasRows() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a int, b text)")
        let inserted = try connection.execute("INSERT INTO t SELECT g, 'x' || g FROM generate_series(1, 5) g")
        expectEqual(inserted.affectedRows, 5)
        let result = try connection.execute("SELECT a, b FROM t ORDER BY a")
        expectEqual(result.rowCount, 5)
        expectEqual(result.columnCount, 2)
        expectEqual(result.map { $0.text(1) }, ["x1", "x2", "x3", "x4", "x5"])
        var sum: Int64 = 0
        for row in result { sum += row.int64(0) }
        expectEqual(sum, 15)
    }

    @Test("A row keeps its result alive")
    func aRowKeepsItsResult() throws {
        let row = try connection.execute("SELECT repeat('x', 1000)")[0]
        connection.close()
        expectEqual(row.text(0).count, 1000)
    }

    @Test("A statement is prepared once")
    func aStatementIsPrepared() throws {
        let start = connection.roundTripCount
        for number in 1...10 {
            let result = try connection.execute("SELECT $1 + 1", parameters { $0.append(int32: Int32(number)) })
            expectEqual(result[0].int64(0), Int64(number + 1))
        }
        expectEqual(connection.roundTripCount - start, 10)
        try expectEqual(preparedCount(), 2)
    }

    @Test("A new statement that fails leaves the connection as it was")
    func aNewStatementThatFails() throws {
        for text in ["SELECT * FROM missing", "SELECT 1 / 0"] {
            try expectEqual(failure { try connection.execute(text) }.isConnectionLost, false)
            expectEqual(connection.transactionStatus, .idle)
            try expectEqual(connection.execute("SELECT 1")[0].int64(0), 1)
        }
        // The second one could be prepared.
        try expectEqual(failure { try connection.execute("SELECT 1 / 0") }.sqlState, "22012")
        try connection.begin()
        try expectEqual(failure { try connection.execute("SELECT 2 / 0") }.sqlState, "22012")
        expectEqual(connection.transactionStatus, .failed)
        try expectEqual(failure { try connection.execute("SELECT 3") }.sqlState, "25P02")
        try connection.rollback()
        try expectEqual(connection.execute("SELECT 3")[0].int64(0), 3)
    }

    @Test("A new statement that must not be in a transaction block is executed")
    func aNewStatementThatMust() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a int)")
        try connection.execute("VACUUM t")
        try connection.execute("CREATE INDEX CONCURRENTLY i ON t (a)")
        try expectEqual(connection.execute("SELECT count(*) FROM pg_indexes WHERE tablename = 't'")[0].int64(0), 1)
    }

    @Test("The same text with parameters of another type is another statement")
    func theSameTextWithParameters() throws {
        let text = "SELECT pg_typeof($1)::text"
        try expectEqual(connection.execute(text, parameters { $0.append(int32: 1) })[0].text(0), "integer")
        try expectEqual(connection.execute(text, parameters { $0.append(int64: 1) })[0].text(0), "bigint")
        try expectEqual(connection.execute(text, parameters { $0.append(int32: 1) })[0].text(0), "integer")
    }

    @Test("The server keeps a bounded number of statements")
    func theServerKeepsABounded() throws {
        for number in 0..<400 { try connection.execute("SELECT \(number)") }
        try #expect(preparedCount() <= 256 + 16)
        // The first ones are prepared again.
        try expectEqual(connection.execute("SELECT 0")[0].int64(0), 0)
    }

    private func preparedCount() throws -> Int64 {
        try connection.execute("SELECT count(*) FROM pg_prepared_statements")[0].int64(0)
    }

    @Test("With a pooler no statement is prepared")
    func withAPoolerNoStatement() throws {
        let connection = try PostgreSQLConnection(TestServer.location("pooler=true"))
        for _ in 1...3 {
            let result = try connection.execute("SELECT $1", parameters { $0.append(int64: 1) })
            expectEqual(result[0].int64(0), 1)
        }
        try expectEqual(connection.execute("SELECT count(*) FROM pg_prepared_statements")[0].int64(0), 0)
        var count = 0
        try connection.read("SELECT generate_series(1, $1)", parameters { $0.append(int32: 7) }) { _ in count += 1 }
        expectEqual(count, 7)
    }

    @Test("A statement is prepared again after a change of the table")
    func aStatementIsPreparedAgain() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t AS SELECT 1 AS a")
        try expectEqual(connection.execute("SELECT * FROM t")[0].columnCount, 1)
        try connection.executeScript("ALTER TABLE t ADD COLUMN b int DEFAULT 2")
        let row = try connection.execute("SELECT * FROM t")[0]
        expectEqual(row.columnCount, 2)
        expectEqual(row.int64(1), 2)
        let select = "SELECT * FROM t WHERE b > $1"
        let zero = parameters { $0.append(int32: 0) }
        try connection.read(select, zero)
        try connection.executeScript("ALTER TABLE t DROP COLUMN a")
        var values: [Int64] = []
        try connection.read(select, zero) { values.append($0.int64(0)) }
        expectEqual(values, [2])
    }

    @Test("In a transaction block the change of the table is an error, and the next try succeeds")
    func inATransactionBlock() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t AS SELECT 1 AS a")
        try connection.execute("SELECT * FROM t")
        try connection.executeScript("ALTER TABLE t ADD COLUMN b int")
        try expectEqual(
            failure { try connection.transaction { _ = try connection.execute("SELECT * FROM t") } }.sqlState,
            "0A000")
        expectEqual(connection.transactionStatus, .idle)
        try connection.transaction { try expectEqual(connection.execute("SELECT * FROM t")[0].columnCount, 2) }
    }

    @Test("A statement that the server has forgotten is prepared again")
    func aStatementThatTheServer() throws {
        try connection.execute("SELECT 1")
        try connection.executeScript("DEALLOCATE ALL")
        try expectEqual(connection.execute("SELECT 1")[0].int64(0), 1)
    }

    @Test("A failure has the server's SQLSTATE and names")
    func aFailureHasTheServers() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a int CONSTRAINT one UNIQUE, b text NOT NULL)")
        try connection.executeScript("INSERT INTO t VALUES (1, 'x')")
        let unique = try failure { try connection.execute("INSERT INTO t VALUES (1, 'y')") }
        expectTrue(unique.isUniqueViolation)
        expectEqual(unique.constraint, "one")
        expectEqual(unique.table, "t")
        #expect(unique.detail != nil)
        expectEqual(unique.statement, "INSERT INTO t VALUES (1, 'y')")
        let null = try failure { try connection.execute("INSERT INTO t VALUES (2, NULL)") }
        expectEqual(null.sqlState, "23502")
        expectEqual(null.column, "b")
        try expectEqual(failure { try connection.execute("SELECT * FROM missing") }.sqlState, "42P01")
        try expectEqual(failure { try connection.execute("SELECT 1 / 0") }.sqlState, "22012")
        try expectEqual(failure { try connection.executeScript("SELECT 1; SELEC") }.sqlState, "42601")
        expectTrue(connection.isUsable)
    }

    @Test("A script executes several statements in one round trip")
    func aScriptExecutesSeveral() throws {
        let start = connection.roundTripCount
        try connection.executeScript("CREATE TEMPORARY TABLE t (a int); INSERT INTO t VALUES (1), (2)")
        expectEqual(connection.roundTripCount - start, 1)
        try expectEqual(connection.execute("SELECT a FROM t").count, 2)
    }

    @Test("A transaction is rolled back when its body throws")
    func aTransactionIsRolled() throws {
        try connection.executeScript("CREATE TEMPORARY TABLE t (a int)")
        #expect(throws: TestFailure.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                expectEqual(connection.transactionStatus, .inTransaction)
                throw TestFailure("stop")
            }
        }
        expectEqual(connection.transactionStatus, .idle)
        try expectEmpty(connection.execute("SELECT 1 FROM t"))
        try connection.transaction { _ = try connection.execute("INSERT INTO t VALUES (1)") }
        try expectEqual(connection.execute("SELECT 1 FROM t").count, 1)
    }

    @Test("Two transactions in conflict give a serialization failure")
    func twoTransactionsInConflict() throws {
        let other = try TestServer.connect()
        let name = "conflict_\(UInt32.random(in: 0 ... .max))"
        try connection.executeScript("CREATE TABLE \(name) AS SELECT 1 AS a")
        defer { try? other.executeScript("ROLLBACK; DROP TABLE \(name)") }
        try connection.executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try connection.execute("SELECT a FROM \(name)")
        try other.execute("UPDATE \(name) SET a = 2")
        try expectTrue(failure { try connection.execute("UPDATE \(name) SET a = 3") }.isSerializationFailure)
        try connection.rollback()
    }

    @Test("The log gets statements and values")
    func theLogGetsStatements() throws {
        var lines: [String] = []
        connection.log = { text, values in lines.append("\(text) \(values?.description ?? "-")") }
        try connection.execute(
            "SELECT $1, $2, $3",
            parameters {
                $0.append(int64: 7)
                $0.append(text: "ä")
                $0.append(keys: [1, 2])
            })
        try connection.executeScript("SELECT 1")
        expectEqual(lines, [#"SELECT $1, $2, $3 [7, "ä", "an array of 2"]"#, "SELECT 1 -"])
    }

    @Test("A COPY in the place of a statement is an error")
    func aCOPYInThePlace() throws {
        let failure = try failure { try connection.execute("COPY (SELECT 1) TO STDOUT") }
        expectTrue(failure.isConnectionLost)
        expectFalse(connection.isUsable)
    }

    @Test("A terminated process makes the connection unusable")
    func aTerminatedProcessMakes() throws {
        try TestServer.terminate(connection.backendProcess, by: TestServer.connect())
        let failure = try failure { try connection.execute("SELECT 1") }
        expectTrue(failure.isConnectionLost)
        expectTrue(failure.spoilsConnection)
        expectFalse(connection.isUsable)
    }
}
