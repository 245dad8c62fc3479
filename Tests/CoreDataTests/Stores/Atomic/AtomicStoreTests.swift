import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@Suite("Stores of the program's own")
struct AtomicStoreTests {
    private func fill(_ context: NSManagedObjectContext) throws {
        let author = context.make("Author", "Ada", ["age": 36])
        for number in 1...3 {
            let book = context.make("Book", "Book \(number)", ["author": author, "pages": number * 100])
            book.setValue(
                NSOrderedSet(array: [context.make("Chapter", "2"), context.make("Chapter", "1")]), forKey: "chapters")
        }
        try context.save()
    }

    @Test("objects, values, relationships and their order come back from the file")
    func roundTrip() throws {
        try withStack(.custom) { stack in
            try fill(stack.context)
            try inFreshContext(stack) { context in
                let author = try context.one("Author", "Ada")
                expectEqual(author.number("age"), 36)
                expectEqual(author.names("books"), ["Book 1", "Book 2", "Book 3"])
                try expectEqual(context.one("Book", "Book 2").names("chapters"), ["2", "1"])
                try expectEqual(context.names("Person"), ["Ada"])
                try expectEqual(context.names("Book", "author.name == 'Ada' AND pages > 100"), ["Book 2", "Book 3"])
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Chapter")), 6)
            }
        }
    }

    @Test("IDs contain the reference object, and URIs lead back to the object")
    func references() throws {
        try withStack(.custom) { stack in
            try fill(stack.context)
            let author = try stack.context.one("Author", "Ada")
            let store = try requireValue(stack.store as? NSAtomicStore)
            let reference = try requireValue(store.referenceObject(for: author.objectID) as? String)
            expectTrue(reference.hasPrefix("Author/"))
            expectEqual(store.objectID(for: author.entity, withReferenceObject: reference), author.objectID)
            let uri = author.objectID.uriRepresentation()
            expectEqual(uri.scheme, "x-coredata")
            expectEqual(uri.host, store.identifier)
            try inFreshContext(stack) { context in
                let id = try requireValue(
                    context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
                expectEqual(id, author.objectID)
                try expectEqual(context.existingObject(with: id).text("name"), "Ada")
            }
        }
    }

    @Test("a save calls the store in this order")
    func callOrder() throws {
        try withStack(.custom) { stack in
            let store = try requireValue(stack.store as? DictionaryStore)
            expectEqual(store.calls, ["loadMetadata", "load"])
            store.calls = []
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            expectEqual(store.calls, ["newReferenceObject", "newCacheNode", "updateCacheNode", "save"])
            store.calls = []
            tag.setValue("b", forKey: "name")
            try stack.context.save()
            expectEqual(store.calls, ["updateCacheNode", "save"])
            #expect(store.cacheNode(for: tag.objectID)?.value(forKey: "name") as? String == "b")
            store.calls = []
            stack.context.delete(tag)
            try stack.context.save()
            expectEqual(store.calls, ["willRemoveCacheNodes", "save"])
            expectEmpty(store.cacheNodes())
        }
    }

    @Test("nodes that refer to each other are released when their objects are deleted, and with the store")
    func releasedNodes() throws {
        weak var node: NSAtomicStoreCacheNode?
        weak var deleted: NSAtomicStoreCacheNode?
        try withStack(.custom) { stack in
            try fill(stack.context)
            let store = try requireValue(stack.store as? NSAtomicStore)
            let author = try stack.context.one("Author", "Ada")
            let book = try stack.context.one("Book", "Book 1")
            node = store.cacheNode(for: author.objectID)
            deleted = store.cacheNode(for: book.objectID)
            #expect(node != nil && deleted != nil)
            stack.context.delete(book)
            try stack.context.save()
            #expect(node != nil)
            #expect(deleted == nil)
        }
        #expect(node == nil)
    }

    @Test("an error of the store's save leaves nodes, rows and unsaved changes as they were")
    func failedSave() throws {
        try withStack(.custom) { stack in
            let store = try requireValue(stack.store as? DictionaryStore)
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            tag.setValue("b", forKey: "name")
            let other = stack.context.make("Tag", "c")
            store.failure = CocoaError(.fileWriteOutOfSpace)
            #expect(throws: CocoaError.self) { try stack.context.save() }
            #expect(store.cacheNode(for: tag.objectID)?.value(forKey: "name") as? String == "a")
            expectEqual(store.cacheNodes().count, 1)
            expectTrue(tag.hasChanges)
            expectTrue(other.isInserted)
            try stack.context.save()
            try inFreshContext(stack) { context in try expectEqual(context.names("Tag"), ["b", "c"]) }
        }
    }

    @Test("two contexts that change one object are in conflict")
    func conflict() throws {
        try withStack(.custom) { stack in
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            let second = stack.newContext()
            try on(second) {
                try second.one("Tag", "a").setValue("b", forKey: "name")
                try second.save()
            }
            tag.setValue("c", forKey: "name")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stack.context.save()
            expectEqual(tag.text("name"), "c")
        }
    }

    @Test("a registered class makes stores until it is removed")
    func registration() throws {
        let type = "Store of \(UUID().uuidString)"
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        NSPersistentStoreCoordinator.registerStoreClass(DictionaryStore.self, forStoreType: type)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.file("a"), options: nil)
        #expect(store is DictionaryStore)
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: type)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file("b"), options: nil)
        }
        expectEqual(error?.code, NSPersistentStoreInvalidTypeError)
    }

    @Test("metadata of a closed store comes from the store's class")
    func closedMetadata() throws {
        try withStack(.custom) { stack in
            try fill(stack.context)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: stack.kind.type, at: stack.url, options: nil)
            #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
            expectTrue(stack.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        }
    }
}
