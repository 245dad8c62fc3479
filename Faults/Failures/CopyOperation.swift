import OpenCoreData

/// A copy of a store to a place where no store is, or over an older store.
struct CopyOperation: FailureOperation {
    enum Kind {
        /// `migratePersistentStore` to a new store of a type.
        case migrate(String)
        /// `replacePersistentStore` where no store is.
        case backup
        /// `replacePersistentStore` over another store.
        case replace
    }

    let name: String
    let kind: Kind
    var leavesFormerFiles: Bool { if case .replace = kind { true } else { false } }

    private static let steps = SavedSteps(imageCount: 2)
    /// The last step of the store that is copied, and of the store that is replaced.
    private static let (source, replaced) = (4, 2)

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }
    private func copy(_ folder: URL) -> URL { folder.appendingPathComponent("copies/copy.data") }

    private var copyType: String { if case .migrate(let type) = kind { type } else { NSSQLiteStoreType } }

    func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: copy(folder).deletingLastPathComponent(), withIntermediateDirectories: true)
        try make(store(folder), Self.source)
        if case .replace = kind { try make(copy(folder), Self.replaced) }
    }

    private func make(_ url: URL, _ last: Int) throws {
        let stack = try Stack(url, NSSQLiteStoreType)
        for step in 1...last { try stack.perform { try Self.steps.save(step, in: $0) } }
        try stack.close()
    }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        switch kind {
        case .migrate(let type):
            let stack = try Stack(store(folder), NSSQLiteStoreType)
            defer { try? stack.close() }
            let options = type == NSSQLiteStoreType ? [NSPersistentHistoryTrackingKey: true] : nil
            try window.during {
                _ = try stack.coordinator.migratePersistentStore(
                    stack.coordinator.persistentStores[0], to: copy(folder), options: options, withType: type)
            }
        case .backup, .replace:
            try window.during {
                try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                    at: copy(folder), withPersistentStoreFrom: store(folder), type: .sqlite)
            }
        }
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let step = try check(store(folder), NSSQLiteStoreType, allowsRemainders)
        try expect(step == Self.source, "the copied store has step \(step)")
        let copies = copy(folder).deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: copies.path)
        if case .replace = kind {
            let step = try check(copy(folder), copyType, allowsRemainders)
            try expect([Self.source, Self.replaced].contains(step), "the replaced store has step \(step)")
            if !allowsRemainders { try checkNames(names) }
            return step == Self.source
        }
        if names.isEmpty || allowsRemainders && !names.contains("copy.data") { return false }
        let last = try check(copy(folder), copyType, allowsRemainders)
        try expect(last == Self.source, "the copy has step \(last)")
        if !allowsRemainders { try checkNames(names) }
        return true
    }

    private func checkNames(_ names: [String]) throws {
        let own = ["", "-wal", "-shm"].map { "copy.data" + $0 } + [".copy_SUPPORT"]
        try expect(Set(names).isSubset(of: own), "files remain: \(names)")
    }

    private func check(_ url: URL, _ type: String, _ allowsRemainders: Bool) throws -> Int {
        let stack = try Stack(url, type)
        let last = try stack.perform { try Self.steps.check($0) }
        try stack.close()
        if type == NSSQLiteStoreType { try SQLiteChecks.check(url, allowsRemainders: allowsRemainders) }
        return last
    }
}
