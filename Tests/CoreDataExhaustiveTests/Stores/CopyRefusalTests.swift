import CoreData
import Testing

@Suite("Destinations that a store isn't copied to")
struct CopyRefusalTests {
    private static let kinds: [StoreKind] = [.sqlite, .binary, .xml]

    /// Copies the store of a stack to a name in its folder, which must fail and change nothing.
    private func expectRefusal(
        _ code: Int, _ stack: TestStack, to name: String, _ kind: StoreKind, options: [AnyHashable: Any]? = nil
    ) throws {
        try on(stack.context) {
            stack.context.make("Tag", "one")
            try stack.context.save()
        }
        let before = try stack.folder.contents
        let error = try requireValue(
            thrownError {
                try stack.coordinator.migratePersistentStore(
                    stack.store, to: stack.folder.file(name), options: options, withType: kind.type)
            })
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, code, "\(error)")
        expectEqual((error.userInfo[NSFilePathErrorKey] as? String)?.hasSuffix(name), true, "\(error)")
        try expectEqual(stack.folder.contents, before)
        expectEqual(stack.coordinator.persistentStores, [stack.store])
        try on(stack.context) { try expectContains(stack.context.names("Tag"), "one") }
    }

    @Test("a file that is no store keeps its contents", arguments: kinds)
    func noStore(_ kind: StoreKind) throws {
        let stack = try TestStack(.sqlite)
        let file = try stack.folder.write("This is no store.", to: "letter.txt")
        try expectRefusal(259, stack, to: "letter.txt", kind)
        try expectEqual(Data(contentsOf: file), Data("This is no store.".utf8))
    }

    @Test("a store of another kind keeps its objects", arguments: kinds)
    func otherKind(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        for other in Self.kinds where other != kind {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try coordinator.remove(
                try coordinator.addPersistentStore(
                    ofType: other.type, configurationName: nil, at: folder.file("\(other).store")))
            let before = try Data(contentsOf: folder.file("\(other).store"))
            try expectRefusal(259, try TestStack(.memory, folder: folder), to: "\(other).store", kind)
            try expectEqual(Data(contentsOf: folder.file("\(other).store")), before)
        }
    }

    @Test("a store that has the unique values of an object keeps its objects, and gets no other", arguments: kinds)
    func uniqueValues(_ kind: StoreKind) throws {
        func makeModel() -> NSManagedObjectModel {
            let tag = entity("Tag", [attribute("name", .stringAttributeType)])
            tag.uniquenessConstraints = [["name"]]
            return model([tag])
        }
        let existing = try TestStack(kind, model: makeModel())
        try on(existing.context) {
            existing.context.make("Tag", "9000")
            try existing.context.save()
        }
        try existing.coordinator.remove(existing.store)
        let stack = try TestStack(.memory, model: makeModel())
        try on(stack.context) {
            for number in 0..<10_000 { stack.context.make("Tag", "\(number)") }
            try stack.context.save()
        }
        let error = thrownError {
            try stack.coordinator.migratePersistentStore(
                stack.store, to: existing.url, options: nil, withType: kind.type)
        }
        expectEqual(error?.domain, NSCocoaErrorDomain)
        expectEqual(error?.code, NSManagedObjectConstraintMergeError)
        #expect(error?.userInfo["entity"] as? String == "Tag")
        #expect(error?.userInfo["attribute"] as? String == "name")
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == existing.url.path)
        expectEqual(stack.coordinator.persistentStores, [stack.store])
        let fresh = try existing.afresh()
        try on(fresh) { try expectEqual(fresh.names("Tag"), ["9000"]) }
    }

    @Test("a folder, and a file in a missing folder", arguments: kinds)
    func folders(_ kind: StoreKind) throws {
        let stack = try TestStack(.memory)
        try FileManager.default.createDirectory(at: stack.folder.file("folder"), withIntermediateDirectories: false)
        try expectRefusal(256, stack, to: "folder", kind)
        try expectRefusal(4, stack, to: "missing/copy.store", kind)
    }

    @Test("a copy into memory that fails leaves the file at the URL, which a store in memory doesn't use")
    func memoryAtFile() throws {
        let stack = try TestStack(.sqlite)
        let letter = try stack.folder.write("A letter.", to: "letter.txt")
        try SQLiteFile(creating: stack.url).run("DROP TABLE ZTAG")
        #expect(
            thrownError {
                try stack.coordinator.migratePersistentStore(stack.store, to: letter, withType: NSInMemoryStoreType)
            } != nil)
        try expectEqual(Data(contentsOf: letter), Data("A letter.".utf8))
    }

    @Test("the store itself, also by a symbolic link", arguments: kinds)
    func itself(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        try expectRefusal(134080, stack, to: stack.url.lastPathComponent, kind)
        try FileManager.default.createSymbolicLink(
            at: stack.folder.file("link.store"), withDestinationURL: stack.url)
        try expectRefusal(134080, stack, to: "link.store", kind)
    }

    @Test("a missing file whose options say that it is read-only", arguments: [StoreKind.binary, .xml])
    func readOnly(_ kind: StoreKind) throws {
        try expectRefusal(
            260, try TestStack(.sqlite), to: "copy.store", kind,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    }
}
