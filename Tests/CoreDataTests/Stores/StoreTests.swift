import CoreData
import Testing

@Suite("Stores of a coordinator")
struct StoreTests {
    @Test("metadata is written by a save, also without other changes")
    func metadataWithoutChanges() throws {
        let stack = try TestStack(.sqlite)
        try on(stack.context) {
            stack.context.make("Tag", "a")
            try stack.context.save()
            for text in ["first", "second"] {
                var metadata = stack.coordinator.metadata(for: stack.store)
                metadata["note"] = text
                stack.coordinator.setMetadata(metadata, for: stack.store)
                try stack.context.save()
                let written = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: stack.url, options: nil)
                #expect(written["note"] as? String == text)
            }
        }
    }

    @Test("entities and properties may have names that SQL must quote", arguments: StoreKind.allCases)
    func quotedNames(_ kind: StoreKind) throws {
        let odd = entity("A <b> \"c\" ]", [attribute("first name; --", .stringAttributeType)])
        try withStack(kind, model: model([odd])) { stack in
            let object = NSManagedObject(entity: odd, insertInto: stack.context)
            object.setValue("Anna", forKey: "first name; --")
            try stack.context.save()
            object.setValue("Bea", forKey: "first name; --")
            try stack.context.save()
            try inFreshContext(stack) { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "A <b> \"c\" ]")
                let found = try context.fetch(request)
                expectEqual(found.map { $0.value(forKey: "first name; --") as? String }, ["Bea"])
                found.forEach(context.delete)
                try context.save()
                try expectEqual(context.count(for: request), 0)
            }
        }
    }

    @Test("a store knows its coordinator, URL, type, configuration and identifier", arguments: StoreKind.allCases)
    func properties(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        #expect(stack.store.persistentStoreCoordinator === stack.coordinator)
        expectEqual(stack.coordinator.persistentStores, [stack.store])
        expectEqual(stack.store.type, kind.type)
        expectFalse(stack.store.isReadOnly)
        #expect(UUID(uuidString: stack.store.identifier ?? "") != nil)
        #expect(stack.coordinator.persistentStore(for: stack.url) === stack.store)
        expectEqual(stack.coordinator.url(for: stack.store), stack.url)
        expectEqual(stack.coordinator.persistentStore(for: URL(fileURLWithPath: "/nowhere/x")), nil)
    }

    @Test(
        "metadata has the store's type, UUID and the model's hashes; own entries are kept with the next save",
        arguments: StoreKind.allCases)
    func metadata(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            var metadata = stack.coordinator.metadata(for: stack.store)
            #expect(metadata[NSStoreTypeKey] as? String == kind.type)
            #expect(metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
            expectEqual(hashes, stack.model.entityVersionHashesByName)
            expectTrue(stack.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            metadata["own"] = "value"
            stack.coordinator.setMetadata(metadata, for: stack.store)
            #expect(stack.coordinator.metadata(for: stack.store)["own"] as? String == "value")
            stack.context.make("Book", "A")
            try stack.context.save()
            if kind == .sqlite {
                let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: stack.url, options: nil)
                #expect(read["own"] as? String == "value")
                #expect(read[NSStoreUUIDKey] as? String == stack.store.identifier)
                try inFreshContext(stack) { context in
                    let store = try requireValue(context.persistentStoreCoordinator?.persistentStores.first)
                    #expect(store.metadata["own"] as? String == "value")
                    expectEqual(store.identifier, stack.store.identifier)
                }
            }
        }
    }

    @Test("metadata of a closed store can be written and read")
    func closedMetadata() throws {
        let folder = try TemporaryFolder()
        do { _ = try TestStack(.sqlite, folder: folder) }
        let url = folder.file("store.sqlite")
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        metadata["own"] = NSNumber(value: 7)
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url, options: nil)
        let stack = try TestStack(.sqlite, folder: folder)
        expectEqual((stack.store.metadata["own"] as? NSNumber)?.intValue, 7)
    }

    @Test("a removed store answers no more, and can be added again")
    func removing() throws {
        try withStack(.sqlite) { stack in
            let book = stack.context.make("Book", "A")
            try stack.context.save()
            try stack.coordinator.remove(stack.store)
            expectEmpty(stack.coordinator.persistentStores)
            expectEqual(stack.store.persistentStoreCoordinator, nil)
            #expect(thrownError { try stack.coordinator.remove(stack.store) } != nil)
            book.setValue("B", forKey: "name")
            #expect(thrownError { try stack.context.save() } != nil)
            stack.context.reset()
            try expectEmpty(stack.context.all("Book"))
            _ = try stack.coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url, options: nil)
            try expectEqual(stack.context.names("Book"), ["A"])
        }
    }

    @Test("a new object without any store is an error of the save")
    func withoutStore() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            try expectEmpty(context.all("Book"))
            context.make("Book", "A")
            expectEqual(thrownError { try context.save() }?.domain, NSCocoaErrorDomain)
        }
    }

    @Test("a context without coordinator throws")
    func withoutCoordinator() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        try on(context) { expectEqual(thrownError { _ = try context.all("Book") }?.code, 134060) }
    }

    // MARK: Configurations

    private func withConfigurations(
        _ kind: StoreKind, _ body: (NSManagedObjectContext, NSPersistentStore, NSPersistentStore) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        let (model, coordinator) = try configured()
        let one = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: "One", at: kind.url("one.sqlite", in: folder), options: nil)
        let two = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: "Two", at: kind.url("two.sqlite", in: folder), options: nil)
        _ = model
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) { try body(context, one, two) }
    }

    private func configured() throws -> (NSManagedObjectModel, NSPersistentStoreCoordinator) {
        let user = entity("User", [attribute("name", .stringAttributeType)])
        let song = entity("Song", [attribute("name", .stringAttributeType)])
        let both = entity("Both", [attribute("name", .stringAttributeType)])
        let model = model([user, song, both])
        model.setEntities([user, both], forConfigurationName: "One")
        model.setEntities([song, both], forConfigurationName: "Two")
        return (model, NSPersistentStoreCoordinator(managedObjectModel: model))
    }

    @Test("each configuration's objects go into its own store, and fetches reach all", arguments: StoreKind.allCases)
    func configurations(_ kind: StoreKind) throws {
        try withConfigurations(kind) { context, one, two in
            let user = context.make("User", "u")
            let song = context.make("Song", "s")
            let first = context.make("Both", "b1")
            let second = context.make("Both", "b2")
            context.assign(second, to: two)
            try context.save()
            #expect(user.objectID.persistentStore === one)
            #expect(song.objectID.persistentStore === two)
            #expect(first.objectID.persistentStore === one)
            #expect(second.objectID.persistentStore === two)
            #expect(first.objectID != second.objectID)
            context.reset()
            try expectEqual(context.names("User"), ["u"])
            try expectEqual(context.names("Song"), ["s"])
            try expectEqual(context.names("Both"), ["b1", "b2"])
            let sorted = try context.all("Both", sort: [NSSortDescriptor(key: "name", ascending: false)], limit: 1)
            expectEqual(sorted.map { $0.text("name") }, ["b2"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Both")
            try expectEqual(context.count(for: request), 2)
            request.affectedStores = [two]
            let found = try context.fetch(request)
            expectEqual(found.map { $0.text("name") }, ["b2"])
            for object in try context.all("Both") { object.setValue("changed", forKey: "name") }
            try context.save()
            try expectEqual(context.names("Both", "name == 'changed'").count, 2)
        }
    }

    // MARK: Read-only stores

    @Test("a read-only store is read, and refuses saves without losing the changes")
    func readOnly() throws {
        try withStack(.sqlite) { stack in
            stack.context.make("Book", "A")
            try stack.context.save()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
                options: [NSReadOnlyPersistentStoreOption: true])
            expectTrue(store.isReadOnly)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try on(context) {
                let book = try context.one("Book", "A")
                book.setValue("B", forKey: "name")
                let error = try requireValue(thrownError { try context.save() })
                expectEqual(error.domain, NSCocoaErrorDomain)
                expectEqual(error.code, CocoaError.fileWriteNoPermission.rawValue)
                expectTrue(book.isUpdated)
                expectEqual(book.text("name"), "B")
                context.rollback()
                context.make("Book", "C")
                expectEqual(thrownError { try context.save() }?.code, CocoaError.fileWriteNoPermission.rawValue)
                context.rollback()
                context.delete(book)
                #expect(thrownError { try context.save() } != nil)
            }
            try inFreshContext(stack) { try expectEqual($0.names("Book"), ["A"]) }
        }
    }

    // MARK: Several connections

    @Test("a store locked by another connection is waited for, and the timeout is error 134090 with the file's name")
    func busy() throws {
        let folder = try TemporaryFolder()
        let model = LibraryModel.make()
        do { _ = try TestStack(.sqlite, model: model, folder: folder) }
        var holder: TestStack? = try TestStack(
            .sqlite, model: model, folder: folder,
            options: [NSSQLitePragmasOption: ["journal_mode": "DELETE", "locking_mode": "EXCLUSIVE"]])
        try on(holder!.context) {
            holder!.context.make("Book", "A")
            try holder!.context.save()
        }
        let error = try requireValue(
            thrownError {
                _ = try TestStack(
                    .sqlite, model: model, folder: folder, options: [NSPersistentStoreTimeoutOption: 0.05])
            })
        expectEqual(error.domain, NSCocoaErrorDomain, "\(error)")
        expectEqual(error.code, 134090, "\(error)")
        #expect(error.userInfo[NSFilePathErrorKey] as? String == folder.file("store.sqlite").path)
        holder = nil
        let stack = try TestStack(.sqlite, model: model, folder: folder)
        try on(stack.context) { try expectEqual(stack.context.names("Book"), ["A"]) }
    }

    @Test("many coordinators write into one file at once and nothing is lost")
    func manyWriters() async throws {
        let folder = try TemporaryFolder()
        let model = LibraryModel.make()
        let stacks = try (0..<4).map { _ in try TestStack(.sqlite, model: model, folder: folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, stack) in stacks.enumerated() {
                let context = stack.context
                group.addTask {
                    for round in 0..<15 {
                        try await context.perform {
                            context.make("Book", "\(number).\(round)")
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try on(stacks[0].context) {
            let books = try stacks[0].context.all("Book")
            expectEqual(Set(books.map { $0.text("name")! }).count, 60)
            expectEqual(Set(books.map(\.objectID)).count, 60)
        }
    }

    @Test("external data is kept in files and read back")
    func externalData() throws {
        let item = entity("Item")
        let data = attribute("data", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        item.properties = [attribute("name", .stringAttributeType), data]
        try withStack(.sqlite, model: model([item])) { stack in
            let large = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let small = Data([1, 2, 3])
            let one = stack.context.make("Item", "large", ["data": large])
            stack.context.make("Item", "small", ["data": small])
            try stack.context.save()
            try inFreshContext(stack) { context in
                try #expect(context.one("Item", "large").value(forKey: "data") as? Data == large)
                try #expect(context.one("Item", "small").value(forKey: "data") as? Data == small)
            }
            one.setValue(small, forKey: "data")
            try stack.context.save()
            try inFreshContext(stack) { try #expect($0.one("Item", "large").value(forKey: "data") as? Data == small) }
        }
    }

    @Test("derived attributes have their values after the save")
    func derived() throws {
        let list = entity("List")
        let item = entity("Item")
        let items = toMany("items", item)
        let owner = toOne("list", list)
        pair(items, owner)
        let count = NSDerivedAttributeDescription()
        count.name = "count"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "items.@count")
        list.properties = [attribute("name", .stringAttributeType), count, items]
        item.properties = [attribute("name", .stringAttributeType), owner]
        try withStack(.sqlite, model: model([list, item])) { stack in
            let list = stack.context.make("List", "l")
            for index in 0..<3 { stack.context.make("Item", "\(index)", ["list": list]) }
            try stack.context.save()
            expectEqual(list.number("count"), 3)
            stack.context.make("Item", "4", ["list": list])
            try stack.context.save()
            expectEqual(list.number("count"), 4)
            list.setValue("renamed", forKey: "name")
            try stack.context.save()
            try inFreshContext(stack) { try expectEqual($0.one("List", "renamed").number("count"), 4) }
        }
    }
}
