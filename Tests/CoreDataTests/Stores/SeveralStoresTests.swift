import CoreData
import Testing

@Suite("Several stores in one coordinator")
struct SeveralStoresTests {
    /// A coordinator with two stores, each of which holds one of two entities.
    private final class TwoStores {
        let folder: TemporaryFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext
        let stores: [NSPersistentStore]

        init(_ kind: StoreKind) throws {
            let one = entity(
                "One", [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)])
            let two = entity(
                "Two", [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)])
            let model = model([one, two])
            model.setEntities([one], forConfigurationName: "Ones")
            model.setEntities([two], forConfigurationName: "Twos")
            let folder = try TemporaryFolder()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            stores = try ["Ones", "Twos"].map { (name: String) in
                try coordinator.addPersistentStore(
                    ofType: kind.type, configurationName: name, at: kind.url("\(name).sqlite", in: folder))
            }
            (self.folder, self.coordinator) = (folder, coordinator)
            context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        func newContext() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
    }

    @Test(
        "a file with all entities of the model can be opened for those of a configuration",
        arguments: [StoreKind.sqlite, .xml, .binary])
    func fileOfWholeModel(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let stack = try TwoStores(kind)
        let model = stack.coordinator.managedObjectModel
        let url = folder.file("all")
        let whole = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try whole.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = whole
        try on(context) {
            context.make("One", "a")
            context.make("Two", "b")
            try context.save()
        }
        try whole.remove(store)
        let part = NSPersistentStoreCoordinator(managedObjectModel: model)
        try part.addPersistentStore(
            ofType: kind.type, configurationName: "Twos", at: url,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = part
        try on(reader) { try expectEqual(reader.names("Two"), ["b"]) }
    }

    @Test("each object goes into the store that holds its entity", arguments: StoreKind.allCases)
    func places(_ kind: StoreKind) throws {
        let stack = try TwoStores(kind)
        try on(stack.context) {
            let one = stack.context.make("One", "a")
            let two = stack.context.make("Two", "b")
            try stack.context.save()
            #expect(one.objectID.persistentStore === stack.stores[0])
            #expect(two.objectID.persistentStore === stack.stores[1])
        }
    }

    @Test("a conflict in one store leaves the other one as it was", arguments: StoreKind.allCases, ["One", "Two"])
    func allOrNothing(_ kind: StoreKind, conflicting: String) throws {
        let stack = try TwoStores(kind)
        let other = stack.newContext()
        try on(stack.context) {
            stack.context.make("One", "a")
            stack.context.make("Two", "a")
            try stack.context.save()
        }
        try on(stack.context) {
            let first = try stack.context.one("One", "a")
            let second = try stack.context.one("Two", "a")
            _ = (first.text("name"), second.text("name"))
            try on(other) {
                try other.one(conflicting, "a").setValue(7, forKey: "number")
                try other.save()
            }
            first.setValue(1, forKey: "number")
            second.setValue(1, forKey: "number")
            stack.context.make("One", "new")
            stack.context.make("Two", "new")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, 133020)
            expectEqual(stack.context.insertedObjects.count, 2)
            expectEqual(stack.context.updatedObjects.count, 2)
            try on(other) {
                other.reset()
                for entity in ["One", "Two"] {
                    let found = try other.all(entity)
                    expectEqual(found.map { $0.text("name") }, ["a"])
                    expectEqual(found[0].number("number"), (entity == conflicting ? 7 : nil))
                }
            }
            // After a refresh the same save goes through, once.
            stack.context.refreshAllObjects()
            try stack.context.save()
            try on(other) {
                other.reset()
                try expectEqual(other.all("One").count, 2)
                try expectEqual(other.all("Two").count, 2)
            }
        }
    }

    @Test("a store that refuses an object leaves the IDs of all others temporary", arguments: StoreKind.allCases)
    func permanentIDs(_ kind: StoreKind) throws {
        let stack = try TwoStores(kind)
        try on(stack.context) {
            let one = stack.context.make("One", "a")
            let two = stack.context.make("Two", "b")
            try stack.coordinator.remove(stack.stores[1])
            #expect(thrownError { try stack.context.obtainPermanentIDs(for: [one, two]) } != nil)
            expectTrue(one.objectID.isTemporaryID)
            expectTrue(two.objectID.isTemporaryID)
        }
    }

    @Test("the same file can't be added twice")
    func twice() throws {
        let stack = try TwoStores(.sqlite)
        let error = try requireValue(
            thrownError {
                _ = try stack.coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: "Ones", at: stack.folder.file("Ones.sqlite"))
            })
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, 134080)
        expectEqual(stack.coordinator.persistentStores.count, 2)
    }

    // MARK: Stores with the same entities

    /// A coordinator with two stores that both hold all entities.
    private final class TwoLibraries {
        let folder: TemporaryFolder
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TwoLibraries.makeModel())
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let stores: [NSPersistentStore]

        /// - Parameter secondIsReadOnly: whether the second store, with the author Mary, is read-only.
        init(_ kind: StoreKind, secondIsReadOnly: Bool = false) throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            if secondIsReadOnly {
                let other = NSPersistentStoreCoordinator(managedObjectModel: TwoLibraries.makeModel())
                try other.addPersistentStore(
                    ofType: kind.type, configurationName: nil, at: kind.url("Two.store", in: folder))
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = other
                try on(context) {
                    context.make("Author", "Mary")
                    try context.save()
                }
                try other.remove(other.persistentStores[0])
            }
            let coordinator = coordinator
            stores = try ["One", "Two"].map { name in
                let isReadOnly = secondIsReadOnly && name == "Two"
                return try coordinator.addPersistentStore(
                    ofType: kind.type, configurationName: nil, at: kind.url("\(name).store", in: folder),
                    options: isReadOnly ? [NSReadOnlyPersistentStoreOption: NSNumber(value: true)] : nil)
            }
            context.persistentStoreCoordinator = coordinator
        }

        /// The library, with a fetched property of authors: the books that have their name.
        static func makeModel() -> NSManagedObjectModel {
            let model = LibraryModel.make()
            let property = NSFetchedPropertyDescription()
            property.name = "namesakes"
            let request = NSFetchRequest<NSFetchRequestResult>()
            request.entity = model.entitiesByName["Book"]
            request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name")
            property.fetchRequest = request
            model.entitiesByName["Author"]?.properties.append(property)
            return model
        }
    }

    @Test(
        "a new object goes into the store that it is assigned to, otherwise into the first",
        arguments: StoreKind.allCases)
    func assign(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let first = stack.context.make("Tag", "first")
            let second = stack.context.make("Tag", "second")
            stack.context.assign(second, to: stack.stores[1])
            try stack.context.save()
            #expect(first.objectID.persistentStore === stack.stores[0])
            #expect(second.objectID.persistentStore === stack.stores[1])
        }
    }

    @Test("a relationship into another store is an error that names both", arguments: StoreKind.allCases)
    func externalRelationship(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "Emma")
            stack.context.assign(book, to: stack.stores[1])
            try stack.context.save()
            book.setValue(author, forKey: "author")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, 133010)
            if kind != .memory {
                for url in stack.coordinator.persistentStores.compactMap(\.url) {
                    let name = url.isFileURL ? url.lastPathComponent : url.absoluteString
                    expectContains(error.localizedDescription, name, "\(error)")
                }
            }
            stack.context.rollback()
            expectEqual(book.object("author"), nil)
            expectEmpty(author.objects("books"))
        }
    }

    @Test("a relationship into a read-only store is the same error", arguments: [StoreKind.sqlite, .xml])
    func readOnlyRelationship(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind, secondIsReadOnly: true)
        try on(stack.context) {
            let book = stack.context.make("Book", "Emma")
            book.setValue(try stack.context.one("Author", "Mary"), forKey: "author")
            expectEqual(thrownError { try stack.context.save() }?.code, 133010)
            // The author is as before then, and its store needn't be written.
            book.setValue(nil, forKey: "author")
            try stack.context.save()
            #expect(book.objectID.persistentStore === stack.stores[0])
        }
    }

    @Test("a fetched property finds objects of all stores", arguments: StoreKind.allCases)
    func fetchedProperty(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let author = stack.context.make("Author", "Emma")
            for store in stack.stores { stack.context.assign(stack.context.make("Book", "Emma"), to: store) }
            try stack.context.save()
            let books = try requireValue(author.value(forKey: "namesakes") as? [NSManagedObject])
            expectEqual(Set(books.compactMap { $0.objectID.persistentStore }), Set(stack.stores))
        }
    }

    @Test(
        "objects of a read-only store can be read beside those of a writable one, but not changed",
        arguments: [StoreKind.sqlite, .xml])
    func readOnly(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind, secondIsReadOnly: true)
        try on(stack.context) {
            let jane = stack.context.make("Author", "Jane")
            try stack.context.save()
            #expect(jane.objectID.persistentStore === stack.stores[0])
            try expectEqual(stack.context.names("Author"), ["Jane", "Mary"])
            let mary = try stack.context.one("Author", "Mary")
            jane.setValue(41, forKey: "age")
            mary.setValue(53, forKey: "age")
            let error = try requireValue(thrownError { try stack.context.save() })
            expectEqual(error.code, CocoaError.Code.fileWriteNoPermission.rawValue)
            #expect(error.userInfo[NSFilePathErrorKey] as? String == stack.folder.file("Two.store").path)
            expectEqual((error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]), [mary])
            stack.context.refresh(mary, mergeChanges: false)
            try stack.context.save()
            expectEqual(jane.number("age"), 41)
            let new = stack.context.make("Author", "Charlotte")
            stack.context.assign(new, to: stack.stores[1])
            expectEqual(thrownError { try stack.context.save() }?.code, CocoaError.Code.fileWriteNoPermission.rawValue)
        }
    }

    @Test(
        "the objects of a removed store are not found any more, and their changes can't be saved",
        arguments: StoreKind.allCases)
    func removed(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let kept = stack.context.make("Tag", "kept")
            let lost = stack.context.make("Tag", "lost")
            stack.context.assign(lost, to: stack.stores[1])
            try stack.context.save()
            try stack.coordinator.remove(stack.stores[1])
            expectEqual(lost.objectID.persistentStore, nil)
            try expectEqual(stack.context.names("Tag"), ["kept"])
            lost.setValue("changed", forKey: "name")
            expectEqual(thrownError { try stack.context.save() }?.code, 134030)
            stack.context.reset()
            let again = try stack.context.existingObject(with: kept.objectID)
            again.setValue("changed", forKey: "name")
            try stack.context.save()
        }
    }

    @Test(
        "an object whose deletion is undone after a save goes into its own store, and a new one into the first",
        arguments: StoreKind.allCases, [true, false])
    func undoneDeletion(_ kind: StoreKind, _ newIsFirst: Bool) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let context = stack.context
            let deleted = context.make("Tag", "deleted")
            context.assign(deleted, to: stack.stores[1])
            try context.save()
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            context.delete(deleted)
            context.processPendingChanges()
            manager.endUndoGrouping()
            try context.save()
            func makeNew() {
                manager.disableUndoRegistration()
                context.make("Tag", "new")
                context.processPendingChanges()
                manager.enableUndoRegistration()
            }
            if newIsFirst { makeNew() }
            context.undo()
            if !newIsFirst { makeNew() }
            context.undoManager = nil
            try context.save()
            for (store, name) in zip(stack.stores, ["new", "deleted"]) {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
                request.affectedStores = [store]
                try expectEqual(context.fetch(request).map { $0.text("name") }, [name])
            }
        }
    }

    @Test("a reference to a deleted object of another store is an error, too", arguments: StoreKind.allCases)
    func deletedExternalDestination(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let book = stack.context.make("Book", "Emma")
            stack.context.assign(book, to: stack.stores[1])
            let reader = stack.context.make("Reader", "Fanny")
            try stack.context.save()
            // Without inverse, so that no deletion rule ends the reference.
            reader.setValue(book, forKey: "favourite")
            stack.context.delete(book)
            expectEqual(thrownError { try stack.context.save() }?.code, NSManagedObjectExternalRelationshipError)
        }
    }

    @Test(
        "a reference to a new object of another store that was deleted leads to nothing that is saved",
        arguments: StoreKind.allCases)
    func deletedNewDestination(_ kind: StoreKind) throws {
        let stack = try TwoLibraries(kind)
        try on(stack.context) {
            let reader = stack.context.make("Reader", "Fanny")
            let book = stack.context.make("Book", "Emma")
            stack.context.assign(book, to: stack.stores[1])
            reader.setValue(book, forKey: "favourite")
            stack.context.delete(book)
            expectEqual(thrownError { try stack.context.save() }?.code, NSManagedObjectReferentialIntegrityError)
        }
    }
}
