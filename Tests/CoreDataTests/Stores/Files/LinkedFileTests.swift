import CoreData
import Testing

@Suite("Links, devices and folders in place of files of a store")
struct LinkedFileTests {
    private let stores: PhotoStores

    init() throws { stores = try PhotoStores() }

    private var folder: TemporaryFolder { stores.folder }

    // MARK: The store itself

    @Test("a store that is opened by a symbolic link has its external data beside its real file")
    func symbolicLink() throws {
        try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: true)
        try stores.save([1], in: "real/Music.sqlite")
        try FileManager.default.createSymbolicLink(
            at: folder.file("Songs.sqlite"), withDestinationURL: folder.file("real/Music.sqlite"))
        try expectEqual(stores.images(of: "Songs.sqlite"), [1])
        try stores.save([2], in: "Songs.sqlite")
        try expectEqual(stores.images(of: "real/Music.sqlite"), [1, 2])
        try expectEqual(folder.contents, ["Songs.sqlite", "real"])
    }

    @Test("a relative symbolic link to a missing file makes the store there")
    func danglingLink() throws {
        try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Songs.sqlite"), withDestinationPath: "real/Music.sqlite")
        try stores.save([1], in: "Songs.sqlite")
        try expectEqual(stores.images(of: "real/Music.sqlite"), [1])
        try expectEqual(folder.contents, ["Songs.sqlite", "real"])
    }

    @Test("a store is destroyed and replaced through a symbolic link")
    func changedThroughLink() throws {
        try FileManager.default.createDirectory(at: folder.file("real"), withIntermediateDirectories: true)
        try stores.save([1], in: "real/Music.sqlite")
        try stores.save([2], in: "Other.sqlite")
        let link = folder.file("Songs.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file("real/Music.sqlite"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel())
        try coordinator.replacePersistentStore(
            at: link, withPersistentStoreFrom: folder.file("Other.sqlite"), type: .sqlite)
        try expectEqual(stores.images(of: "real/Music.sqlite"), [2])
        expectEqual(stores.files("Other").count, 1)
        try coordinator.destroyPersistentStore(at: link, type: .sqlite)
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: folder.path("real")).sorted(),
            [
                "Music.sqlite", "Music.sqlite-shm", "Music.sqlite-wal",
            ])
        expectTrue(try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("real/Music.sqlite"))
    }

    @Test("a loop of symbolic links is an error")
    func loop() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("a.sqlite"), withDestinationPath: "b.sqlite")
        try FileManager.default.createSymbolicLink(atPath: folder.path("b.sqlite"), withDestinationPath: "a.sqlite")
        expectEqual(thrownError { _ = try stores.open("a.sqlite") }?.domain, NSCocoaErrorDomain)
    }

    @Test("the names of a hard-linked store are one store to a coordinator, and to copies")
    func hardLink() throws {
        try stores.save([1], in: "Music.sqlite")
        try FileManager.default.linkItem(at: folder.file("Music.sqlite"), to: folder.file("Songs.sqlite"))
        let context = try stores.open("Music.sqlite")
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        let link = folder.file("Songs.sqlite")
        expectEqual(thrownError { try coordinator.addPersistentStore(type: .sqlite, at: link) }?.code, 134080)
        expectEqual(
            thrownError { try coordinator.migratePersistentStore(store, to: link, type: .sqlite) }?.code, 134080)
        let other = NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel())
        expectEqual(
            thrownError {
                try other.replacePersistentStore(
                    at: link, withPersistentStoreFrom: folder.file("Music.sqlite"), type: .sqlite)
            }?.code, 134070)
        try on(context) {
            context.make("Photo", "2", ["image": PhotoStores.image(2)])
            try context.save()
        }
        try expectEqual(PhotoStores.images(context), [1, 2])
    }

    @Test("a store isn't opened by a second name while the process has it open by another one")
    func hardLinkElsewhere() throws {
        try stores.save([1], in: "Music.sqlite")
        try FileManager.default.linkItem(at: folder.file("Music.sqlite"), to: folder.file("Songs.sqlite"))
        let context = try stores.open("Music.sqlite")
        expectEqual(thrownError { _ = try stores.open("Songs.sqlite") }?.code, 134080)
        try expectEqual(PhotoStores.images(context), [1])
    }

    // MARK: Beside the store

    enum Node: String, CaseIterable, Sendable {
        case link, danglingLink, pipe, folder

        /// Makes the node. A link leads to a file that could be a value.
        func make(at url: URL, in folder: TemporaryFolder) throws {
            try? FileManager.default.removeItem(at: url)
            try folder.write(PhotoStores.image(99), to: "secret")
            switch self {
            case .link:
                try FileManager.default.createSymbolicLink(at: url, withDestinationURL: folder.file("secret"))
            case .danglingLink: try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "no")
            case .pipe: guard mkfifo(url.path, 0o600) == 0 else { throw TestFailure("no pipe") }
            case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
        }
    }

    @Test(
        "in place of a log it is an error or ignored, and the store is readable when it is gone",
        .timeLimit(.minutes(TestRun.hangMinutes)), arguments: ["-wal", "-shm", "-journal"], Node.allCases)
    func besideStore(_ suffix: String, _ node: Node) throws {
        try stores.save([1], in: "Music.sqlite")
        let url = folder.file("Music.sqlite" + suffix)
        try node.make(at: url, in: folder)
        do {
            let context = try stores.open("Music.sqlite")
            try on(context) {
                context.make("Photo", "2", ["image": PhotoStores.image(2)])
                try context.save()
            }
        } catch {
            expectEqual((error as NSError).domain, NSCocoaErrorDomain, "\(error)")
        }
        try? FileManager.default.removeItem(at: url)
        let images = try stores.images(of: "Music.sqlite")
        #expect(images == [1] || images == [1, 2])
    }

    // MARK: External data

    @Test(
        "in place of a value's file it isn't read: the value is nil, and other values can be read and saved",
        .timeLimit(.minutes(TestRun.hangMinutes)), arguments: Node.allCases)
    func externalFile(_ node: Node) throws {
        try stores.save([1], in: "Music.sqlite")
        let file = folder.file(".Music_SUPPORT/_EXTERNAL_DATA").appendingPathComponent(
            try requireValue(stores.files("Music").first))
        try node.make(at: file, in: folder)
        if node == .folder { try Data([1]).write(to: file.appendingPathComponent("kept")) }
        try expectEqual(stores.images(of: "Music.sqlite"), [nil])
        let context = try stores.open("Music.sqlite")
        try on(context) {
            let photo = try context.one("Photo", "1")
            photo.setValue("renamed", forKey: "name")
            try context.save()
            photo.setValue(PhotoStores.image(3), forKey: "image")
            try context.save()
        }
        try expectEqual(stores.images(of: "Music.sqlite"), [3])
        try expectEqual(Data(contentsOf: folder.file("secret")), PhotoStores.image(99))
        if node == .folder {
            expectTrue(FileManager.default.fileExists(atPath: file.appendingPathComponent("kept").path))
        }
    }

    @Test(
        "in place of a value's file it isn't copied",
        .timeLimit(.minutes(TestRun.hangMinutes)), arguments: Node.allCases)
    func copiedExternalFile(_ node: Node) throws {
        try stores.save([1, 2], in: "Music.sqlite")
        let name = try requireValue(stores.files("Music").first)
        try node.make(at: folder.file(".Music_SUPPORT/_EXTERNAL_DATA/\(name)"), in: folder)
        try NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel()).replacePersistentStore(
            at: folder.file("Copy.sqlite"), withPersistentStoreFrom: folder.file("Music.sqlite"), type: .sqlite)
        expectEqual(stores.files("Copy").count, 1)
        #expect(!stores.files("Copy").contains(name))
        try expectEqual(stores.images(of: "Copy.sqlite").compactMap { $0 }.count, 1)
    }

    @Test(
        "in place of a copy's file it is replaced by the copy",
        .timeLimit(.minutes(TestRun.hangMinutes)), arguments: [Node.link, .danglingLink, .pipe])
    func destinationFile(_ node: Node) throws {
        try stores.save([1], in: "Music.sqlite")
        let name = try requireValue(stores.files("Music").first)
        try folder.write("", to: ".Copy_SUPPORT/_EXTERNAL_DATA/x")
        try node.make(at: folder.file(".Copy_SUPPORT/_EXTERNAL_DATA/\(name)"), in: folder)
        try NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel()).replacePersistentStore(
            at: folder.file("Copy.sqlite"), withPersistentStoreFrom: folder.file("Music.sqlite"), type: .sqlite)
        try expectEqual(stores.images(of: "Copy.sqlite"), [1])
    }

    @Test("the folder of the files isn't followed elsewhere: nothing is read, written or removed there")
    func externalFolder() throws {
        try stores.save([1], in: "Music.sqlite")
        let real = folder.file(".Music_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.moveItem(at: real, to: folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(at: real, withDestinationURL: folder.file("elsewhere"))
        try expectEqual(stores.images(of: "Music.sqlite"), [nil])
        let context = try stores.open("Music.sqlite")
        try on(context) {
            let photo = context.make("Photo", "2", ["image": PhotoStores.image(2)])
            expectEqual(thrownError { try context.save() }?.domain, NSCocoaErrorDomain)
            context.delete(photo)
            context.delete(try context.one("Photo", "1"))
            try context.save()
        }
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere")).count, 1)
    }

    @Test(
        "in place of a store of any type it is an error that names the file",
        .timeLimit(.minutes(TestRun.hangMinutes)), arguments: [StoreKind.sqlite, .binary, .xml],
        [Node.pipe, .folder])
    func wholeStore(_ kind: StoreKind, _ node: Node) throws {
        let url = folder.file("store")
        try node.make(at: url, in: folder)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PhotoStores.makeModel())
        let adding = thrownError {
            try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        }
        expectEqual(adding?.code, 256)
        let reading = thrownError {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.type, at: url)
        }
        expectEqual(reading?.domain, NSCocoaErrorDomain)
        expectEqual(thrownError { try coordinator.destroyPersistentStore(at: url, ofType: kind.type) }?.code, 256)
    }
}
