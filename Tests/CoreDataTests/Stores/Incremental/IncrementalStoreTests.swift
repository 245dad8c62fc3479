import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@Suite("Stores that read a part of their objects at a time")
struct IncrementalStoreTests {
    @Test("objects, values, relationships and their order come back from the service")
    func roundTrip() throws {
        try withStack(.incremental) { stack in
            let author = stack.context.make("Author", "Ada", ["age": 36])
            for number in 1...3 {
                let book = stack.context.make("Book", "Book \(number)", ["author": author, "pages": number * 100])
                book.setValue(
                    NSOrderedSet(array: [stack.context.make("Chapter", "2"), stack.context.make("Chapter", "1")]),
                    forKey: "chapters")
            }
            try stack.context.save()
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

    private func withCalls(_ body: (CallStore, NSManagedObjectContext) throws -> Void) throws {
        NSPersistentStoreCoordinator.registerStoreClass(CallStore.self, forStoreType: CallStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try requireValue(
            try coordinator.addPersistentStore(
                ofType: CallStore.storeType, configurationName: nil, at: URL(string: "calls://\(UUID())"))
                as? CallStore)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(store, context) }
    }

    @Test("a fetch makes faults, and a fault that fires asks for its values once")
    func faults() throws {
        try withCalls { store, context in
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            expectEqual(store.calls, ["fetch objects Tag"])
            expectEqual(tags.map(\.isFault), [true, true])
            expectEqual(tags[0].text("name"), "a")
            expectEqual(tags[0].text("name"), "a")
            expectEqual(store.calls, ["fetch objects Tag", "values a"])
            #expect(store.contexts.allSatisfy { $0 === context })
        }
    }

    @Test("values that are older than those that another context has read meanwhile are read again")
    func overtakenRead() throws {
        try withCalls { store, context in
            let tag = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))[0]
            store.afterReading = {
                store.suffix = " newer"
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = context.persistentStoreCoordinator
                try other.performAndWait {
                    let name = try other.existingObject(with: tag.objectID).text("name")
                    expectEqual(name, "a newer")
                }
            }
            expectEqual(tag.text("name"), "a newer")
            tag.setValue("mine", forKey: "name")
            try context.save()
            expectEqual(store.calls.last, "save +[] *[mine] -0 =0")
        }
    }

    @Test("values that were read before another context's save don't replace the saved ones for others")
    func overtakenRows() throws {
        try withCalls { store, context in
            let coordinator = context.persistentStoreCoordinator
            func newContext() -> NSManagedObjectContext {
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = coordinator
                return other
            }
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            let saving = newContext()
            // The values of the first tag have been read when others are saved.
            store.afterReading = {
                store.afterReading = {
                    store.suffix = " newer"
                    try saving.performAndWait {
                        try saving.existingObject(with: tags[0].objectID).setValue("saved", forKey: "name")
                        try saving.save()
                    }
                }
            }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.returnsObjectsAsFaults = false
            _ = try context.fetch(request)
            #expect(store.afterReading == nil)
            let other = newContext()
            try on(other) { try #expect(other.existingObject(with: tags[0].objectID).text("name") != "a") }
            withExtendedLifetime((tags, saving)) {}
        }
    }

    @Test("each result type reaches the store")
    func resultTypes() throws {
        try withCalls { store, context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            expectEqual(count, 2)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
            ids.resultType = .managedObjectIDResultType
            try expectEqual(context.fetch(ids).map { store.referenceObject(for: $0) as? String }, ["a", "b"])
            let request = dictionaryRequest("Tag", ["name"])
            try expectEqual(context.texts(request), ["name=a", "name=b"])
            expectEqual(store.calls, ["fetch count Tag", "fetch IDs Tag", "fetch dictionaries Tag"])
        }
    }

    @Test("the request has the fetch's predicate, order and range")
    func request() throws {
        try withCalls { store, context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.predicate = NSPredicate(format: "name == %@", "a")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchLimit = 3
            request.fetchOffset = 1
            _ = try context.fetch(request)
            let received = try requireValue(store.lastFetch)
            expectEqual(received.predicate?.evaluate(with: ["name": "a"]), true)
            expectEqual(received.sortDescriptors?.map(\.ascending), [false])
            expectEqual(received.fetchLimit, 3)
            expectEqual(received.fetchOffset, 1)
            expectEqual(received.entity?.name, "Tag")
        }
    }

    @Test("a to-many relationship asks for its members once")
    func relationship() throws {
        try withCalls { store, context in
            let tag = try requireValue(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
            expectEqual((tag.value(forKey: "books") as? NSSet)?.count, 1)
            expectEqual((tag.value(forKey: "books") as? NSSet)?.count, 1)
            expectEqual(store.calls.filter { $0.hasPrefix("members") }, ["members books of a"])
        }
    }

    @Test("a save asks for IDs, then sends the objects of each kind")
    func save() throws {
        try withCalls { store, context in
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            tags[0].setValue("A", forKey: "name")
            context.delete(tags[1])
            let new = context.make("Tag", "new")
            store.calls = []
            try context.save()
            expectFalse(new.objectID.isTemporaryID)
            expectEqual(
                store.calls.filter { !$0.hasPrefix("members") && !$0.hasPrefix("values") },
                ["IDs for 1", "save +[new] *[A] -1 =0"])
        }
    }

    @Test("a locked object is sent, though nothing has changed")
    func lockedAlone() throws {
        try withCalls { store, context in
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            context.detectConflicts(for: try requireValue(tags.first))
            try context.save()
            expectEqual(store.calls.last, "save +[] *[] -0 =1")
        }
    }

    @Test("a locked object is sent, though it has not changed")
    func locked() throws {
        try withCalls { store, context in
            let tag = try requireValue(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
            context.detectConflicts(for: tag)
            store.calls = []
            _ = context.make("Tag", "new")
            try context.save()
            expectEqual(store.calls.last, "save +[new] *[] -0 =1")
        }
    }

    @Test("the error of a save is thrown, and the changes stay")
    func failure() throws {
        try withCalls { store, context in
            let tag = context.make("Tag", "new")
            store.failure = CocoaError(.fileWriteOutOfSpace)
            #expect(throws: CocoaError.self) { try context.save() }
            expectTrue(tag.isInserted)
            expectTrue(context.hasChanges)
            try context.save()
            expectFalse(context.hasChanges)
        }
    }

    @Test("set metadata is saved by a request without objects")
    func metadata() throws {
        try withCalls { store, context in
            store.metadata["note"] = "x"
            try context.save()
            expectEqual(store.calls, ["save +[] *[] -0 =0"])
        }
    }

    @Test("unsaved changes are laid over what the store finds")
    func overlay() throws {
        try withCalls { store, context in
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            context.delete(tags[0])
            _ = context.make("Tag", "new")
            try expectEqual(context.names("Tag"), ["b", "new"])
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")), 2)
        }
    }

    @Test("a refreshed object asks for its values again")
    func refresh() throws {
        try withCalls { store, context in
            let tag = try requireValue(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
            expectEqual(tag.text("name"), "a")
            store.suffix = "2"
            context.refresh(tag, mergeChanges: false)
            expectEqual(tag.text("name"), "a2")
        }
    }

    @Test("the store hears which objects contexts use")
    func registration() throws {
        try withCalls { store, context in
            let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
            expectEqual(Set(store.registered), ["a", "b"])
            expectEqual(tags.count, 2)
            context.reset()
            expectEmpty(store.registered)
        }
    }

    @Test("the store hears once that an object leaves a context because its row is gone")
    func unregistration() throws {
        try withCalls { store, context in
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            try on(other) {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                let (tags, others) = (try context.fetch(request), try other.fetch(request))
                expectEqual(store.registered.sorted(), ["a", "a", "b", "b"])
                let tag = try requireValue(tags.first { $0.text("name") == "a" })
                let conflict = NSMergeConflict(
                    source: tag, newVersion: 0, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
                try NSMergePolicy.rollback.resolve(mergeConflicts: [conflict])
                context.processPendingChanges()
                expectEqual(store.registered.sorted(), ["a", "b", "b"])
                expectEqual(others.count, 2)
            }
        }
    }

    @Test("the store hears of prefetched objects too")
    func prefetchedRegistration() throws {
        try withCalls { store, context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.relationshipKeyPathsForPrefetching = ["books"]
            let authors = try context.fetch(request)
            expectEqual(Set(store.registered), ["a", "b", "book of a"])
            expectEqual(authors.count, 2)
            context.reset()
            expectEmpty(store.registered)
        }
    }

    @Test("a batch request reaches the store as it is")
    func batch() throws {
        try withCalls { store, context in
            let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Tag"))
            request.resultType = .resultTypeCount
            let result = try requireValue(try context.execute(request) as? NSBatchDeleteResult)
            expectEqual((result.result as? NSNumber)?.intValue, 2)
            expectEqual(store.calls, ["NSBatchDeleteRequest"])
        }
    }

    @Test("an asynchronous fetch calls the store on the context's queue")
    func asynchronousFetch() async throws {
        NSPersistentStoreCoordinator.registerStoreClass(CallStore.self, forStoreType: CallStore.storeType)
        let stack = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        _ = try stack.addPersistentStore(
            ofType: CallStore.storeType, configurationName: nil, at: URL(string: "calls://\(UUID())"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack
        let count: Int = await withCheckedContinuation { continuation in
            context.perform {
                let request = NSAsynchronousFetchRequest(
                    fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Tag")
                ) { continuation.resume(returning: $0.finalResult?.count ?? -1) }
                _ = try? context.execute(request)
            }
        }
        expectEqual(count, 2)
    }

    @Test("a child context reads the store, and saves through its parent")
    func childContext() throws {
        try withCalls { store, context in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let names = try child.names("Tag")
                expectEqual(names, ["a", "b"])
                _ = child.make("Tag", "c")
                try child.save()
            }
            try context.save()
            expectEqual(store.calls.last, "save +[c] *[] -0 =0")
        }
    }

    @Test("metadata without a UUID is refused")
    func incompleteMetadata() throws {
        NSPersistentStoreCoordinator.registerStoreClass(NamelessStore.self, forStoreType: "Nameless")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let url = URL(string: "nameless://here")
        #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(ofType: "Nameless", configurationName: nil, at: url)
        }
        expectEmpty(coordinator.persistentStores)
    }

    @Test("a context whose object another context has saved gets a merge conflict")
    func conflict() throws {
        try withStack(.incremental) { stack in
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            let other = stack.newContext()
            try on(other) {
                try other.one("Tag", "a").setValue("b", forKey: "name")
                try other.save()
            }
            tag.setValue("c", forKey: "name")
            #expect(throws: CocoaError.self) { try stack.context.save() }
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stack.context.save()
            try inFreshContext(stack) { context in
                let names = try context.names("Tag")
                expectEqual(names, ["c"])
            }
        }
    }

    @Test("the merge policy resolves a conflict that the store finds in its service")
    func serviceConflict() throws {
        try withStack(.incremental) { stack in
            let tag = stack.context.make("Tag", "a")
            try stack.context.save()
            try inFreshContext(stack) { other in
                try other.one("Tag", "a").setValue("b", forKey: "name")
                try other.save()
            }
            tag.setValue("c", forKey: "name")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expectEqual(error?.code, NSManagedObjectMergeError)
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stack.context.save()
            try inFreshContext(stack) { context in
                let names = try context.names("Tag")
                expectEqual(names, ["c"])
            }
        }
    }

    @Test("a node has values by property, and can be updated")
    func node() throws {
        try withCalls { store, context in
            let tag = try requireValue(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Tag"])
            let id = store.newObjectID(for: tag, referenceObject: 7)
            expectEqual((store.referenceObject(for: id) as? NSNumber)?.intValue, 7)
            let node = NSIncrementalStoreNode(objectID: id, withValues: ["name": "x"], version: 3)
            let name = try requireValue(tag.attributesByName["name"])
            expectEqual(node.objectID, id)
            expectEqual(node.version, 3)
            #expect(node.value(for: name) as? String == "x")
            node.update(withValues: [:], version: 4)
            expectEqual(node.version, 4)
            #expect(node.value(for: name) == nil)
        }
    }
}
