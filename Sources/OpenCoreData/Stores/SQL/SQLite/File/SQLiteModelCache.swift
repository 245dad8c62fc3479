import CoreDataModel
import CoreDataPredicates

/// The archive of the model that a store was made from, in `Z_MODELCACHE`.
package enum SQLiteModelCache {
    /// Replaces the cached model.
    ///
    /// A model that can't be archived (a block in one of its predicates) leaves the table empty, which every version
    /// of the framework accepts.
    package static func write(_ model: NSManagedObjectModel, on connection: SQLiteConnection) throws {
        try connection.run("DELETE FROM Z_MODELCACHE")
        let archive: Data
        do {
            archive = try ModelArchive.encode(model, as: .storeCache)
        } catch {
            SQLLog.logger.warning(
                "\(connection.path): the model isn't kept in the store: \(error.localizedDescription)")
            return
        }
        try connection.run(
            "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.bytes(try RawDeflate.compress(archive))])
    }

    /// The cached model; `nil` if the file has none.
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
                reason: "The model kept in it is damaged: \(cause.localizedDescription)",
                suggestion: "Open the store with a model of your own.", userInfo: [NSUnderlyingErrorKey: cause])
        }
    }
}
