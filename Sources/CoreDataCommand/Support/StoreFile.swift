import OpenCoreData

/// What can be asked of a store's file without opening a stack on it.
enum StoreFile {
    /// Whether the file begins as SQLite's files do. Anything else is taken for a model.
    static func isStore(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    static func metadata(at url: URL) throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    }
}
