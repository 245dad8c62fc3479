import OpenCoreData
import TestSupport

/// The processes of one round, and their store.
struct VersionRound {
    let round: Round
    let folder: URL
    let url: URL
    var random: SeededGenerator
    /// The kind of the round, for a message.
    private(set) var description: String
    /// Whether the versions have identifiers, so that only a process that asks for it migrates back.
    let isNamed: Bool
    let goesBack: Bool
    private let journalMode: String
    /// How many steps have succeeded, or thrown an error of a code.
    private(set) var counts: [String: Int] = [:]

    init(_ round: Round, _ folder: URL, _ url: URL, seed: UInt64) {
        self.round = round
        self.folder = folder
        self.url = url
        random = SeededGenerator(seed: seed)
        isNamed = random.chance(1, of: 3)
        goesBack = isNamed ? random.chance(1, of: 3) : true
        journalMode = random.chance(1, of: 4) ? "DELETE" : "WAL"
        description = "\(isNamed ? "named versions" : "versions"), \(journalMode)"
    }

    mutating func describe(_ form: String, _ processes: [VersionProcess]) {
        let versions = processes.map { "\($0.settings.version)" }.joined(separator: ", ")
        description = "\(form), \(description), processes of the versions \(versions)"
    }

    mutating func note(_ answer: VersionAnswer) {
        counts[answer.failure.map { "threw \($0.code)" } ?? "succeeded", default: 0] += 1
    }

    mutating func count(_ events: [String: Int]) { counts.merge(events) { $0 + $1 } }

    // MARK: Processes

    mutating func start(_ number: Int, version: Int, readsAll: Bool) throws -> VersionProcess {
        try VersionProcess(
            round, folder,
            VersionSettings(
                number: number, version: version, isNamed: isNamed, journalMode: journalMode, readsAll: readsAll))
    }

    /// Starts processes, of which one at least has each version.
    mutating func start(processes count: Int, readsAll: Bool) throws -> [VersionProcess] {
        let others = (2..<count).map { _ in Int.random(in: 1...2, using: &random) }
        var processes: [VersionProcess] = []
        for (number, version) in ([1, 2] + others).shuffled(using: &random).enumerated() {
            processes.append(try start(number, version: version, readsAll: readsAll))
        }
        return processes
    }

    // MARK: The end

    /// Opens the store with the newest version.
    ///
    /// - Returns: what it has.
    func finalContents() throws -> VersionContents {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: VersionedModel.make(2, isNamed: isNamed))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSPersistentHistoryTrackingKey: true, NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true, NSMigratePersistentStoresToFormerVersionOption: true,
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let contents = try context.performAndWait { () throws -> VersionContents in
            defer { context.reset() }
            return try VersionContents(context, version: 2)
        }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        return contents
    }

    /// Checks the closed store, its files and its folder.
    func checkFiles() throws {
        let defects = try SQLiteStoreCheck.defects(at: url.path, model: VersionedModel.make(2, isNamed: isNamed))
        try expect(defects.isEmpty, "the store has defects: \(defects)")
        let data = SQLiteExternalData(storePath: url.path)
        let support = (try? FileManager.default.contentsOfDirectory(atPath: data.supportFolder)) ?? []
        try expect(support.allSatisfy { $0 == "_EXTERNAL_DATA" }, "the journal of an ended process remains: \(support)")
        try MigratedStore.checkFolder(of: url)
    }
}
