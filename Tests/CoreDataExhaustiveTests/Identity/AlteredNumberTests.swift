import CoreData
import Testing

/// Files in which another program, or a defect, has changed a number: an entity, a key, a version, a position.
@Suite("Stores with an altered number")
struct AlteredNumberTests {
    /// The values that take the place of a number, as SQL.
    static let values = [
        "NULL", "0", "-1", "1", "2", "3", "4", "5", "77", "4294967297", "9223372036854775807", "-9223372036854775808",
        "1.5", "'text'", "x'00ff'",
    ]
    static let tables = [
        "ZPET", "ZOWNER", "Z_2JUDGES", "Z_4FRIENDLY", "ACHANGE", "ATRANSACTION", "Z_PRIMARYKEY",
    ]

    private static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    @Test("A store with an altered number is read and written, or refused with an error", arguments: tables.sampled(2))
    func altered(table: String) throws {
        let folder = try TemporaryFolder()
        let original = folder.file("original.sqlite")
        try make(original)
        let found = try SQLiteFile(original).tables()
        try requireValue(found.contains(table), "\(found)")
        let columns = try SQLiteFile(original).rows("PRAGMA table_info(\(table))").compactMap { row in
            row["type"]?.text?.hasPrefix("VARCHAR") == false && row["type"]?.text != "BLOB" ? row["name"]?.text : nil
        }
        var random = SeededGenerator(seed: TestRun.seed(for: "altered \(table)"))
        var changes = columns.flatMap { column in Self.values.map { (column, $0) } }
        if !TestRun.isLong { changes = Array(changes.shuffled(using: &random).prefix(25)) }
        for (column, value) in changes {
            let url = folder.file("altered.sqlite")
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            try FileManager.default.copyItem(at: original, to: url)
            let isAltered =
                (try? SQLiteFile(creating: url).run(
                    "UPDATE \(table) SET \(column) = \(value) WHERE rowid = (SELECT MAX(rowid) FROM \(table))"))
                != nil
            guard isAltered else { continue }
            for use in Self.uses { try use.body(url) }
        }
    }

    private func make(_ url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PetModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: Self.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) {
            try PetModel.fill(context)
            try context.one("Dog", "Rex").setValue("sits", forKey: "trick")
            try context.save()
            context.delete(try context.one("Pet", "Pat"))
            try context.save()
        }
        try coordinator.remove(store)
    }

    struct Use {
        let name: String
        let body: (URL) throws -> Void
    }

    /// Each use opens the store anew. An error ends a use; only a stop of the program fails the test.
    static var uses: [Use] {
        [
            use("read") { context, _ in try readAll(context) },
            use("read by reference first") { context, _ in
                for owner in try context.all("Owner") { walk(owner, depth: 4) }
                try readAll(context)
            },
            use("read in a child") { context, _ in
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                for owner in try context.all("Owner") { walk(owner, depth: 2) }
                try child.performAndWait { try readAll(child) }
            },
            use("prefetch") { context, _ in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Owner")
                request.relationshipKeyPathsForPrefetching = [
                    "favourite", "pets.friends", "ranked.friendly", "seen", "remembered.owner",
                ]
                for owner in try context.fetch(request) { walk(owner, depth: 3) }
            },
            use("write") { context, _ in
                let pets = try context.all("Pet")
                for pet in pets { pet.setValue("renamed", forKey: "name") }
                for owner in try context.all("Owner") {
                    let ranked = owner.mutableOrderedSetValue(forKey: "ranked")
                    if ranked.count > 1 { ranked.moveObjects(at: IndexSet(integer: 0), to: 1) }
                    owner.setValue(Set(pets), forKey: "pets")
                    owner.setValue(pets.last, forKey: "favourite")
                }
                context.make("Puppy", "new", ["age": 2])
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try context.save()
                try readAll(context)
            },
            use("delete") { context, _ in
                for pet in try context.all("Pet") { context.delete(pet) }
                context.mergePolicy = NSMergePolicy.overwrite
                try context.save()
                for owner in try context.all("Owner") { context.delete(owner) }
                try context.save()
            },
            use("batch requests") { context, _ in
                let update = NSBatchUpdateRequest(entityName: "Pet")
                update.propertiesToUpdate = ["name": "changed"]
                update.resultType = .updatedObjectIDsResultType
                _ = try context.execute(update)
                let insertion = NSBatchInsertRequest(entityName: "Dog", objects: [["name": "x", "trick": "y"]])
                _ = try context.execute(insertion)
                let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Dog"))
                deletion.resultType = .resultTypeObjectIDs
                let result = try context.execute(deletion) as? NSBatchDeleteResult
                let ids = result?.result as? [NSManagedObjectID] ?? []
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
                try readAll(context)
            },
            use("history") { context, _ in
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                let result = try context.execute(request) as? NSPersistentHistoryResult
                for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                    context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
                    for change in transaction.changes ?? [] {
                        _ = (change.updatedProperties, change.tombstone, change.changeType)
                        if let object = try? context.existingObject(with: change.changedObjectID) {
                            walk(object, depth: 2)
                        }
                        walk(context.object(with: change.changedObjectID), depth: 2)
                    }
                }
                try readAll(context)
                try context.save()
                _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            },
            use("dictionaries") { context, _ in
                let request = NSFetchRequest<NSDictionary>(entityName: "Pet")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["name", "owner", "owner.name"]
                for row in try context.fetch(request) {
                    if let id = row["owner"] as? NSManagedObjectID { walk(context.object(with: id), depth: 1) }
                }
                _ = try context.all("Owner", "ANY pets.name == 'Rex' OR favourite.name == 'Tom' OR seen.@count > 1")
            },
            use("two contexts") { context, coordinator in
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = coordinator
                for pet in try context.all("Dog") { pet.setValue("walks", forKey: "trick") }
                try other.performAndWait {
                    for owner in try other.all("Owner") { walk(owner, depth: 3) }
                    for pet in try other.all("Pet") { pet.setValue("mine", forKey: "name") }
                    try other.save()
                }
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try context.save()
                context.refreshAllObjects()
                try readAll(context)
            },
            Use(name: "metadata") { url in
                _ = try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
                let copy = url.deletingLastPathComponent().appendingPathComponent("copy.sqlite")
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PetModel.make())
                try? coordinator.replacePersistentStore(
                    at: copy, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
                    ofType: NSSQLiteStoreType)
                try? coordinator.destroyPersistentStore(at: copy, ofType: NSSQLiteStoreType, options: nil)
            },
        ]
    }

    private static func use(
        _ name: String, _ body: @escaping (NSManagedObjectContext, NSPersistentStoreCoordinator) throws -> Void
    ) -> Use {
        Use(name: name) { url in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PetModel.make())
            guard
                let store = try? coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
            else { return }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try? on(context) { try body(context, coordinator) }
            try coordinator.remove(store)
        }
    }

    private static func readAll(_ context: NSManagedObjectContext) throws {
        for entity in ["Pet", "Dog", "Cat", "Puppy", "Owner"] {
            for object in try context.all(entity) {
                walk(object, depth: 2)
                context.refresh(object, mergeChanges: true)
            }
        }
    }

    /// Reads all properties of an object and of its related objects.
    private static func walk(_ object: NSManagedObject, depth: Int) {
        for (key, property) in object.entity.propertiesByName {
            guard let value = object.value(forKey: key), property is NSRelationshipDescription, depth > 0 else {
                continue
            }
            let related =
                (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? [value]
            for case let other as NSManagedObject in related { walk(other, depth: depth - 1) }
        }
    }
}
