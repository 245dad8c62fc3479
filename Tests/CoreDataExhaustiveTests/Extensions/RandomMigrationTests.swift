import CoreData
import TestSupport
import Testing

/// Records which objects were made from which: the keys of the new objects, and the keys of the old ones.
final class KeyNotingPolicy: NSEntityMigrationPolicy {
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        guard let keys = manager.userInfo?["keys"] as? NSMutableDictionary else { return }
        let new = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        let old = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: nil)
        try manager.destinationContext.obtainPermanentIDs(for: new)
        for (new, old) in zip(new, old) {
            let path = new.objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "/")
            keys[path] = old.objectID.uriRepresentation().lastPathComponent
        }
    }
}

/// Random versions of random models with random objects, migrated by inference and compared with what a copy by hand
/// has.
@Suite("Random lightweight migrations")
struct RandomMigrationTests {
    /// The contents of one object, by the numbers of its parts.
    private struct Contents {
        let entity: Int
        /// Numbers, or texts.
        var attributes: [Int: String] = [:]
        /// The keys of related objects; the negative number of a relationship is its inverse.
        var relationships: [Int: [String]] = [:]
    }

    private static func open(_ model: NSManagedObjectModel, _ url: URL, _ type: String = StoreKind.tables.type) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func attributes(_ entity: RandomVersions.Entity, _ entities: [RandomVersions.Entity])
        -> [RandomVersions.Attribute]
    {
        let parent = entities.first { $0.number == entity.parent }
        return entity.attributes + (parent.map { attributes($0, entities) } ?? [])
    }

    /// The relationships that objects of an entity have: number, name, kind, and the entity of the members.
    private static func relationships(_ entity: RandomVersions.Entity, _ entities: [RandomVersions.Entity])
        -> [(number: Int, name: String, kind: RandomVersions.Relationship.Kind, destination: Int)]
    {
        let own = entity.relationships.map { ($0.number, $0.name, $0.kind, $0.destination) }
        let inverses = entities.flatMap { owner in
            owner.relationships.compactMap { relationship in
                relationship.destination == entity.number
                    ? relationship.inverse.map { (-relationship.number, relationship.inverseName, $0, owner.number) }
                    : nil
            }
        }
        let parent = entities.first { $0.number == entity.parent }
        return own + inverses + (parent.map { relationships($0, entities) } ?? [])
    }

    /// The key of an object, or the key of the object from which it was made.
    private static func key(_ object: NSManagedObject, _ former: NSDictionary) -> String {
        let path = object.objectID.uriRepresentation().pathComponents.suffix(2)
        return former[path.joined(separator: "/")] as? String ?? path.last ?? ""
    }

    private static func fill(
        _ context: NSManagedObjectContext, _ entities: [RandomVersions.Entity], _ generator: inout SeededGenerator
    ) throws {
        var objects: [Int: [NSManagedObject]] = [:]
        func isKind(_ entity: RandomVersions.Entity, _ number: Int) -> Bool {
            entity.number == number || entities.first { $0.number == entity.parent }.map { isKind($0, number) } ?? false
        }
        for entity in entities {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
                for attribute in attributes(entity, entities) where attribute.isRequired || generator.chance(2, of: 3) {
                    object.setValue(
                        RandomVersions.value(Int.random(in: 0...9, using: &generator), attribute.type),
                        forKey: attribute.name)
                }
                for other in entities where isKind(entity, other.number) {
                    objects[other.number, default: []].append(object)
                }
            }
        }
        for entity in entities {
            for object in objects[entity.number] ?? [] {
                for relationship in entity.relationships {
                    let members = (objects[relationship.destination] ?? []).shuffled(using: &generator)
                        .prefix(Int.random(in: 0...3, using: &generator))
                    switch relationship.kind {
                    case .one: object.setValue(members.first, forKey: relationship.name)
                    case .many: object.setValue(NSSet(array: Array(members)), forKey: relationship.name)
                    case .ordered: object.setValue(NSOrderedSet(array: Array(members)), forKey: relationship.name)
                    }
                }
            }
        }
        try checkInvariants(of: context)
        try context.save()
        try checkInvariants(of: context)
    }

    private static func contents(
        _ context: NSManagedObjectContext, _ entities: [RandomVersions.Entity], _ former: NSDictionary = [:]
    ) throws -> [String: Contents] {
        func key(_ object: NSManagedObject) -> String { Self.key(object, former) }
        context.reset()
        var found: [String: Contents] = [:]
        for entity in entities {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                var contents = Contents(entity: entity.number)
                for attribute in attributes(entity, entities) {
                    let value = object.value(forKey: attribute.name)
                    contents.attributes[attribute.number] =
                        (value as? String) ?? (value as? NSNumber).map { "\($0.intValue)" }
                }
                for (number, name, kind, _) in relationships(entity, entities) {
                    let value = object.value(forKey: name)
                    switch kind {
                    case .one: contents.relationships[number] = (value as? NSManagedObject).map { [key($0)] } ?? []
                    case .many:
                        contents.relationships[number] =
                            ((value as? NSSet)?.allObjects as? [NSManagedObject] ?? []).map(key).sorted()
                    case .ordered:
                        contents.relationships[number] =
                            ((value as? NSOrderedSet)?.array as? [NSManagedObject] ?? []).map(key)
                    }
                }
                found["\(root(entity, entities))/\(key(object))"] = contents
            }
        }
        try checkInvariants(of: context)
        return found
    }

    private static func root(_ entity: RandomVersions.Entity, _ entities: [RandomVersions.Entity]) -> Int {
        entities.first { $0.number == entity.parent }.map { root($0, entities) } ?? entity.number
    }

    /// The values of an object after the migration, by the rules of an inferred mapping model.
    private static func migrated(
        _ contents: Contents, _ versions: RandomVersions, surviving: [Int: Set<String>]
    ) -> Contents? {
        guard let old = versions.old.first(where: { $0.number == contents.entity }),
            let new = versions.new.first(where: { $0.number == contents.entity })
        else { return nil }
        var result = Contents(entity: contents.entity)
        let oldAttributes = attributes(old, versions.old)
        for attribute in attributes(new, versions.new) {
            let defaultValue = attribute.defaultValue.map {
                attribute.type == .stringAttributeType
                    ? "text \($0)" : attribute.type == .booleanAttributeType ? ($0 == 0 ? "0" : "1") : "\($0)"
            }
            guard let former = oldAttributes.first(where: { $0.number == attribute.number }) else {
                result.attributes[attribute.number] = defaultValue
                continue
            }
            var value = contents.attributes[attribute.number]
            if attribute.type == .booleanAttributeType, former.type != .booleanAttributeType {
                value = value.map { $0 == "0" ? "0" : "1" }
            }
            result.attributes[attribute.number] = value ?? (attribute.isRequired ? defaultValue : nil)
        }
        let former = relationships(old, versions.old)
        for (number, _, kind, destination) in relationships(new, versions.new) {
            guard let before = former.first(where: { $0.number == number }) else {
                result.relationships[number] = []
                continue
            }
            let members = (contents.relationships[number] ?? []).filter { surviving[destination]?.contains($0) == true }
            result.relationships[number] = kind == .ordered && before.kind == .ordered ? members : members.sorted()
        }
        return result
    }

    @Test("every object has what a copy by hand has")
    func random() throws {
        let first = TestRun.seed(for: "RandomMigrationTests")
        for index in 0..<TestRun.quick(30, long: 2000) {
            let seed = first &+ UInt64(index)
            let versions = RandomVersions(seed: seed)
            var generator = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let kind = StoreKind.tables
            let url = kind.url("store.sqlite", in: folder)
            let oldContext = try Self.open(RandomVersions.model(versions.old), url)
            let before = try oldContext.performAndWait {
                try Self.fill(oldContext, versions.old, &generator)
                return try Self.contents(oldContext, versions.old)
            }
            let coordinator = try requireValue(oldContext.persistentStoreCoordinator)
            try coordinator.remove(coordinator.persistentStores[0])
            let newModel = RandomVersions.model(versions.new, renaming: versions.old)
            let newContext = try Self.open(newModel, url)
            let after = try newContext.performAndWait { try Self.contents(newContext, versions.new) }
            try compare(before, after, versions, seed)
            guard kind == .sqlite else { continue }
            try expectEqual(SQLiteFile(url).rows("PRAGMA integrity_check")[0]["integrity_check"]?.text, "ok")
        }
    }

    @Test("every object that a migration manager makes has what a copy by hand has")
    func manager() throws {
        let first = TestRun.seed(for: "RandomMigrationTests.manager")
        // In a SQLite store a member of a relationship without inverse has one owner, in the others several.
        let types = [
            (NSSQLiteStoreType, NSSQLiteStoreType), (NSSQLiteStoreType, NSXMLStoreType),
            (NSSQLiteStoreType, NSBinaryStoreType), (NSXMLStoreType, NSBinaryStoreType),
            (NSBinaryStoreType, NSXMLStoreType),
        ]
        for index in 0..<TestRun.quick(20, long: 600) {
            let seed = first &+ UInt64(index)
            let versions = RandomVersions(seed: seed)
            var generator = SeededGenerator(seed: seed)
            let folder = try TemporaryFolder()
            let (old, new) = (folder.file("old"), folder.file("new"))
            let (oldType, newType) = types[index % types.count]
            let oldModel = RandomVersions.model(versions.old)
            let oldContext = try Self.open(oldModel, old, oldType)
            let before = try oldContext.performAndWait {
                try Self.fill(oldContext, versions.old, &generator)
                return try Self.contents(oldContext, versions.old)
            }
            let newModel = RandomVersions.model(versions.new, renaming: versions.old)
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: newModel)
            for entity: NSEntityMapping in mapping.entityMappings {
                entity.entityMigrationPolicyClassName = "KeyNotingPolicy"
            }
            let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: newModel)
            let keys = NSMutableDictionary()
            manager.userInfo = ["keys": keys]
            try manager.migrateStore(
                from: old, sourceType: oldType, options: nil, with: mapping, toDestinationURL: new,
                destinationType: newType, destinationOptions: nil)
            let newContext = try Self.open(newModel, new, newType)
            let after = try newContext.performAndWait { try Self.contents(newContext, versions.new, keys) }
            try compare(before, after, versions, seed)
        }
    }

    private func compare(
        _ before: [String: Contents], _ after: [String: Contents], _ versions: RandomVersions, _ seed: UInt64
    ) throws {
        // The keys of the objects that an entity of the new version has.
        var surviving: [Int: Set<String>] = [:]
        func add(_ entity: RandomVersions.Entity, _ key: String) {
            surviving[entity.number, default: []].insert(key)
            if let parent = versions.new.first(where: { $0.number == entity.parent }) { add(parent, key) }
        }
        for (path, contents) in before {
            guard let entity = versions.new.first(where: { $0.number == contents.entity }) else { continue }
            add(entity, String(path.split(separator: "/")[1]))
        }
        var expectedCount = 0
        for (path, contents) in before {
            guard let expected = Self.migrated(contents, versions, surviving: surviving) else { continue }
            expectedCount += 1
            guard let found = after[path] else {
                Issue.record("COREDATA_SEED=\(seed): \(path) is missing")
                continue
            }
            expectEqual(found.entity, expected.entity, "COREDATA_SEED=\(seed): \(path)")
            expectEqual(found.attributes, expected.attributes, "COREDATA_SEED=\(seed): \(path)")
            for (number, members) in expected.relationships {
                let former = versions.old.flatMap(\.relationships).first { $0.number == abs(number) }
                let wasOrdered = (number > 0 ? former?.kind : former?.inverse) == .ordered
                let isOrdered =
                    wasOrdered
                    && versions.new.flatMap(\.relationships).contains {
                        $0.number == abs(number) && (number > 0 ? $0.kind : $0.inverse) == .ordered
                    }
                let actual = found.relationships[number] ?? []
                expectEqual(
                    (isOrdered ? actual : actual.sorted()), members,
                    "COREDATA_SEED=\(seed): \(path) \(former.map { "\($0)" } ?? "")")
            }
        }
        expectEqual(after.count, expectedCount, "COREDATA_SEED=\(seed)")
    }
}
