import Foundation
import GRDB

/// The functions that the arms of GRDB share.
enum GRDBDatabase {
    static func queue(_ url: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        // The file is a store's, which knows foreign keys without SQLite.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    /// The number of the entity in the store's file.
    static func entity(_ name: String, _ queue: DatabaseQueue) throws -> Int64 {
        try queue.read {
            try Int64.fetchOne($0, sql: "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", arguments: [name]) ?? 0
        }
    }
}
