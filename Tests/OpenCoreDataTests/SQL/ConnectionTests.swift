import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("A SQLite connection")
struct ConnectionTests {
    let folder = try! TemporaryFolder()

    private func connect(_ mode: SQLiteConnection.Mode = .create, timeout: Double = 5) throws -> SQLiteConnection {
        try SQLiteConnection(path: folder.path("a.sqlite"), mode: mode, timeout: timeout)
    }

    @Test("returns bound values of every type")
    func values() throws {
        let connection = try connect()
        let values: [SQLValue] = [
            .null, .integer(.min), .real(1.5), .text("Grüße\u{0}!"), .text(""), .bytes(Data([0, 255])), .bytes(Data()),
        ]
        let statement = try connection.statement("SELECT ?, ?, ?, ?, ?, ?, ?")
        try statement.bind(values)
        expectTrue(try statement.step())
        expectEqual(statement.columnCount, 7)
        for (index, value) in values.enumerated() { expectEqual(statement.value(at: Int32(index)), value) }
        expectFalse(try statement.step())
    }

    @Test("stores decimals, dates and UUIDs as Core Data's files do")
    func typedValues() throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT ?, ?, ?, ?")
        try statement.bind([
            .decimal(Decimal(string: "2.5")!), .decimal(Decimal(string: "9007199254740993")!),
            .timestamp(Date(timeIntervalSinceReferenceDate: 5.5)),
            .uuid(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F")!),
        ])
        expectTrue(try statement.step())
        let stored = (0..<4).map { statement.value(at: $0) }
        expectEqual(stored, [.real(2.5), .integer(9_007_199_254_740_993), .real(5.5), .bytes(Data(0...15))])
    }

    @Test("caches a statement by its text, and prepares another one while it is being stepped")
    func statementCache() throws {
        let connection = try connect()
        let sql = "SELECT 1 UNION SELECT 2"
        let first = try connection.statement(sql)
        #expect(try connection.statement(sql) === first)
        expectTrue(try first.step())
        let nested = try connection.statement(sql)
        #expect(nested !== first)
        expectTrue(try nested.step())
        first.reset()
        #expect(try connection.statement(sql) === first)
    }

    @Test("rolls a transaction back whose block throws")
    func rollback() throws {
        let connection = try connect()
        try connection.run("CREATE TABLE T (A INTEGER)")
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try connection.withTransaction {
                try connection.run("INSERT INTO T VALUES (?)", [.integer(1)])
                throw Stop()
            }
        }
        expectFalse(connection.isInTransaction)
        try expectEqual(connection.integer("SELECT COUNT(*) FROM T"), 0)
        try connection.withTransaction { try connection.run("INSERT INTO T VALUES (7)") }
        try expectEqual(connection.integer("SELECT A FROM T"), 7)
    }

    @Test("throws NSPersistentStoreTimeoutError if another connection locks the file too long")
    func busy() throws {
        let holder = try connect()
        let waiter = try connect(timeout: 0.05)
        try holder.begin(.exclusive)
        let error = try requireValue(thrownError { try waiter.begin(.immediate) })
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, 134090)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == folder.path("a.sqlite"))
        expectEqual((error.userInfo["NSSQLiteErrorDomain"] as? NSNumber)?.intValue, 5)
        try holder.rollback()
        try waiter.begin(.immediate)
    }

    @Test("throws a constraint conflict for a violated unique index")
    func unique() throws {
        let connection = try connect()
        try connection.run("CREATE TABLE T (A INTEGER UNIQUE)")
        try connection.run("INSERT INTO T VALUES (1)")
        let error = try requireValue(thrownError { try connection.run("INSERT INTO T VALUES (1)") })
        expectEqual(error.code, 133021)
    }

    @Test("can't write when opened for reading")
    func readOnly() throws {
        try connect().run("CREATE TABLE T (A INTEGER)")
        let reader = try connect(.readOnly)
        expectTrue(try reader.hasTable("T"))
        expectEqual(thrownError { try reader.run("INSERT INTO T VALUES (1)") }?.code, 513)
    }

    @Test("throws an error that names an invalid pragma, and sets others")
    func pragmas() throws {
        let connection = try connect()
        try connection.setPragmas(["cache_size": "-512"])
        try expectEqual(connection.pragma("cache_size"), "-512")
        let error = try requireValue(thrownError { try connection.setPragmas(["cache_size": "1; DROP TABLE T"]) })
        expectEqual(error.code, 134080)
    }

    @Test("passes every statement that runs to its observer")
    func observer() throws {
        let connection = try connect()
        var seen: [String] = []
        connection.statementObserver = { seen.append($0) }
        try connection.run("CREATE TABLE T (A INTEGER)")
        try connection.withTransaction { try connection.run("INSERT INTO T VALUES (?)", [.integer(1)]) }
        expectEqual(seen, ["CREATE TABLE T (A INTEGER)", "BEGIN IMMEDIATE", "INSERT INTO T VALUES (?)", "COMMIT"])
    }

    @Test("reads the log level from the arguments of the program, or else from the user defaults")
    func logLevel() {
        expectEqual(SQLLog.level(arguments: ["p", "-com.apple.CoreData.SQLDebug", "2"], fallback: nil), .values)
        expectEqual(SQLLog.level(arguments: ["p", "-com.apple.CoreData.SQLDebug", "9"], fallback: nil), .rows)
        expectEqual(SQLLog.level(arguments: ["p"], fallback: "1"), .statements)
        expectEqual(SQLLog.level(arguments: ["p", "-com.apple.CoreData.SQLDebug"], fallback: nil), .off)
    }

    @Test("returns the same rows when everything is logged")
    func logging() throws {
        let connection = try connect()
        connection.logLevel = .rows
        try connection.run("CREATE TABLE T (A INTEGER, B TEXT)")
        try connection.run("INSERT INTO T VALUES (?, ?)", [.integer(1), .text("it's")])
        let statement = try connection.statement("SELECT A, B FROM T WHERE A = ?")
        try statement.bind(Int64(1), at: 1)
        expectTrue(try statement.step())
        expectEqual(statement.value(at: 1), .text("it's"))
        expectFalse(try statement.step())
    }
}
