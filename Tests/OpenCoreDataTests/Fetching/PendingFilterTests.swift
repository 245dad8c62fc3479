import Foundation
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

final class ShoutingArtist: NSManagedObject {
    override func value(forKey key: String) -> Any? {
        let value = super.value(forKey: key)
        return (value as? String)?.uppercased() ?? value
    }
}

@Suite("Unsaved objects by a key")
struct PendingFilterTests {
    private func names(_ context: NSManagedObjectContext, _ format: String, _ arguments: Any...) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Artist")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try context.fetch(request).compactMap { $0.primitiveValue(forKey: "name") as? String }.sorted()
    }

    @Test("are found by the values that they have now, however these were set")
    func presentValues() throws {
        let context = try AlbumStore(type: NSInMemoryStoreType).context()
        try context.performAndWait {
            let artist = context.make("Artist", ["name": "Abba"])
            try expectEqual(names(context, "name == %@", "Abba"), ["Abba"])
            artist.setPrimitiveValue("Queen", forKey: "name")
            try expectEqual(names(context, "name == %@", "Abba"), [])
            try expectEqual(names(context, "name == %@", "Queen"), ["Queen"])
            artist.setValue("Kent", forKey: "name")
            try expectEqual(names(context, "name == %@", "Kent"), ["Kent"])
            artist.setValue(nil, forKey: "name")
            try expectEqual(names(context, "name == %@", "Kent"), [])
            context.delete(artist)
            try expectEqual(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Artist")), 0)
        }
    }

    @Test("are tested by the whole predicate, and by its options")
    func wholePredicate() throws {
        let context = try AlbumStore(type: NSInMemoryStoreType).context()
        try context.performAndWait {
            for name in ["Abba", "ABBA", "Kent", "Caf\u{E9}", "Cafe\u{301}"] { context.make("Artist", ["name": name]) }
            try expectEqual(names(context, "name ==[c] %@", "abba"), ["ABBA", "Abba"])
            try expectEqual(names(context, "name == %@ AND name BEGINSWITH %@", "Abba", "K"), [])
            try expectEqual(names(context, "name == %@ OR name == %@", "Abba", "Kent"), ["Abba", "Kent"])
            try expectEqual(names(context, "NOT name == %@ AND name BEGINSWITH %@", "Abba", "K"), ["Kent"])
            // Predicates compare the bytes of strings.
            try expectEqual(names(context, "name == %@", "Caf\u{E9}").count, 1)
        }
    }

    @Test("have the values of their class, if it overrides value(forKey:)")
    func overriddenValues() throws {
        let entity = NSEntityDescription()
        entity.name = "Artist"
        entity.managedObjectClassName = NSStringFromClass(ShoutingArtist.self)
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let artist = ShoutingArtist(entity: entity, insertInto: context)
            artist.setValue("Abba", forKey: "name")
            try expectEqual(names(context, "name == %@", "ABBA"), ["Abba"])
            try expectEqual(names(context, "name == %@", "Abba"), [])
        }
    }
}
