import CoreData
import Testing

@Suite("What an ended process has left beside a store that is written as a whole")
struct UnfinishedFileTests {
    private static func open(_ url: URL, _ type: String, options: [String: Any]? = nil) throws {
        let model = model([entity("Note", [attribute("text", .stringAttributeType)])])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        try coordinator.remove(store)
    }

    private static func makeRemainder(_ folder: TemporaryFolder, _ type: String) throws -> URL {
        let url = folder.file("store.data")
        try open(url, type)
        try Data("half".utf8).write(to: folder.file("store.data.\(UUID().uuidString).new"))
        return url
    }

    @Test("the next opening removes it", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func removed(_ type: String) throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeRemainder(folder, type)
        try Self.open(url, type)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["store.data"])
    }

    @Test("files with other names stay", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func others(_ type: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("store.data")
        try Self.open(url, type)
        let names = ["store.data.backup.new", "store.data.new", "other.data.\(UUID().uuidString).new"]
        for name in names { try Data("mine".utf8).write(to: folder.file(name)) }
        try Self.open(url, type)
        try expectEqual(
            Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)), Set(names + ["store.data"]))
    }

    @Test("a store that is opened for reading leaves it", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func readOnly(_ type: String) throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeRemainder(folder, type)
        try Self.open(url, type, options: [NSReadOnlyPersistentStoreOption: true])
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path).count, 2)
    }
}
