import Testing

@testable import CoreDataPostgreSQL

/// Reading the URL and the options of a store.
@Suite struct PostgreSQLLocationTests {
    private func location(_ text: String, _ options: [AnyHashable: Any]? = nil) throws -> PostgreSQLLocation {
        try PostgreSQLLocation(url: try requireValue(URL(string: text)), options: options)
    }

    private func failure(_ text: String, _ options: [AnyHashable: Any]? = nil) throws -> NSError {
        let url = try requireValue(URL(string: text))
        return try #require(throws: NSError.self) { try PostgreSQLLocation(url: url, options: options) }
    }

    @Test("A complete URL gives the items of libpq")
    func aCompleteURLGives() throws {
        let text = try location("postgresql://ann:secret@db.example.org:6432/shop?sslmode=require").connectionString
        for item in [
            "user='ann'", "password='secret'", "host='db.example.org'", "port='6432'", "dbname='shop'",
            "sslmode='require'", "application_name='CoreData'", "target_session_attrs='read-write'",
        ] {
            expectContains(text, item)
        }
    }

    @Test("The scheme postgres is the same")
    func theSchemePostgresIsTheSame() throws {
        try expectContains(location("postgres://h/db").connectionString, "host='h'")
    }

    @Test("The schema is public unless the URL or the option names one")
    func theSchemaIsPublic() throws {
        try expectEqual(location("postgresql://h/db").schema, "public")
        try expectEqual(location("postgresql://h/db?schema=shop").schema, "shop")
        try expectEqual(location("postgresql://h/db?schema=shop", [NSPostgreSQLSchemaOption: "b"]).schema, "b")
    }

    @Test("The store's own items don't reach libpq")
    func theStoresOwnItems() throws {
        let location = try location("postgresql://h/db?schema=shop&pool_size=3&pool_timeout=2.5&pooler=true")
        for item in ["schema", "shop", "pool"] { #expect(!location.connectionString.contains(item)) }
        expectEqual(location.poolSize, 3)
        expectEqual(location.poolTimeout, 2.5)
        expectFalse(location.usesNamedStatements)
    }

    @Test("Options win over the URL")
    func optionsWinOverTheURL() throws {
        let location = try location(
            "postgresql://h/db?pool_size=3&pooler=true&connect_timeout=4",
            [
                NSPostgreSQLPoolSizeOption: 7, NSPostgreSQLPoolerOption: false, NSPostgreSQLConnectTimeoutOption: 2,
                NSPersistentStoreTimeoutOption: 1.5,
            ])
        expectEqual(location.poolSize, 7)
        expectTrue(location.usesNamedStatements)
        expectEqual(location.connectTimeout, 2)
        expectEqual(location.lockTimeout, 1.5)
    }

    @Test("The defaults are ten connections, thirty seconds and ten seconds")
    func theDefaultsAreTen() throws {
        let location = try location("postgresql://h/db")
        expectEqual(location.poolSize, 10)
        expectEqual(location.poolTimeout, 30)
        expectEqual(location.connectTimeout, 10)
    }

    @Test(
        "A connection over TCP verifies the server",
        arguments: [
            "postgresql://h/db", "postgresql://[::1]:5432/db", "postgresql:///db", "postgresql:///db?service=s",
        ])
    func aConnectionOverTCP(_ text: String) throws {
        try expectContains(location(text).connectionString, "sslmode='verify-full'")
    }

    @Test(
        "A Unix socket and an explicit mode don't",
        arguments: [
            "postgresql:///db?host=/tmp/s", "postgresql://%2Ftmp%2Fs/db", "postgresql://h/db?sslmode=disable",
        ])
    func aUnixSocketAndAnExplicit(_ text: String) throws {
        #expect(!(try location(text).connectionString.contains("verify-full")))
    }

    @Test("A socket's folder may be percent-encoded in the place of the host")
    func aSocketsFolderMay() throws {
        try expectContains(location("postgresql://%2Ftmp%2Fs/db").connectionString, "host='/tmp/s'")
    }

    @Test("An address of IPv6 has no brackets in libpq's form")
    func anAddressOfIPv6() throws {
        let text = try location("postgresql://[::1]:5433/db").connectionString
        expectContains(text, "host='::1'")
        expectContains(text, "port='5433'")
    }

    @Test("Several hosts are given in the query")
    func severalHostsAreGiven() throws {
        try expectContains(location("postgresql:///db?host=h1,h2&port=1,2").connectionString, "host='h1,h2'")
    }

    @Test("Quotation marks and backslashes in a password are escaped")
    func quotationMarksAndBackslashes() throws {
        try expectContains(location("postgresql://u:a%27b%5Cc@h/db").connectionString, #"password='a\'b\\c'"#)
    }

    @Test("A store that only reads takes any server")
    func aStoreThatOnly() throws {
        let options = [NSReadOnlyPersistentStoreOption: true]
        try expectContains(location("postgresql://h/db", options).connectionString, "target_session_attrs='any'")
    }

    @Test("The public URL has no password")
    func thePublicURLHasNoPassword() throws {
        let location = try location("postgresql://ann:se%40cret@h:1/db?schema=s&password=other&sslpassword=third")
        expectEqual(location.publicURL.absoluteString, "postgresql://ann@h:1/db?schema=s")
    }

    @Test("Descriptions and dumps have no password")
    func descriptionsAndDumpsHave() throws {
        let location = try location("postgresql://ann:secret@h/db?sslpassword=hidden")
        var text = "\(location) \(String(reflecting: location))"
        dump(location, to: &text)
        #expect(!text.contains("secret"))
        #expect(!text.contains("hidden"))
    }

    @Test("A URL of another kind is a wrong type")
    func aURLOfAnother() throws {
        try expectEqual(failure("mysql://u:secret@h/db").code, NSPersistentStoreInvalidTypeError)
        try expectEqual(failure("file:///tmp/x.sqlite").code, NSPersistentStoreInvalidTypeError)
    }

    @Test(
        "A wrong part is named, without the password",
        arguments: [
            ("postgresql://u:secret@h/db?colour=red", "colour"),
            ("postgresql://u:secret@h/db?pool_size=many", "pool_size"),
            ("postgresql://u:secret@h/db?pool_size=0", "pool_size"),
            ("postgresql://u:secret@h/db?pooler=perhaps", "pooler"),
            ("postgresql://u:secret@h/db?port=99999", "port"),
            ("postgresql://u:secret@h/db?schema=", "schema"), ("postgresql://u:secret@h/db?schema=a&schema=b", "twice"),
            ("postgresql://u:secret@h/db?schema=information_schema", "information_schema"),
            ("postgresql://u:secret@h/db?schema=pg_catalog", "pg_catalog"),
            ("postgresql://u:secret@h/db?sslmode", "query"),
            ("postgresql://u:secret@h/db?client_encoding=LATIN1", "client_encoding"),
        ])
    func aWrongPartIsNamed(_ text: String, _ part: String) throws {
        let error = try failure(text)
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(error.localizedFailureReason?.contains(part), true)
        #expect(!"\(error) \(error.userInfo)".contains("secret"))
    }

    @Test("An option of a wrong type is named")
    func optionOfWrongType() throws {
        let error = try failure("postgresql://h/db", [NSPostgreSQLPoolSizeOption: "many"])
        expectEqual(error.localizedFailureReason?.contains(NSPostgreSQLPoolSizeOption), true)
    }

    @Test("A listener may have a URL of its own")
    func listener() throws {
        let options =
            [NSPostgreSQLListenerURLOption: "postgresql://direct/db", NSPostgreSQLConnectTimeoutOption: 3]
            as [AnyHashable: Any]
        let listener = try requireValue(location("postgresql://pooler/db?pooler=true", options).listener(options))
        expectContains(listener.connectionString, "host='direct'")
        expectEqual(listener.connectTimeout, 3)
        try expectEqual(location("postgresql://h/db").listener(nil)?.connectionString.contains("host='h'"), true)
        try expectTrue(location("postgresql://pooler/db?pooler=true").listener(nil) == nil)
        try expectEqual(
            failure("postgresql://h/db", [NSPostgreSQLListenerURLOption: 1]).code, NSPersistentStoreOpenError)
    }
}
