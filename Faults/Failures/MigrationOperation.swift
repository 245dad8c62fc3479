import OpenCoreData
import SwiftData

/// The migration of a store in place, lightweight or by a mapping model.
struct MigrationOperation: FailureOperation {
    let name: String
    let migrated: MigratedStore
    var opensAtEnd: Bool { true }

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }

    func make(_ folder: URL) throws { try migrated.make(store(folder)) }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        try window.during { try migrated.migrate(store(folder), from: 1) }
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let store = store(folder)
        _ = try migrated.check(store, allowsRemainders: allowsRemainders)
        if !allowsRemainders { try MigratedStore.checkFolder(of: store) }
        return try migrated.version(of: store) == 2
    }
}

/// The migration of a store by a plan of custom stages.
struct PlanOperation: FailureOperation {
    let name = "plan"
    var opensAtEnd: Bool { true }

    private func store(_ folder: URL) -> URL { folder.appendingPathComponent("store.data") }

    func make(_ folder: URL) throws { try PlannedStore.make(store(folder)) }

    func run(_ folder: URL, _ window: FaultWindow) throws {
        _ = try window.during { try PlannedStore.container(store(folder), TicketsV3.self, plan: true) }
    }

    func check(_ folder: URL, allowsRemainders: Bool) throws -> Bool {
        let isNew = try PlannedStore.check(store(folder))
        let own = ["", "-wal", "-shm"].map { "store.data" + $0 } + [".store_SUPPORT"]
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !own.contains($0) }
        try expect(left.isEmpty || allowsRemainders, "files remain: \(left)")
        let connection = try SQLiteConnection(path: store(folder).path, mode: .readWrite)
        let integrity = try connection.pragma("integrity_check")
        try expect(integrity == "ok", "integrity_check says: \(integrity ?? "nothing")")
        return isNew
    }
}
