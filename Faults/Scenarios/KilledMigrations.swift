import OpenCoreData

/// Kills processes while they migrate a store, there and back.
struct KilledMigrations: Scenario {
    let name: String
    let migrated: MigratedStore

    private static let file = "store.data"

    init(name: String, storeType: String, hasMapping: Bool) {
        self.name = name
        migrated = MigratedStore(storeType: storeType, hasMapping: hasMapping)
    }

    func work(_ child: Child) throws {
        let url = child.file(Self.file)
        if !FileManager.default.fileExists(atPath: url.path) { try migrated.make(url) }
        child.report("ready")
        while true {
            guard let version = try migrated.version(of: url) else {
                throw FaultError("the store has neither version")
            }
            let context = try migrated.open(url, version: version)
            _ = try migrated.count(context)
            try migrated.close(context)
            try migrated.migrate(url, from: version)
        }
    }

    func run(_ round: Round) throws {
        try round.killRepeatedly(Self.file, factor: 2) { store in
            let steps = try migrated.check(store)
            // Another migration succeeds, and removes what the ended process has left.
            guard let version = try migrated.version(of: store) else {
                throw FaultError("the store has neither version")
            }
            try migrated.migrate(store, from: version)
            try expect(try migrated.check(store) == steps, "a save is lost")
            try MigratedStore.checkFolder(of: store)
            return steps
        }
    }
}
