import Foundation

/// Apple's framework has no stores on a server.
package enum PostgreSQLServer {
    package static var storeType: String { "PostgreSQL" }

    package static func url(schema: String) -> URL { URL(fileURLWithPath: "/dev/null") }
}
