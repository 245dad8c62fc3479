extension SQLiteStore {
    /// The file and its log. They are not opened: closing them would give up the locks that SQLite holds.
    func contentStamp() -> StoreStamp? {
        guard let path = url?.path, let file = SQLiteFileSystem.stamp(of: path) else { return nil }
        // An empty log comes and goes with the connections.
        let log = SQLiteFileSystem.stamp(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
        return StoreStamp(store: identifier, files: [file] + (log.map { [$0] } ?? []))
    }
}

extension SQLiteFileSystem {
    /// A file's size and time, nil if there is none.
    fileprivate static func stamp(of path: String) -> StoreStamp.File? {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
            let size = attributes[.size] as? NSNumber, let modified = attributes[.modificationDate] as? Date
        else { return nil }
        return StoreStamp.File(size: size.uint64Value, modified: modified)
    }
}
