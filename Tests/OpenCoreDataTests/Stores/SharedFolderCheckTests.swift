import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("The check of a store that shares the folder of external data")
struct SharedFolderCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func makeModel() -> NSManagedObjectModel {
        let image = NSAttributeDescription()
        image.name = "image"
        image.attributeType = .binaryDataAttributeType
        image.allowsExternalBinaryDataStorage = true
        let photo = NSEntityDescription()
        photo.name = "Photo"
        photo.properties = [image]
        let model = NSManagedObjectModel()
        model.entities = [photo]
        return model
    }

    private func save(_ name: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        try coordinator.addPersistentStore(type: .sqlite, at: folder.file(name))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context).setValue(
                Data(count: 200_000), forKey: "image")
            try context.save()
        }
    }

    private func unusedFiles(_ name: String) throws -> Int {
        try SQLiteStoreCheck.defects(at: folder.path(name), model: Self.makeModel())
            .filter { $0.kind == .unusedFile }.reduce(0) { $0 + $1.count }
    }

    @Test("doesn't report the files of the other store, and those of none")
    func files() throws {
        try save("Music.sqlite")
        try save("Music.db")
        try folder.write("text", to: "Music.txt")
        try expectEqual(unusedFiles("Music.sqlite"), 0)
        try expectEqual(unusedFiles("Music.db"), 0)
        try folder.write("x", to: ".Music_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)")
        try expectEqual(unusedFiles("Music.sqlite"), 1)
        // Without the other store its file belongs to none.
        try FileManager.default.removeItem(at: folder.file("Music.db"))
        try expectEqual(unusedFiles("Music.sqlite"), 2)
    }

    @Test("reports no files that a transaction is going to name")
    func pending() throws {
        try save("Music.sqlite")
        let name = UUID().uuidString
        try folder.write("x", to: ".Music_SUPPORT/_EXTERNAL_DATA/\(name)")
        let journal = try SQLiteExternalJournal.make(
            for: SQLiteExternalData(storePath: folder.path("Music.sqlite")), identifiers: ["A"])
        try journal.record([name])
        try expectEqual(unusedFiles("Music.sqlite"), 0)
        withExtendedLifetime(journal) {}
    }
}

@Suite("Journals of external data")
struct ExternalJournalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func external(_ name: String) -> SQLiteExternalData { SQLiteExternalData(storePath: folder.path(name)) }

    /// Leaves the journal of a process that has ended.
    private func leave(_ name: String, _ identifiers: [String]) throws {
        let journal = try SQLiteExternalJournal.make(for: external(name), identifiers: identifiers)
        try journal.record(["one", "two"])
        let support = URL(fileURLWithPath: external(name).supportFolder)
        let file = try requireValue(FileManager.default.contentsOfDirectory(atPath: support.path).first)
        try FileManager.default.copyItem(
            at: support.appendingPathComponent(file),
            to: support.appendingPathComponent("_PENDING_\(UUID().uuidString)"))
    }

    @Test("are those of the store with one of their UUIDs and their file name")
    func owner() throws {
        try folder.write("", to: "Music.sqlite")
        try folder.write("", to: "Music.db")
        try leave("Music.sqlite", ["A", "B"])
        func names(_ name: String, _ identifier: String) -> [[String]] {
            SQLiteExternalJournal.remainders(of: external(name), identifier: identifier).map(\.names)
        }
        expectEmpty(names("Music.db", "A"))
        expectEmpty(names("Music.sqlite", "C"))
        expectEqual(names("Music.sqlite", "B"), [["one", "two"]])
        // The journal went with its reader.
        expectEmpty(names("Music.sqlite", "A"))
    }

    @Test("go with a store that was renamed")
    func renamed() throws {
        try folder.write("", to: "Music.db")
        try leave("Music.sqlite", ["A"])
        expectEqual(SQLiteExternalJournal.remainders(of: external("Music.db"), identifier: "A").count, 1)
    }

    @Test("with hostile contents name nothing that is removed")
    func hostile() throws {
        try folder.write("kept", to: "kept")
        try folder.write("", to: "Music.sqlite")
        try folder.write("x", to: ".Music_SUPPORT/_EXTERNAL_DATA/x")
        for text in ["STORE", "STORE A", "STORE A Music.sqlite\n../../../kept\n", "\n\n", "STORE A,B Music.sqlite\nx"] {
            try folder.write(text, to: ".Music_SUPPORT/_PENDING_\(UUID().uuidString)")
        }
        for (_, names) in SQLiteExternalJournal.remainders(of: external("Music.sqlite"), identifier: "A") {
            for name in names { try external("Music.sqlite").remove(file: name) }
        }
        try expectContains(folder.contents, "kept")
        expectTrue(FileManager.default.fileExists(atPath: folder.path(".Music_SUPPORT/_EXTERNAL_DATA/x")))
    }
}
