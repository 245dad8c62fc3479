extension SQLiteStore {
    /// The size and date of the file and of its log.
    ///
    /// Neither is opened: closing one of them would release the locks that SQLite holds for this process.
    func contentStamp() -> StoreStamp? {
        guard let path = url?.path, let file = Self.stamp(of: path) else { return nil }
        // Connections create and remove an empty log.
        let log = Self.stamp(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
        return StoreStamp(store: identifier, files: [file] + (log.map { [$0] } ?? []))
    }

    private static func stamp(of path: String) -> StoreStamp.File? {
        OperatingSystem.fileSizeAndDate(at: path).map { StoreStamp.File(size: $0.size, modified: $0.modified) }
    }
}
