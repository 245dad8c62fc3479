import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The errors that failures become.
@Suite struct PostgreSQLErrorTests {
    private let url = URL(string: "postgresql://ann@h/db")!

    @Test(
        "The SQLSTATE decides the code when a store writes",
        arguments: [
            ("28P01", 134_080), ("28000", 134_080), ("3D000", 134_080), ("42501", 513), ("25006", 513),
            ("53300", 134_090),
            ("55P03", 134_090), ("53100", 640), ("42P01", 134_020), ("42703", 134_020), ("23505", 133_021),
            ("40001", 134_090), ("57014", 134_090), ("XX001", 259), ("22012", 512), ("08006", 512),
        ])
    func theSQLSTATEDecidesTheCode(_ state: String, _ code: Int) {
        let error = PostgreSQLFailure(sqlState: state, message: "reason").storeError(url: url, operation: .writing)
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, code)
        #expect(error.userInfo[PostgreSQLError.stateKey] as? String == state)
    }

    @Test(
        "Some codes differ when it reads",
        arguments: [("42501", 257), ("25006", 257), ("08006", 256), ("42P01", 134_020)])
    func someCodesDifferWhen(_ state: String, _ code: Int) {
        expectEqual(
            PostgreSQLFailure(sqlState: state, message: "m").storeError(url: url, operation: .reading).code, code)
    }

    @Test(
        "A store that is opened for reading lacks the right to read",
        arguments: [("42501", 257), ("25006", 257), ("08001", 134_080), ("42P01", 134_020)])
    func aStoreThatIsOpened(_ state: String, _ code: Int) {
        let failure = PostgreSQLFailure(sqlState: state, message: "m")
        expectEqual(failure.storeError(url: url, operation: .openingForReading).code, code)
    }

    @Test("A lost connection when it opens is an error of opening")
    func aLostConnectionWhen() {
        let failure = PostgreSQLFailure(sqlState: "08001", message: "m")
        expectTrue(failure.isConnectionLost)
        expectEqual(failure.storeError(url: url, operation: .opening).code, NSPersistentStoreOpenError)
    }

    @Test("The error names table and column, the store and the reason")
    func theErrorNamesTable() {
        var failure = PostgreSQLFailure(sqlState: "42703", message: "column is missing.", statement: "SELECT z")
        failure.table = "zartist"
        failure.column = "zname"
        let error = failure.storeError(url: url, operation: .opening)
        for part in ["zartist", "zname", "42703", "column is missing", "postgresql://ann@h/db"] {
            expectContains(error.localizedDescription, part)
        }
        #expect(error.localizedFailureReason != nil)
        #expect(error.userInfo[NSURLErrorKey] as? URL == url)
        #expect(error.userInfo[PostgreSQLError.statementKey] as? String == "SELECT z")
    }

    @Test("Nobody answers at a socket that doesn't exist")
    func nobodyAnswersAtASocket() throws {
        let folder = try TemporaryFolder()
        let location = try PostgreSQLLocation(
            url: try requireValue(URL(string: "postgresql://ann:verysecret@/db?host=\(folder.url.path)")))
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        expectEqual(failure.sqlState, "08001")
        expectTrue(failure.isConnectionLost)
        #expect(!"\(failure)".contains("verysecret"))
        expectContains(failure.message, folder.url.path)
    }

    @Test("A missing database has its SQLSTATE", .enabled(if: TestServer.isPresent))
    func aMissingDatabaseHasItsSQLSTATE() throws {
        let location = try TestServer.location("dbname=missing")
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        expectEqual(failure.sqlState, "3D000")
        expectContains(failure.message, "missing")
        #expect(!failure.message.contains(".c:"))
    }

    @Test("A missing user has its SQLSTATE", .enabled(if: TestServer.isPresent)) func aMissingUserHasItsSQLSTATE()
        throws
    {
        let location = try TestServer.location("user=nobody_of_this_name")
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        expectEqual(failure.sqlState, "28000")
    }

    @Test("Of several hosts the first that answers is taken", .enabled(if: TestServer.isPresent))
    func ofSeveralHostsTheFirst() throws {
        let folder = try TemporaryFolder()
        let server = try TestServer.connect()
        let sockets = try server.execute("SHOW unix_socket_directories")[0].text(0)
        let location = try TestServer.location("host=\(folder.url.path),\(sockets)")
        try expectTrue(PostgreSQLConnection(location).isUsable)
    }

    @Test("A wrong or missing password is an error that shows none", .enabled(if: TestServer.isPresent))
    func aWrongOrMissing() throws {
        let server = try TestServer.connect()
        let rules = try server.execute(
            "SELECT count(*) FROM pg_hba_file_rules WHERE 'coredata_password' = ANY(user_name)")
        // A server that Scripts/postgresql-server.sh hasn't made may ask for no password.
        guard rules[0].int64(0) > 0 else { return }
        try server.executeScript(
            """
            DO $$ BEGIN CREATE ROLE coredata_password LOGIN PASSWORD 'right';
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
            """)
        expectTrue(try PostgreSQLConnection(TestServer.location("user=coredata_password&password=right")).isUsable)
        for items in ["user=coredata_password&password=verywrong", "user=coredata_password"] {
            let location = try TestServer.location(items)
            let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
            expectEqual(failure.sqlState, "28P01")
            let error = failure.storeError(url: location.publicURL, operation: .opening)
            expectEqual(error.code, NSPersistentStoreOpenError)
            #expect(!"\(failure) \(error) \(error.userInfo) \(location)".contains("verywrong"))
        }
    }

    @Test("A server that doesn't answer is given up after the timeout")
    func aServerThatDoesnt() throws {
        let folder = try TemporaryFolder()
        let socket = try SilentSocket(folder.path(".s.PGSQL.5432"))
        let location = try PostgreSQLLocation(
            url: try requireValue(URL(string: "postgresql://ann@/db?connect_timeout=0.05&host=\(folder.url.path)")))
        let failure = try #require(throws: PostgreSQLFailure.self) { try PostgreSQLConnection(location) }
        expectEqual(failure.sqlState, "08001")
        expectContains(failure.message, "0.05 seconds")
        withExtendedLifetime(socket) {}
    }

    @Test("A listener that connects is stopped without waiting for the timeout")
    func aListenerThatConnects() throws {
        let folder = try TemporaryFolder()
        let socket = try SilentSocket(folder.path(".s.PGSQL.5432"))
        let location = try PostgreSQLLocation(
            url: try requireValue(URL(string: "postgresql://ann@/db?connect_timeout=600&host=\(folder.url.path)")))
        let listener = PostgreSQLListener(location, channel: "c") { _ in
        } caughtUp: {
        }
        listener.stop()
        withExtendedLifetime(socket) {}
    }
}

/// A Unix socket on which no process answers.
private final class SilentSocket {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafeBytes(of: &address) {
            bind(
                descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_un>.size))
        }
        guard result == 0, listen(descriptor, 8) == 0 else { throw TestFailure("The socket can't be made: \(errno).") }
    }

    deinit { close(descriptor) }
}
