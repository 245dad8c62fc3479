/// What a store's files look like from outside: while it is the same, nobody has written to the store.
struct StoreStamp: Codable, Equatable {
    struct File: Codable, Equatable {
        let size: UInt64
        let modified: Date
    }

    let store: String
    let files: [File]

    /// Whether the files were written so short a time ago that a further change might show the same times.
    ///
    /// File systems count in steps of up to two seconds.
    var isTooYoung: Bool { files.contains { $0.modified.timeIntervalSinceNow > -2 } }
}
