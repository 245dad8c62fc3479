import CoreDataPostgreSQL

/// The server for tests of stores in a database.
package enum PostgreSQLServer {
    package static var storeType: String { NSPostgreSQLStoreType }

    private static let text = ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_URL"]

    /// The URL of a schema.
    package static func url(schema: String) -> URL {
        guard let text else { fatalError("COREDATA_POSTGRESQL_URL names no server: use Scripts/test-postgresql.sh.") }
        // A name of at most 63 bytes, whose end tells folders apart.
        let name = String(schema.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.suffix(60))
        guard let url = URL(string: text + (text.contains("?") ? "&" : "?") + "schema=" + name) else {
            fatalError("COREDATA_POSTGRESQL_URL is no URL: \(text)")
        }
        return url
    }
}
