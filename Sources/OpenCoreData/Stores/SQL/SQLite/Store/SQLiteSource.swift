/// What reads a SQLite store on a connection: the store itself, and each of its query generations.
protocol SQLiteSource: SnapshotSource {
    /// The rows that this source has read, and no others.
    var rowCache: RowCache { get }
    /// Runs a block with the open file, alone.
    func withOpen<Result>(_ body: (SQLiteStore.OpenStore) throws -> Result) throws -> Result
}
