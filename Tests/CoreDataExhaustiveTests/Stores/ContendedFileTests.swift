import CoreData
import Testing

/// Files that are written as a whole, by several coordinators at the same time. A save that was successful is in the
/// file, whatever the others do.
@Suite("Contended files")
struct ContendedFileTests {
    private let folder: TemporaryFolder
    private static let kinds = [StoreKind.xml, .binary]

    init() throws { folder = try TemporaryFolder() }

    private static func open(_ kind: StoreKind, _ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: model([entity("Note", [attribute("name", .stringAttributeType)])]))
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Saves notes one by one, in a store that is opened again after each save that is refused.
    ///
    /// - Returns: the names of the notes that were saved.
    private static func save(_ names: [String], _ kind: StoreKind, _ url: URL) throws -> [String] {
        var context: NSManagedObjectContext?
        return try names.filter { name in
            let current = try context ?? open(kind, url)
            context = current
            do {
                try on(current) {
                    current.make("Note", name)
                    try current.save()
                }
                return true
            } catch let error as NSError where error.code == NSPersistentStoreSaveError {
                context = nil
                return false
            }
        }
    }

    private func expectNotes(_ names: [String], _ kind: StoreKind, _ url: URL) throws {
        let context = try Self.open(kind, url)
        try on(context) {
            let stored = Set(try context.names("Note"))
            expectEqual(names.filter { !stored.contains($0) }, [])
        }
    }

    @Test("have what was saved while several coordinators made them", arguments: kinds)
    func making(_ kind: StoreKind) async throws {
        for round in 0..<40 {
            let url = folder.file("\(round).store")
            let saved = try await withThrowingTaskGroup(of: [String].self) { group in
                for writer in 0..<4 {
                    group.addTask { try Self.save((0..<3).map { "\(writer).\($0)" }, kind, url) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(!saved.isEmpty)
            try expectNotes(saved, kind, url)
        }
    }

    @Test("have what was saved while others opened them again and wrote metadata", arguments: kinds)
    func saving(_ kind: StoreKind) async throws {
        let url = folder.file("notes.store")
        _ = try Self.open(kind, url)
        let saved = try await withThrowingTaskGroup(of: [String].self) { group in
            for writer in 0..<3 {
                group.addTask { try Self.save((0..<100).map { "\(writer).\($0)" }, kind, url) }
            }
            group.addTask {
                for number in 0..<100 {
                    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                        ofType: kind.type, at: url)
                    metadata["number"] = number
                    try NSPersistentStoreCoordinator.setMetadata(
                        metadata, forPersistentStoreOfType: kind.type, at: url)
                }
                return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try expectNotes(saved, kind, url)
    }
}
