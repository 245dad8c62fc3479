// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The model cache: an archive of the model that created a store, in the table `Z_MODELCACHE`.
package enum SQLiteModelCache {
    /// The statement that creates the table.
    static let createTable = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

    /// Replaces the cached model. A file of an old framework, which has no such table, gets it.
    ///
    /// The table stays empty for a model that can't be archived, because a predicate of it contains a block. Every
    /// version of Apple's framework accepts an empty table.
    static func write(_ model: NSManagedObjectModel, on connection: SQLiteConnection) throws {
        if try !connection.hasTable("Z_MODELCACHE") { try connection.run(createTable) }
        try connection.run("DELETE FROM Z_MODELCACHE")
        let archive: Data
        do {
            archive = try ModelArchive.encode(model, as: .storeCache)
        } catch {
            SQLLog.logger.warning(
                "\(connection.path): the model can't be stored in the store: \(error.localizedDescription)")
            return
        }
        try connection.run(
            "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.bytes(try RawDeflate.compress(archive))])
    }

    /// The cached model; nil if the file has none.
    ///
    /// - Throws: 259 if the cache is damaged.
    package static func read(on connection: SQLiteConnection) throws -> NSManagedObjectModel? {
        guard try connection.hasTable("Z_MODELCACHE"),
            let stored = try connection.data("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1"), !stored.isEmpty
        else { return nil }
        do {
            return try ModelArchive.decode(RawDeflate.expand(stored))
        } catch {
            let cause = error as NSError
            throw SQLiteErrors.storeError(
                SQLiteErrors.fileReadCorrupt, path: connection.path,
                reason: "Its model cache is damaged: \(cause.localizedDescription)",
                suggestion: "Open the store with a model of your own.", userInfo: [NSUnderlyingErrorKey: cause])
        }
    }
}
