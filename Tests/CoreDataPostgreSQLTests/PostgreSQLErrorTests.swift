import CoreDataPostgreSQL
import TestSupport
import Testing

/// The errors that failures become.
@Suite struct PostgreSQLErrorTests {
    private let url = URL(string: "postgresql://ann@h/db")!

    @Test(arguments: [
        ("28P01", 134_080), ("28000", 134_080), ("3D000", 134_080), ("42501", 513), ("25006", 513), ("53300", 134_090),
        ("55P03", 134_090), ("53100", 640), ("42P01", 134_020), ("42703", 134_020), ("23505", 133_021),
        ("40001", 134_090), ("57014", 3072), ("XX001", 259), ("22012", 512), ("08006", 512),
    ])
    func `The SQLSTATE decides the code when a store writes`(_ state: String, _ code: Int) {
        let error = PostgreSQLFailure(sqlState: state, message: "reason").storeError(url: url, operation: .writing)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == code)
        #expect(error.userInfo[PostgreSQLError.stateKey] as? String == state)
    }

    @Test(arguments: [("42501", 257), ("25006", 257), ("08006", 256), ("42P01", 134_020)])
    func `Some codes differ when it reads`(_ state: String, _ code: Int) {
        #expect(PostgreSQLFailure(sqlState: state, message: "m").storeError(url: url, operation: .reading).code == code)
    }

    @Test func `A lost connection when it opens is an error of opening`() {
        let failure = PostgreSQLFailure(sqlState: "08001", message: "m")
        #expect(failure.isConnectionLost)
        #expect(failure.storeError(url: url, operation: .opening).code == NSPersistentStoreOpenError)
    }

    @Test func `The error names table and column, the store and the reason`() {
        var failure = PostgreSQLFailure(sqlState: "42703", message: "column is missing.", statement: "SELECT z")
        failure.table = "zartist"
        failure.column = "zname"
        let error = failure.storeError(url: url, operation: .opening)
        for part in ["zartist", "zname", "42703", "column is missing", "postgresql://ann@h/db"] {
            #expect(error.localizedDescription.contains(part))
        }
        #expect(error.localizedFailureReason != nil)
        #expect(error.userInfo[NSURLErrorKey] as? URL == url)
        #expect(error.userInfo[PostgreSQLError.statementKey] as? String == "SELECT z")
    }

    @Test func `Nobody answers at a socket that doesn't exist`() throws {
        let folder = try TemporaryFolder()
        let location = try PostgreSQLLocation(
            url: try #require(URL(string: "postgresql://ann:verysecret@/db?host=\(folder.url.path)")))
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        #expect(failure.sqlState == "08001")
        #expect(failure.isConnectionLost)
        #expect(!"\(failure)".contains("verysecret"))
        #expect(failure.message.contains(folder.url.path))
    }

    @Test(.enabled(if: TestServer.isPresent)) func `A missing database has its SQLSTATE`() throws {
        let location = try TestServer.location("dbname=missing")
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        #expect(failure.sqlState == "3D000")
        #expect(failure.message.contains("missing"))
        #expect(!failure.message.contains(".c:"))
    }

    @Test(.enabled(if: TestServer.isPresent)) func `A missing user has its SQLSTATE`() throws {
        let location = try TestServer.location("user=nobody_of_this_name")
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        #expect(failure.sqlState == "28000")
    }

    @Test(.enabled(if: TestServer.isPresent)) func `Of several hosts the first that answers is taken`() throws {
        let folder = try TemporaryFolder()
        let server = try TestServer.connect()
        let sockets = try server.execute("SHOW unix_socket_directories")[0].text(0)
        let location = try TestServer.location("host=\(folder.url.path),\(sockets)")
        try #expect(PostgreSQLConnection(location).isUsable)
    }
}
