/// The old or the new store of a migration: where it is, and how it is opened.
struct MigratedStore {
    var url: URL
    var type: String
    var options: [AnyHashable: Any]?
    /// The configuration whose entities a new store contains; nil for all entities.
    var configuration: String?

    /// Whether there is a store at the URL.
    var exists: Bool {
        guard let type = try? StoreTypeRegistry.type(named: type), !type.allowsDuplicates(at: url) else { return false }
        if !url.isFileURL {
            guard let stores = type.closedStores else { return true }
            return (try? stores.contents(at: url, options: options)) == .store
        }
        switch OperatingSystem.fileKind(at: url.path) {
        case .missing, .file(0): return false
        default: return true
        }
    }

    /// Removes a store that a migration has begun to write.
    func remove() {
        guard url.isFileURL, url.path != SQLiteConnection.memoryPath else { return }
        if let stores = (try? StoreTypeRegistry.type(named: type))?.closedStores {
            try? stores.destroy(at: url, options: options)
        }
        try? SQLiteStoreCopy.removeDatabase(at: url.path)
        for file in AtomicFile.unfinishedFiles(beside: url.path) { try? OperatingSystem.remove(file) }
    }
}
