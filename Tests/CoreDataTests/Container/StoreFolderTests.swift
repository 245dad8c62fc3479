import CoreData
import Testing

/// An app that keeps its store in a separate folder has no such folder at its first start.
@Suite("The folder of a container's store")
struct StoreFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func load(_ path: String, type: String = NSSQLiteStoreType, isReadOnly: Bool = false) -> NSError? {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription(url: folder.file(path))
        description.type = type
        description.isReadOnly = isReadOnly
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        return failure as NSError?
    }

    @Test(
        "is created with those above it if it is missing",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func missing(_ type: String) throws {
        expectEqual(load("app/data/Library.store", type: type), nil)
        try expectEqual(folder.contents, ["app"])
    }

    @Test("isn't created for a store that is read-only")
    func readOnly() throws {
        #expect(load("app/Library.sqlite", isReadOnly: true) != nil)
        try expectEqual(folder.contents, [])
    }

    @Test("that can't be created is an error with its path")
    func file() throws {
        try Data().write(to: folder.file("app"))
        let error = load("app/data/Library.sqlite")
        expectEqual(error?.domain, NSCocoaErrorDomain)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.path("app/data"))
        expectEqual(error?.localizedDescription.contains(folder.path("app/data")), true)
        try expectEqual(folder.contents, ["app"])
    }

    @Test("isn't created by a coordinator")
    func coordinator() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let error = thrownError {
            try coordinator.addPersistentStore(type: .sqlite, at: folder.file("app/Library.sqlite"))
        }
        expectEqual(error?.domain, NSCocoaErrorDomain)
        try expectEqual(folder.contents, [])
    }
}
