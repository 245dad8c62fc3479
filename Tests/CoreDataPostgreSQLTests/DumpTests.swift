import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The tools of the server for backups.
private enum DumpTools {
    /// Their folder; nil if they aren't installed.
    static let folder: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let newest = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        return (newest + path.split(separator: ":").map(String.init)).first { folder in
            ["pg_dump", "pg_restore"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        }
    }()
}

/// Backups by the tools of the server.
@Suite("pg_dump and pg_restore", .enabled(if: TestServer.isPresent && DumpTools.folder != nil))
struct DumpTests {
    private func run(_ tool: String, _ arguments: String...) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(try requireValue(DumpTools.folder))/\(tool)")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw TestFailure("\(tool) failed with \(status).") }
    }

    @Test("take a store into another database, with its history and identity")
    func restore() async throws {
        let database = try TestDatabase()
        let other = "d_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "").prefix(12)
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let model = LibraryModel.make()
        let coordinator = try database.coordinator(at: database.url(), options: options, model: model)
        try database.fill(coordinator)
        let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        let file = database.folder.path("dump")
        let server = try TestServer.toolURL()
        try await run(
            "pg_dump", "--dbname", server, "--schema", database.schema("store"), "--format", "custom", "--file", file)
        try database.execute("CREATE DATABASE \(other)")
        let url = database.url("store", "dbname=\(other)")
        try await run("pg_restore", "--dbname", "\(server)&dbname=\(other)", "--exit-on-error", file)
        do {
            let restored = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try restored.addPersistentStore(
                ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: options)
            defer { try? restored.remove(store) }
            expectEqual(store.identifier, coordinator.persistentStores.first?.identifier)
            try expectEqual(database.contents(restored), TestDatabase.expected)
            try database.use(restored) { context in
                func changes(after token: NSPersistentHistoryToken?) throws -> [[String]] {
                    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                    let result = try context.execute(request) as? NSPersistentHistoryResult
                    let transactions = try requireValue(result?.result as? [NSPersistentHistoryTransaction])
                    return transactions.map { ($0.changes ?? []).map { $0.changedObjectID.entity.name ?? "" }.sorted() }
                }
                try expectEqual(changes(after: nil).count, 2)
                // Tokens of the database that was dumped are valid here.
                expectEmpty(try changes(after: token))
                let author = try context.one("Author", "Ada")
                author.setValue("prose", forKey: "genre")
                context.make("Shelf", "new")
                try context.save()
                try expectEqual(changes(after: token), [["Author", "Shelf"]])
            }
            try expectEmpty(PostgreSQLStoreCheck.defects(at: url, model: model))
        }
        try database.execute("DROP DATABASE \(other) WITH (FORCE)")
        // The store itself is as before.
        try expectEqual(database.contents(coordinator), TestDatabase.expected)
    }
}
