import OpenCoreData
import Testing

@testable import CoreDataModel
@testable import CoreDataStores

@Suite("Migrating real stores", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct RealMigrationTests {
    let folder = try! TemporaryFolder()

    struct Migration: Sendable, CustomTestStringConvertible {
        let store: String
        let model: String
        var testDescription: String { store }
    }

    static let migrations =
        Corpus.files(in: "chat/stores", ending: ".sqlite").map {
            Migration(store: $0, model: "chat/zmessaging.xcdatamodeld/zmessaging2.101.0.xcdatamodel")
        } + [
            Migration(
                store: "shop/SampleModel_V1.sqlite", model: "shop/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel")
        ]

    private func open(_ path: String, _ model: NSManagedObjectModel, options: [AnyHashable: Any]) throws
        -> NSManagedObjectContext
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static let migrating: [String: NSNumber] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// The content of one property: the value, or the keys of the related objects.
    private func content(_ object: NSManagedObject, _ key: String, _ property: NSPropertyDescription) -> NSObject? {
        guard let relationship = property as? NSRelationshipDescription else {
            return object.value(forKey: key) as? NSObject
        }
        func name(_ object: Any) -> String {
            ((object as? NSManagedObject)?.objectID.uriRepresentation().lastPathComponent) ?? ""
        }
        let value = object.value(forKey: key)
        if !relationship.isToMany { return value.map { name($0) as NSString } }
        if let ordered = value as? NSOrderedSet { return ordered.array.map(name) as NSArray }
        return ((value as? NSSet)?.allObjects ?? []).map(name).sorted() as NSArray
    }

    /// Compares every object that both versions have, by entity and key, with what it was before.
    ///
    /// - Returns: the number of compared values.
    private func compare(
        _ old: NSManagedObjectContext, _ new: NSManagedObjectContext, _ mapping: LightweightMapping
    ) throws -> Int {
        var compared = 0
        for mapped in mapping.entities.values.sorted(by: { $0.destination.name! < $1.destination.name! }) {
            guard let source = mapped.source, !source.isAbstract else { continue }
            func objects(_ context: NSManagedObjectContext, _ entity: String) throws -> [String: NSManagedObject] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.includesSubentities = false
                return Dictionary(
                    try context.fetch(request).map { ($0.objectID.uriRepresentation().lastPathComponent, $0) },
                    uniquingKeysWith: { first, _ in first })
            }
            let before = try objects(old, source.name ?? "")
            let after = try objects(new, mapped.destination.name ?? "")
            expectEqual(before.keys.sorted(), after.keys.sorted(), "\(source.name ?? "")")
            for (key, object) in after {
                guard let original = before[key] else { continue }
                for (name, attribute) in mapped.attributes {
                    guard let property = mapped.destination.propertiesByName[name] else { continue }
                    let then = content(original, attribute.name, attribute)
                    let now = content(object, name, property)
                    // A required attribute without a value has got its default.
                    guard then != nil || now == nil || property.isOptional else { continue }
                    compared += 1
                    expectEqual(then, now, "\(source.name ?? "").\(name) \(key)")
                }
                for (name, relationship) in mapped.relationships {
                    guard let property = mapped.destination.propertiesByName[name] as? NSRelationshipDescription,
                        property.isOrdered == relationship.isOrdered, property.isToMany == relationship.isToMany
                    else { continue }
                    compared += 1
                    let then = content(original, relationship.name, relationship)
                    expectEqual(then, content(object, name, property), "\(source.name ?? "").\(name) \(key)")
                }
            }
        }
        return compared
    }

    @Test("Each opens with a newer version, and every object keeps every value", arguments: migrations)
    func newer(_ migration: Migration) throws {
        let original = try Corpus.copyStore(migration.store, into: folder, as: "original.sqlite")
        let copy = try Corpus.copyStore(migration.store, into: folder, as: "copy.sqlite")
        let oldModel = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(
            at: URL(fileURLWithPath: original))
        oldModel.ignoresClassNames = true
        let newModel = try Corpus.model(migration.model)
        let new = try open(copy, newModel, options: Self.migrating)
        let old = try open(original, oldModel, options: [:])
        let mapping = try LightweightMapping(from: oldModel, to: newModel)
        let count = try old.performAndWait { try new.performAndWait { try compare(old, new, mapping) } }
        #expect(count > 0)
        // The file has the tables and columns of the new model, and no others.
        let tables = try SQLiteConnection(path: copy, mode: .readOnly).tables()
        let schema = try SQLSchema(model: newModel).resolved(with: SQLExistingTables(columnsByTable: tables))
        var expected = Dictionary(
            uniqueKeysWithValues: schema.tables.map { ($0.name, Set($0.columns.map(\.name))) }
                + schema.joinTables.map { ($0.name, Set($0.columns)) })
        for name in ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"] { expected[name] = Set(tables[name] ?? []) }
        expectEqual(expected, tables.filter { $0.key.hasPrefix("Z") }.mapValues(Set.init))
    }
}
