import CoreDataModel
import OpenCoreData

/// Small stores with values of all types, all kinds of relationships, and a history.
enum SampleStores {
    /// The model of the stores. Each call makes a new one.
    static func model() -> NSManagedObjectModel {
        let types: [(String, NSAttributeType)] = [
            ("small", .integer16AttributeType), ("number", .integer32AttributeType), ("large", .integer64AttributeType),
            ("flag", .booleanAttributeType), ("ratio", .doubleAttributeType), ("share", .floatAttributeType),
            ("price", .decimalAttributeType), ("name", .stringAttributeType), ("made", .dateAttributeType),
            ("bytes", .binaryDataAttributeType), ("identifier", .UUIDAttributeType), ("link", .URIAttributeType),
            ("tags", .transformableAttributeType),
        ]
        let item = entity("Item", types.map(attribute))
        item.propertiesByName["name"].flatMap { $0 as? NSAttributeDescription }?.preservesValueInHistoryOnDeletion =
            true
        let image = attribute("image", .binaryDataAttributeType)
        image.allowsExternalBinaryDataStorage = true
        let part = entity("Part", [attribute("title", .stringAttributeType), image])
        let special = entity("Special", [attribute("extra", .stringAttributeType)])
        part.subentities = [special]
        pair(relationship("parts", item, part, isToMany: true), relationship("owner", part, item, isToMany: false))
        let ordered = relationship("ordered", item, part, isToMany: true)
        ordered.isOrdered = true
        pair(ordered, relationship("users", part, item, isToMany: true))
        pair(relationship("next", item, item, isToMany: false), relationship("former", item, item, isToMany: false))
        let model = NSManagedObjectModel()
        model.entities = [item, part, special]
        return model
    }

    private static func entity(_ name: String, _ attributes: [NSAttributeDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(
        _ name: String, _ owner: NSEntityDescription, _ destination: NSEntityDescription, isToMany: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.isOptional = true
        owner.properties.append(relationship)
        return relationship
    }

    private static func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
        one.inverseRelationship = other
        other.inverseRelationship = one
    }

    // MARK: Files

    static func add(_ url: URL, _ type: String, hasHistory: Bool) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: hasHistory, NSPersistentStoreTimeoutOption: 1])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func close(_ context: NSManagedObjectContext) throws {
        context.performAndWait { context.reset() }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    /// The bytes of a store.
    ///
    /// - Parameters:
    ///   - type: the type of the store.
    ///   - hasHistory: whether a SQLite store records its history.
    static func store(_ type: String, hasHistory: Bool = false) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Sample.store")
        let context = try add(url, type, hasHistory: hasHistory)
        if let coordinator = context.persistentStoreCoordinator, type != NSSQLiteStoreType {
            // The mutants of a seed are the same in each process.
            for store in coordinator.persistentStores {
                let identifier = [NSStoreUUIDKey: "00000000-0000-0000-0000-00000000ABCD"]
                coordinator.setMetadata(store.metadata.merging(identifier) { $1 }, for: store)
            }
        }
        try context.performAndWait {
            for step in 0..<3 {
                context.name = "context \(step)"
                context.transactionAuthor = "author \(step % 2)"
                try change(context, step)
                try context.save()
            }
        }
        try close(context)
        if type == NSSQLiteStoreType {
            // All of it is then in the file itself.
            let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
            try connection.setPragma("journal_mode", "DELETE")
            // The store is a new one in each process, and its mutants the same.
            try connection.run(
                "UPDATE Z_METADATA SET Z_UUID = ?", [.text("00000000-0000-0000-0000-00000000ABCD")])
        }
        return try Data(contentsOf: url)
    }

    private static func change(_ context: NSManagedObjectContext, _ step: Int) throws {
        func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let parts = (0..<3).map { index in
            make(index == 2 ? "Special" : "Part", ["title": "Part \(step).\(index)", "image": Data([1, 2, 3])])
        }
        let former = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
        let item = make(
            "Item",
            [
                "small": step, "number": step * 1000, "large": Int64.max - Int64(step), "flag": step == 1,
                "ratio": 0.5, "share": Float(0.25), "price": NSDecimalNumber(string: "12.50"), "name": "Item <\(step)>",
                "made": Date(timeIntervalSinceReferenceDate: 1000), "bytes": Data("bytes".utf8),
                "identifier": UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
                "link": URL(string: "https://example.org/\(step)") as Any, "tags": ["a", "b"],
            ])
        item.setValue(Set(parts), forKey: "parts")
        item.setValue(NSOrderedSet(array: parts.reversed()), forKey: "ordered")
        item.setValue(former.first, forKey: "next")
        for object in former { object.setValue("changed in \(step)", forKey: "name") }
        if step == 2, let last = former.last { context.delete(last) }
    }
}
