import CoreDataModel
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// One rule says which values a type has. Each place that asks is asked for values of all classes.
@Suite("A value of a type")
struct AcceptedValueTests {
    /// Values of all classes, by name.
    private static let values: [(name: String, value: Any)] = [
        ("Int", 3), ("Bool", true), ("Double", 1.5), ("Decimal", Decimal(3)), ("NSDecimalNumber", NSDecimalNumber.one),
        ("String", "a"), ("NSString", NSString("a")), ("Date", Date(timeIntervalSinceReferenceDate: 0)),
        ("NSDate", NSDate(timeIntervalSinceReferenceDate: 0)), ("Data", Data([1])), ("NSData", NSData(data: Data([1]))),
        ("UUID", UUID()), ("NSUUID", NSUUID()), ("URL", URL(fileURLWithPath: "/a")),
        ("NSURL", NSURL(fileURLWithPath: "/a")), ("elements", ["number": 3, "inner": ["text": "a"]] as [String: Any]),
        ("NSDictionary", NSDictionary(dictionary: ["number": Decimal(3)])), ("no element", [String: Any]()),
        ("nil element", ["number": NSNull(), "inner": Int?.none as Any]), ("unknown element", ["other": 3]),
        ("wrong element", ["number": "a"]), ("wrong inner element", ["inner": ["text": 3]]),
        ("number keys", NSDictionary(dictionary: [1: 2])), ("array", [1]), ("NSObject", NSObject()),
    ]

    private static let numbers = ["Int", "Bool", "Double", "Decimal", "NSDecimalNumber"]
    private static let composites = ["elements", "NSDictionary", "no element", "nil element"]
    /// Dictionaries whose elements a composite doesn't accept.
    private static let wrongComposites = ["unknown element", "wrong element", "wrong inner element"]

    private static let accepted: [(type: NSAttributeType, names: [String])] = [
        (.integer16AttributeType, numbers), (.integer32AttributeType, numbers), (.integer64AttributeType, numbers),
        (.doubleAttributeType, numbers), (.floatAttributeType, numbers), (.decimalAttributeType, numbers),
        (.booleanAttributeType, numbers), (.stringAttributeType, ["String", "NSString"]),
        (.dateAttributeType, ["Date", "NSDate"]), (.binaryDataAttributeType, ["Data", "NSData"]),
        (.UUIDAttributeType, ["UUID", "NSUUID"]), (.URIAttributeType, ["URL", "NSURL"]),
        (.compositeAttributeType, composites),
    ]

    private func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = type == .compositeAttributeType ? NSCompositeAttributeDescription() : NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    /// An entity with an attribute of a type, and one that is derived from any value.
    private func makeModel(_ type: NSAttributeType) -> NSManagedObjectModel {
        let value = attribute("value", type)
        let inner = attribute("inner", .compositeAttributeType)
        (inner as? NSCompositeAttributeDescription)?.elements = [attribute("text", .stringAttributeType)]
        (value as? NSCompositeAttributeDescription)?.elements = [attribute("number", .integer32AttributeType), inner]
        let source = attribute("source", .undefinedAttributeType)
        source.isTransient = true
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = [value, source]
        if type != .compositeAttributeType {
            let derived = NSDerivedAttributeDescription()
            derived.name = "derived"
            derived.attributeType = type
            derived.derivationExpression = NSExpression(forKeyPath: "source")
            item.properties.append(derived)
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        return model
    }

    /// The names of the values that a block takes without an error.
    private func taken(_ take: (Any) throws -> Void) -> [String] {
        Self.values.filter { value in (try? take(value.value)) != nil }.map(\.name)
    }

    private struct Refusal: Error {}

    @Test("is one for the model, a property, a row, a validation, a migration and a derivation", arguments: accepted)
    func agreement(type: NSAttributeType, names: [String]) throws {
        let model = makeModel(type)
        let layout = model.entitiesByName["Item"]!.entityLayout
        let slot = try requireValue(layout.slot(named: "value"))
        expectEqual(taken { if !slot.accepts($0) { throw Refusal() } }, names)
        // The model names the element of a default value.
        let ofType = taken { if !type.accepts($0) { throw Refusal() } }
        expectEqual(ofType, type == .compositeAttributeType ? names + Self.wrongComposites : names)
        expectEqual(taken { try MigratedValue(slot: slot).check($0) }, names)
        // An accepted value can be written. Another one would stop the program.
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: 1)
        let row = buffer.append(primaryKey: 1, version: 1, layout: layout)
        for (_, value) in Self.values where slot.accepts(value) {
            slot.write(value, to: row.cells, entity: layout.name)
        }
        guard let derived = layout.slot(named: "derived") else { return }
        let computed = taken {
            _ = try DerivedValues.value(of: derived, for: NSDictionary(dictionary: ["source": $0]), layout: layout)
        }
        expectEqual(computed, names)
    }

    @Test("is one for a batch insertion and for a validation", arguments: accepted)
    func stores(type: NSAttributeType, names: [String]) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel(type))
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("a.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            expectEqual(
                taken {
                    try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["value": $0]]))
                }, names)
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            expectEqual(
                taken {
                    var value: AnyObject? = $0 as AnyObject
                    try item.validateValue(&value, forKey: "value")
                }, names)
        }
        try coordinator.remove(coordinator.persistentStores[0])
    }

    @Test("is any object for a transformable attribute, and none that a store derives")
    func anyObject() throws {
        let model = makeModel(.transformableAttributeType)
        let layout = model.entitiesByName["Item"]!.entityLayout
        for name in ["value", "source"] {
            let slot = try requireValue(layout.slot(named: name))
            expectEqual(taken { if !slot.accepts($0) { throw Refusal() } }, Self.values.map(\.name))
        }
        let derived = try requireValue(layout.slot(named: "derived"))
        expectEqual(
            taken {
                _ = try DerivedValues.value(of: derived, for: NSDictionary(dictionary: ["source": $0]), layout: layout)
            }, [])
    }

    @Test("is an object for a to-one relationship, and a set for a to-many relationship")
    func relationships() throws {
        let item = NSEntityDescription()
        item.name = "Item"
        let next = NSRelationshipDescription()
        next.name = "next"
        next.destinationEntity = item
        next.maxCount = 1
        let all = NSRelationshipDescription()
        all.name = "all"
        all.destinationEntity = item
        item.properties = [next, all]
        let model = NSManagedObjectModel()
        model.entities = [item]
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try context.persistentStoreCoordinator?.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            let toOne = try requireValue(object.layout.slot(named: "next"))
            let toMany = try requireValue(object.layout.slot(named: "all"))
            #expect(toOne.accepts(object) && !toMany.accepts(object))
            for set: Any in [NSSet(object: object), NSOrderedSet(object: object), Set([object])] {
                #expect(toMany.accepts(set) && !toOne.accepts(set))
            }
            expectEqual(taken { if !toOne.accepts($0) && !toMany.accepts($0) { throw Refusal() } }, [])
        }
    }
}
