import CoreData
import Testing

@Suite("Saving into several stores that hold the same entities")
struct SeveralStoresSavingTests {
    /// A coordinator with two stores of the library.
    private final class Libraries {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext
        let stores: [NSPersistentStore]

        init(_ kind: StoreKind, secondIsReadOnly: Bool = false) throws {
            let folder = try TemporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            stores = try ["One", "Two"].map { name in
                let url = kind.url("\(name).store", in: folder)
                let isReadOnly = secondIsReadOnly && name == "Two"
                if isReadOnly { try Self.makeMary(kind, url) }
                return try coordinator.addPersistentStore(
                    ofType: kind.type, configurationName: nil, at: url,
                    options: isReadOnly ? [NSReadOnlyPersistentStoreOption: NSNumber(value: true)] : nil)
            }
            (self.folder, self.coordinator) = (folder, coordinator)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        /// Makes a store with an author.
        private static func makeMary(_ kind: StoreKind, _ url: URL) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            let store = try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                context.make("Author", "Mary")
                try context.save()
            }
            try coordinator.remove(store)
        }
    }

    @Test("a new object can refer to a saved one in the second store", arguments: StoreKind.allCases)
    func savedDestination(_ kind: StoreKind) throws {
        let stack = try Libraries(kind)
        try on(stack.context) {
            let author = stack.context.make("Author", "Mary")
            stack.context.assign(author, to: stack.stores[1])
            try stack.context.save()
            let book = stack.context.make("Book", "Emma")
            stack.context.assign(book, to: stack.stores[1])
            book.setValue(author, forKey: "author")
            try stack.context.save()
            #expect(book.objectID.persistentStore === stack.stores[1])
            #expect(book.object("author") === author)
        }
    }

    @Test("two new objects in two stores can't be related", arguments: StoreKind.allCases.without(.earlyIDs))
    func newDestination(_ kind: StoreKind) throws {
        let stack = try Libraries(kind)
        try on(stack.context) {
            let author = stack.context.make("Author", "Mary")
            let book = stack.context.make("Book", "Emma")
            stack.context.assign(book, to: stack.stores[1])
            book.setValue(author, forKey: "author")
            expectEqual(thrownError { try stack.context.save() }?.code, 133010)
            stack.context.assign(author, to: stack.stores[1])
            try stack.context.save()
            #expect(author.objectID.persistentStore === stack.stores[1])
        }
    }

    @Test("changed metadata of one store are saved with the objects of another", arguments: [StoreKind.sqlite, .xml])
    func metadata(_ kind: StoreKind) throws {
        let stack = try Libraries(kind)
        try on(stack.context) {
            var metadata = stack.coordinator.metadata(for: stack.stores[1])
            metadata["release"] = "new"
            stack.coordinator.setMetadata(metadata, for: stack.stores[1])
            stack.context.make("Tag", "in the first store")
            try stack.context.save()
        }
        let saved = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: kind.type, at: stack.folder.file("Two.store"), options: nil)
        #expect(saved["release"] as? String == "new")
    }

    @Test(
        "an object of a read-only store that is checked for conflicts lets a save of another store pass",
        arguments: [StoreKind.sqlite, .xml])
    func checkedObjectOfReadOnlyStore(_ kind: StoreKind) throws {
        let stack = try Libraries(kind, secondIsReadOnly: true)
        try on(stack.context) {
            let mary = try stack.context.one("Author", "Mary")
            expectEqual(mary.text("name"), "Mary")
            stack.context.detectConflicts(for: mary)
            let tag = stack.context.make("Tag", "new")
            try stack.context.save()
            #expect(tag.objectID.persistentStore === stack.stores[0])
        }
    }

    @Test("objects of both stores that are saved in turns go to their stores", arguments: StoreKind.allCases)
    func alternating(_ kind: StoreKind) throws {
        let stack = try Libraries(kind)
        try on(stack.context) {
            let tags = (0..<6).map { stack.context.make("Tag", "\($0)") }
            for (index, tag) in tags.enumerated() where index % 2 == 1 {
                stack.context.assign(tag, to: stack.stores[1])
            }
            try stack.context.save()
            for (index, tag) in tags.enumerated() {
                #expect(tag.objectID.persistentStore === stack.stores[index % 2])
                tag.setValue("new \(index)", forKey: "name")
            }
            try stack.context.save()
            stack.context.delete(tags[0])
            stack.context.delete(tags[1])
            try stack.context.save()
            for (index, store) in stack.stores.enumerated() {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.affectedStores = [store]
                let names = try stack.context.fetch(request).map { $0.text("name") ?? "" }.sorted()
                expectEqual(names, ["new \(index + 2)", "new \(index + 4)"])
            }
        }
    }

    @Test(
        "a save that the second store refuses leaves the UUID of the first one as it was", arguments: [StoreKind.sqlite]
    )
    func refusedIdentifier(_ kind: StoreKind) throws {
        let stack = try Libraries(kind)
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = stack.coordinator
        try on(stack.context) {
            let first = stack.context.make("Tag", "first")
            let second = stack.context.make("Tag", "second")
            stack.context.assign(second, to: stack.stores[1])
            try stack.context.save()
            try on(other) {
                try other.one("Tag", "second").setValue("theirs", forKey: "name")
                try other.save()
            }
            let identifier = try requireValue(stack.stores[0].identifier)
            var metadata = stack.coordinator.metadata(for: stack.stores[0])
            metadata[NSStoreUUIDKey] = UUID().uuidString
            stack.coordinator.setMetadata(metadata, for: stack.stores[0])
            first.setValue("mine", forKey: "name")
            second.setValue("mine", forKey: "name")
            expectEqual(thrownError { try stack.context.save() }?.code, 133020)
            // The store can be read, and has its former UUID in the file.
            stack.context.rollback()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.affectedStores = [stack.stores[0]]
            try expectEqual(stack.context.fetch(request).map { $0.text("name") }, ["first"])
            let saved = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: kind.type, at: stack.folder.file("One.store"), options: nil)
            #expect(saved[NSStoreUUIDKey] as? String == identifier)
        }
    }
}
