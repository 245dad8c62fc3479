import CoreData
import TestSupport
import Testing

/// Files whose `Z_PRIMARYKEY` numbers the entities otherwise than their model would: programs that mend stores, and
/// tools that were interrupted, leave such files.
@Suite("Files that number their entities in another order")
struct EntityNumberTests {
    /// A number of the model's order becomes another one.
    struct Numbering: Sendable, CustomTestStringConvertible {
        let numbers: [Int]
        /// Whether names of tables and columns have the numbers of the file, or the numbers by the model's order.
        let isInNames: Bool
        var testDescription: String { "\(numbers)\(isInNames ? " also in names" : "")" }
    }

    static let numberings = [[2, 3, 1, 5, 6, 4], [6, 5, 4, 3, 2, 1], [11, 7, 9, 1, 4, 300]].flatMap { numbers in
        [true, false].map { Numbering(numbers: numbers, isInNames: $0) }
    }

    private let folder: TemporaryFolder
    private var url: URL { folder.file("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    // MARK: Model and rows

    /// Version 2 adds an attribute to each entity; version 3 has other numbers and a new entity besides, and drops the
    /// dogs.
    private static func makeModel(_ version: Int = 1) -> NSManagedObjectModel {
        func named(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
            entity(name, [attribute("name", .stringAttributeType)] + properties)
        }
        let animal = named("Animal")
        let cat = entity("Cat", [attribute("lives", .integer16AttributeType)])
        let dog = entity("Dog", [attribute("bones", .integer16AttributeType)])
        animal.subentities = version == 3 ? [cat] : [cat, dog]
        let (owner, tag, thing) = (named("Owner"), named("Tag"), named("Thing"))
        let (pet, keeper) = (toOne("pet", animal), toOne("keeper", owner))
        pair(pet, keeper)
        let (tags, owners) = (toMany("tags", tag), toMany("owners", owner))
        pair(tags, owners)
        owner.properties += [pet, tags, toMany("things", thing, ordered: true)]
        animal.properties.append(keeper)
        tag.properties.append(owners)
        var entities = version == 3 ? [animal, cat, owner, tag, thing] : [animal, cat, dog, owner, tag, thing]
        if version > 1 {
            for entity in [animal, owner, tag, thing] {
                entity.properties.append(attribute("note", .stringAttributeType, defaultValue: "-"))
            }
        }
        if version == 3 {
            entities.append(named("Aardvark"))
            owner.properties.append(attribute("years", .integer16AttributeType, optional: false, defaultValue: 3))
            let stars = attribute("stars", .integer16AttributeType)
            stars.renamingIdentifier = "lives"
            cat.properties = [stars]
        }
        return model(entities)
    }

    private func open(_ version: Int = 1, _ options: [AnyHashable: Any] = [:]) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel(version))
        let given: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        ]
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: given.merging(options) { $1 })
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    private func makeStore(_ options: [AnyHashable: Any] = [:]) throws {
        let context = try open(1, options)
        try on(context) {
            let ann = context.make("Owner", "Ann")
            let bob = context.make("Owner", "Bob")
            context.make("Owner", "Cid")
            ann.setValue(context.make("Cat", "Tom", ["lives": 9]), forKey: "pet")
            bob.setValue(context.make("Dog", "Rex", ["bones": 2]), forKey: "pet")
            context.make("Animal", "Eel")
            context.make("Dog", "Pax", ["bones": 5])
            let tags = ["x", "y"].map { context.make("Tag", $0) }
            ann.setValue(NSSet(array: tags), forKey: "tags")
            bob.setValue(NSSet(object: tags[1]), forKey: "tags")
            let things = ["cup", "pen", "key"].map { context.make("Thing", $0) }
            ann.setValue(NSOrderedSet(array: [things[2], things[0], things[1]]), forKey: "things")
            try context.save()
        }
        try close(context)
    }

    /// Gives the entities of the file other numbers, wherever the file has them.
    private func renumber(_ numbering: Numbering) throws {
        let file = try SQLiteFile(creating: url)
        func new(_ number: Int) -> Int { number > 6 ? number : numbering.numbers[number - 1] }
        let cases = "CASE %@ " + (1...6).map { "WHEN \($0) THEN \(new($0))" }.joined(separator: " ") + " ELSE %@ END"
        func mapped(_ column: String) -> String { cases.replacingOccurrences(of: "%@", with: column) }
        try file.run("CREATE TEMP TABLE K AS SELECT * FROM Z_PRIMARYKEY")
        try file.run("DELETE FROM Z_PRIMARYKEY")
        try file.run("INSERT INTO Z_PRIMARYKEY SELECT \(mapped("Z_ENT")), Z_NAME, \(mapped("Z_SUPER")), Z_MAX FROM K")
        for table in try file.tables() where table.hasPrefix("Z") && !table.hasPrefix("Z_M") && table != "Z_PRIMARYKEY"
        {
            var name = table
            for column in try file.columns(of: table) {
                if column == "Z_ENT" || column == "Z1_PET" {
                    try file.run("UPDATE \(table) SET \(column) = \(mapped(column))")
                }
            }
            if numbering.isInNames {
                if let renamed = renumbered(table, new) {
                    try file.run("ALTER TABLE \(table) RENAME TO T")
                    try file.run("ALTER TABLE T RENAME TO \(renamed)")
                    name = renamed
                }
                let columns = try file.columns(of: name)
                for (index, column) in columns.enumerated() where renumbered(column, new) != nil {
                    try file.run("ALTER TABLE \(name) RENAME COLUMN \(column) TO X\(index)")
                }
                for (index, column) in columns.enumerated() {
                    guard let renamed = renumbered(column, new) else { continue }
                    try file.run("ALTER TABLE \(name) RENAME COLUMN X\(index) TO \(renamed)")
                }
            }
        }
        for table in try file.tables() where table == "ACHANGE" {
            try file.run("UPDATE ACHANGE SET ZENTITY = \(mapped("ZENTITY"))")
        }
    }

    /// A name with the number of an entity, with another one; nil for another name.
    private func renumbered(_ name: String, _ new: (Int) -> Int) -> String? {
        guard let start = name.firstIndex(where: \.isNumber), ["Z", "Z_", "Z_FOK_"].contains(name[..<start]) else {
            return nil
        }
        let digits = name[start...].prefix(while: \.isNumber)
        return Int(digits).map { "\(name[..<start])\(new($0))\(name[start...].dropFirst(digits.count))" }
    }

    /// A context on a file with other numbers.
    private func openRenumbered(_ numbering: Numbering, _ version: Int = 1, _ options: [AnyHashable: Any] = [:]) throws
        -> NSManagedObjectContext
    {
        try makeStore(options)
        try renumber(numbering)
        return try open(version, options)
    }

    /// All objects with what they are related to, a line for each.
    private func contents(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        return try ["Animal", "Owner", "Tag", "Thing"].flatMap { entity in
            try context.all(entity).map { object in
                var parts = ["\(object.entity.name ?? "") \(object.text("name") ?? "")"]
                for key in ["lives", "stars", "bones"] where object.entity.attributesByName[key] != nil {
                    parts.append(object.number(key).map { "\($0)" } ?? "-")
                }
                for key in ["pet", "keeper"] where object.entity.relationshipsByName[key] != nil {
                    let related = object.value(forKey: key) as? NSManagedObject
                    parts.append(related.map { "\($0.entity.name ?? "") \($0.text("name") ?? "")" } ?? "-")
                }
                for key in ["tags", "owners", "things"] where object.entity.relationshipsByName[key] != nil {
                    parts.append(object.names(key).joined(separator: "+"))
                }
                return parts.joined(separator: " ")
            }
        }.sorted()
    }

    private static let expected = [
        "Animal Eel -", "Cat Tom 9 Owner Ann", "Dog Pax 5 -", "Dog Rex 2 Owner Bob",
        "Owner Ann Cat Tom x+y key+cup+pen", "Owner Bob Dog Rex y ", "Owner Cid -  ", "Tag x Ann", "Tag y Ann+Bob",
        "Thing cup", "Thing key", "Thing pen",
    ]

    // MARK: Requests

    @Test("fetches find the objects of each entity", arguments: numberings)
    func fetching(_ numbering: Numbering) throws {
        let context = try openRenumbered(numbering)
        try on(context) {
            try expectEqual(contents(context), Self.expected)
            for (name, count) in ["Animal": 4, "Cat": 1, "Dog": 2, "Owner": 3, "Tag": 2, "Thing": 3] {
                try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: name)), count)
            }
            let animals = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            animals.includesSubentities = false
            try expectEqual(context.fetch(animals).map { $0.text("name") }, ["Eel"])
            let cat = try requireValue(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Cat"])
            animals.includesSubentities = true
            animals.predicate = NSPredicate(format: "entity == %@", cat)
            try expectEqual(context.fetch(animals).map { $0.text("name") }, ["Tom"])
            let owners = NSFetchRequest<NSManagedObject>(entityName: "Owner")
            owners.predicate = NSPredicate(format: "pet.entity == %@ AND ANY tags.name == 'y'", cat)
            try expectEqual(context.fetch(owners).map { $0.text("name") }, ["Ann"])
        }
        try close(context)
    }

    @Test("saves write the numbers of the file", arguments: numberings)
    func saving(_ numbering: Numbering) throws {
        let context = try openRenumbered(numbering)
        try on(context) {
            let cid = try context.one("Owner", "Cid")
            cid.setValue(context.make("Cat", "Kit", ["lives": 7]), forKey: "pet")
            cid.setValue(NSSet(object: context.make("Tag", "z")), forKey: "tags")
            cid.setValue(NSOrderedSet(object: context.make("Thing", "hat")), forKey: "things")
            context.delete(try context.one("Dog", "Pax"))
            try context.save()
        }
        try close(context)
        let again = try open()
        try on(again) {
            let now = try contents(again)
            expectContains(now, "Owner Cid Cat Kit z hat")
            expectContains(now, "Cat Kit 7 Owner Cid")
            expectEqual(now.count, Self.expected.count + 2)
            let keys = try again.all("Animal").map { $0.objectID.uriRepresentation().lastPathComponent }
            expectEqual(Set(keys).count, keys.count)
        }
        try close(again)
        let file = try SQLiteFile(url)
        let numbers = try file.rows("SELECT Z_ENT FROM ZANIMAL WHERE ZNAME IN ('Kit', 'Tom')").map {
            $0["Z_ENT"]?.integer
        }
        expectEqual(numbers, [Int64(numbering.numbers[1]), Int64(numbering.numbers[1])])
        let rows = try file.rows("SELECT COUNT(*) AS N FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
        expectEqual(rows[0]["N"]?.integer, 6)
    }

    @Test("batch requests change the rows of their entity alone", arguments: numberings)
    func batches(_ numbering: Numbering) throws {
        let context = try openRenumbered(numbering)
        try on(context) {
            let insert = NSBatchInsertRequest(entityName: "Cat", objects: [["name": "Kit", "lives": 7]])
            try context.execute(insert)
            let update = NSBatchUpdateRequest(entityName: "Cat")
            update.propertiesToUpdate = ["lives": 1]
            update.resultType = .updatedObjectsCountResultType
            try #expect((context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
            let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Dog"))
            delete.resultType = .resultTypeCount
            try #expect((context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
            let animals = try contents(context).filter {
                $0.hasPrefix("Animal") || $0.hasPrefix("Cat") || $0.hasPrefix("Dog")
            }
            expectEqual(animals, ["Animal Eel -", "Cat Kit 1 -", "Cat Tom 1 Owner Ann"])
        }
        try close(context)
    }

    @Test("the history names the entities", arguments: numberings)
    func history(_ numbering: Numbering) throws {
        let options = [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
        let context = try openRenumbered(numbering, 1, options)
        try on(context) {
            context.make("Dog", "Max")
            try context.save()
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try requireValue(try context.execute(request) as? NSPersistentHistoryResult)
            let transactions = try requireValue(result.result as? [NSPersistentHistoryTransaction])
            let names = transactions.map { Set(($0.changes ?? []).compactMap(\.changedObjectID.entity.name)) }
            expectEqual(names, [["Animal", "Cat", "Dog", "Owner", "Tag", "Thing"], ["Dog"]])
        }
        try close(context)
    }

    @Test("a copy has all objects", arguments: numberings, [NSSQLiteStoreType, NSXMLStoreType])
    func copying(_ numbering: Numbering, _ type: String) throws {
        let context = try openRenumbered(numbering)
        let coordinator = try requireValue(context.persistentStoreCoordinator)
        try coordinator.migratePersistentStore(
            coordinator.persistentStores[0], to: folder.file("copy"), options: nil, withType: type)
        try on(context) { try expectEqual(contents(context), Self.expected) }
        try close(context)
    }

    // MARK: Migrations

    @Test("lightweight migrations keep all rows", arguments: numberings, [2, 3])
    func migration(_ numbering: Numbering, _ version: Int) throws {
        let context = try openRenumbered(numbering, version)
        try on(context) { try checkMigrated(context, version) }
        try close(context)
    }

    @Test("a migration manager keeps all rows", arguments: numberings, [NSSQLiteStoreType, NSXMLStoreType])
    func manager(_ numbering: Numbering, _ type: String) throws {
        let version = 3
        try makeStore()
        try renumber(numbering)
        let (old, new) = (Self.makeModel(), Self.makeModel(version))
        let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
        manager.usesStoreSpecificMigrationManager = false
        let target = folder.file("new.store")
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil,
            with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
            toDestinationURL: target, destinationType: type, destinationOptions: nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel(version))
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: target, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try on(context) { try checkMigrated(context, version) }
    }

    private func checkMigrated(_ context: NSManagedObjectContext, _ version: Int) throws {
        let expected =
            version < 3
            ? Self.expected
            : Self.expected.filter { !$0.hasPrefix("Dog") }.map { $0.replacingOccurrences(of: "Dog Rex", with: "-") }
        try expectEqual(contents(context), expected)
        context.make("Cat", "Kit", [version == 3 ? "stars" : "lives": 1])
        try context.save()
        try expectContains(contents(context), "Cat Kit 1 -")
    }

    // MARK: Damage

    @Test(
        "a number that the file gives twice, takes away or makes impossible is an error",
        arguments: [
            "INSERT INTO Z_PRIMARYKEY VALUES (9, 'Cat', 1, 0)",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Cat' WHERE Z_NAME = 'Dog'",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 20000 WHERE Z_NAME = 'Cat'",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 4611686018427387904 WHERE Z_NAME = 'Owner'",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = -2 WHERE Z_NAME = 'Cat'",
            "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 2; UPDATE Z_PRIMARYKEY SET Z_ENT = 2 WHERE Z_NAME = 'Dog'",
        ], [1, 2])
    func damaged(_ change: String, _ version: Int) throws {
        try makeStore()
        for statement in change.components(separatedBy: "; ") { try SQLiteFile(creating: url).run(statement) }
        let error = try requireValue(thrownError { _ = try open(version) })
        expectEqual(error.domain, NSCocoaErrorDomain)
        expectEqual(error.code, 259)
        expectEqual(error.localizedFailureReason?.contains("Z_PRIMARYKEY"), true)
        try expectEqual(SQLiteFile(url).rows("SELECT * FROM ZANIMAL").count, 4)
    }

    @Test("entities that the file doesn't number have the numbers of the model's order", arguments: [1, 2, 3])
    func missing(_ version: Int) throws {
        try makeStore()
        try SQLiteFile(creating: url).run("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Cat', 'Owner')")
        let context = try open(version)
        try on(context) {
            if version == 1 { try expectEqual(contents(context), Self.expected) }
            try checkMigrated(context, version)
        }
        try close(context)
    }

    @Test("a file with the metadata of another version isn't migrated, and stays", arguments: [[1, 2], [2, 1]])
    func otherMetadata(_ versions: [Int]) throws {
        try makeStore()
        if versions[0] == 2 { try close(open(2)) }
        let other = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel(versions[1]))
        try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("other.sqlite"), options: nil)
        try other.remove(other.persistentStores[0])
        let file = try SQLiteFile(creating: url)
        try file.run("ATTACH '\(folder.file("other.sqlite").path)' AS other")
        for table in ["Z_METADATA", "Z_MODELCACHE"] {
            try file.run("DELETE FROM \(table)")
            try file.run("INSERT INTO \(table) SELECT * FROM other.\(table)")
        }
        let error = try requireValue(thrownError { _ = try open(3) })
        expectEqual(error.code, 134020)
        expectEqual(error.localizedFailureReason?.contains("NOTE"), true)
        try expectEqual(file.rows("SELECT * FROM ZANIMAL").count, 4)
        try expectEqual(file.rows("SELECT * FROM ZOWNER").count, 3)
    }

    @Test("a migration stops at a row of an unknown entity, and the old store stays", arguments: ["99", "NULL", "4"])
    func unknownEntity(_ number: String) throws {
        try makeStore()
        try SQLiteFile(creating: url).run("UPDATE ZANIMAL SET Z_ENT = \(number) WHERE ZNAME = 'Tom'")
        for version in [2, 3] {
            let error = try requireValue(thrownError { _ = try open(version) })
            expectEqual(error.code, 134110)
            expectEqual(error.localizedFailureReason?.contains("ZANIMAL"), true)
        }
        let manager = NSMigrationManager(sourceModel: Self.makeModel(), destinationModel: Self.makeModel(3))
        manager.usesStoreSpecificMigrationManager = false
        let error = thrownError {
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil,
                with: NSMappingModel.inferredMappingModel(
                    forSourceModel: Self.makeModel(), destinationModel: Self.makeModel(3)),
                toDestinationURL: folder.file("new"), destinationType: NSXMLStoreType, destinationOptions: nil)
        }
        expectEqual(error?.code, 134110)
        let names = try SQLiteFile(url).rows("SELECT ZNAME FROM ZANIMAL ORDER BY ZNAME").map { $0["ZNAME"]?.text }
        expectEqual(names, ["Eel", "Pax", "Rex", "Tom"])
    }
}
