import CoreData
import Testing

/// A walk over all objects of an old context into a new one, between stores of all kinds.
@Suite("Story: migrating by hand")
struct MigrationByHandStory {
    private let folder: TemporaryFolder
    private static let versionKey = "DocumentVersion"

    init() throws { folder = try TemporaryFolder() }

    /// In the second version a person's name is in two attributes, and there are configurations.
    private static func version(_ number: Int) -> NSManagedObjectModel {
        let names = number == 0 ? ["name"] : ["firstName", "lastName"]
        let person = entity("Person", names.map { attribute($0, .stringAttributeType) })
        let group = entity("Group", [attribute("name", .stringAttributeType)])
        let setting = entity("Setting", [attribute("name", .stringAttributeType)])
        let members = toMany("members", person)
        let groups = toMany("groups", group)
        pair(members, groups)
        let leader = toOne("leader", person)
        let led = toMany("led", group)
        pair(leader, led)
        group.properties += [members, leader]
        person.properties += [groups, led]
        let model = model([person, group, setting])
        if number > 0 {
            model.setEntities([person, group], forConfigurationName: "People")
            model.setEntities([setting], forConfigurationName: "Settings")
        }
        return model
    }

    private func context(_ number: Int, _ stores: [(name: String, type: String, configuration: String?)]) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(number))
        for (name, type, configuration) in stores {
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: configuration, at: folder.file(name))
            guard number > 0 else { continue }
            coordinator.setMetadata(
                coordinator.metadata(for: store).merging([Self.versionKey: number]) { $1 }, for: store)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func version(_ name: String, _ type: String) throws -> Int {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: type, at: folder.file(name), options: nil)
        return metadata[Self.versionKey] as? Int ?? 0
    }

    private func walk(_ old: NSManagedObjectContext, _ new: NSManagedObjectContext) throws {
        var copies: [String: NSManagedObject] = [:]
        func key(_ object: NSManagedObject) -> String { object.objectID.uriRepresentation().absoluteString }
        for name in ["Person", "Group", "Setting"] {
            for object in try old.all(name) {
                let copy = NSEntityDescription.insertNewObject(forEntityName: name, into: new)
                let keys = object.entity.attributesByName.keys.filter { copy.entity.attributesByName[$0] != nil }
                copy.setValuesForKeys(object.dictionaryWithValues(forKeys: Array(keys)))
                if keys.isEmpty {
                    let parts = (object.text("name") ?? "").components(separatedBy: " ")
                    copy.setValuesForKeys(["firstName": parts[0], "lastName": parts[1]])
                }
                copies[key(object)] = copy
            }
        }
        for name in ["Person", "Group", "Setting"] {
            for object in try old.all(name) {
                guard let copy = copies[key(object)] else { continue }
                for (name, relationship) in object.entity.relationshipsByName {
                    if relationship.isToMany {
                        let members = copy.mutableSetValue(forKey: name)
                        for member in object.objects(name) { copies[key(member)].map { members.add($0) } }
                    } else {
                        copy.setValue(object.object(name).flatMap { copies[key($0)] }, forKey: name)
                    }
                }
            }
        }
        try new.save()
    }

    private func check(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let group = try context.one("Group", "Analysts")
            expectEqual(Set(group.objects("members").map { $0.text("lastName") }), ["Lovelace", "Babbage"])
            expectEqual(group.object("leader")?.text("firstName"), "Ada")
            try expectEqual(context.names("Setting"), ["colour"])
        }
    }

    @Test("SQLite to XML to binary, one store into two, and two into one")
    func story() throws {
        let old = try context(0, [("old", NSSQLiteStoreType, nil)])
        try on(old) {
            let ada = old.make("Person", "Ada Lovelace")
            let group = old.make("Group", "Analysts", ["leader": ada])
            group.mutableSetValue(forKey: "members").addObjects(from: [ada, old.make("Person", "Charles Babbage")])
            old.make("Setting", "colour")
            try old.save()
        }
        try expectEqual(version("old", NSSQLiteStoreType), 0)
        var contexts = [old]
        for stores in [
            [("xml", NSXMLStoreType, nil)], [("binary", NSBinaryStoreType, nil)],
            [("people", NSSQLiteStoreType, "People"), ("settings", NSXMLStoreType, "Settings")],
            [("merged", NSSQLiteStoreType, nil)], [("memory", NSInMemoryStoreType, nil)],
        ] as [[(String, String, String?)]] {
            let next = try context(1, stores.map { ($0.0, $0.1, $0.2) })
            try on(contexts[contexts.count - 1]) {
                try next.performAndWait { try walk(contexts[contexts.count - 1], next) }
            }
            try check(next)
            for (name, type, _) in stores where type != NSInMemoryStoreType {
                try expectEqual(version(name, type), 1)
            }
            contexts.append(next)
        }
        expectEqual(contexts.count, 6)
    }
}
