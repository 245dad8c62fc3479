/// The sizes and dates of a store's files: while they are the same, no process has written to the store.
struct StoreFingerprint: Codable, Equatable {
    struct File: Codable, Equatable {
        let size: UInt64
        let modified: Date
    }

    let store: String
    let files: [File]

    /// Whether a further change could leave the same dates: file systems count in steps of up to two seconds.
    var isTooRecent: Bool { files.contains { $0.modified.timeIntervalSinceNow > -2 } }
}
