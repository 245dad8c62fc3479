import CoreData
import CoreDataTestSupport
import Testing

/// Whether each value of a graph has its declared type, and each reference leads to an object of its destination.
struct GraphCheck {
    /// The values of all objects as texts, by URI and key.
    private(set) var contents: [String: [String: String]] = [:]
    private(set) var problems: [String] = []

    /// Reads all objects of a context.
    ///
    /// - Throws: the error of a fetch.
    init(_ context: NSManagedObjectContext) throws {
        let model = try requireValue(context.persistentStoreCoordinator?.managedObjectModel)
        for entity in model.entities where entity.superentity == nil {
            for object in try context.all(entity.name ?? "") {
                if !object.entity.isKindOf(entity: entity) { problems.append("\(object) is fetched as \(entity)") }
                var values: [String: String] = [:]
                for (key, property) in object.entity.propertiesByName {
                    values[key] = try text(of: object.value(forKey: key), property, object, context)
                }
                contents[object.objectID.uriRepresentation().absoluteString] = values
            }
        }
    }

    private mutating func text(
        of value: Any?, _ property: NSPropertyDescription, _ object: NSManagedObject, _ context: NSManagedObjectContext
    ) throws -> String {
        guard let relationship = property as? NSRelationshipDescription else {
            guard let attribute = property as? NSAttributeDescription else { return "" }
            if !Self.isTyped(value, attribute) {
                problems.append("\(object.objectID).\(attribute.name) is \(value.map { "\(type(of: $0))" } ?? "nil")")
            }
            return Self.text(value)
        }
        let members: [Any]
        switch value {
        case let set as NSSet: members = set.allObjects
        case let set as NSOrderedSet: members = set.array
        default: members = value.map { [$0] } ?? []
        }
        var texts: [String] = []
        for member in members {
            guard let member = member as? NSManagedObject else {
                problems.append("\(object.objectID).\(relationship.name) has a member that is no object")
                continue
            }
            check(member, of: object, relationship, context)
            texts.append(member.objectID.uriRepresentation().absoluteString)
        }
        return (relationship.isOrdered ? texts : texts.sorted()).joined(separator: ",")
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let values as [String: Any]: "\(values.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" })"
        case let value?: "\(value)"
        case nil: "nil"
        }
    }

    private mutating func check(
        _ member: NSManagedObject, of object: NSManagedObject, _ relationship: NSRelationshipDescription,
        _ context: NSManagedObjectContext
    ) {
        let place = "\(object.objectID).\(relationship.name)"
        if let destination = relationship.destinationEntity, !member.entity.isKindOf(entity: destination) {
            problems.append("\(place) leads to an object of \(member.entity.name ?? "")")
        }
        do {
            if try context.existingObject(with: member.objectID) !== member {
                problems.append("\(place) leads to another object than its ID")
            }
        } catch let error as NSError {
            // A to-one relationship may refer to an object that is gone.
            let isGone = error.code == NSManagedObjectReferentialIntegrityError && !relationship.isToMany
            if !isGone { problems.append("\(place): \(error)") }
            return
        }
        guard let inverse = relationship.inverseRelationship else { return }
        let back = member.value(forKey: inverse.name)
        let isReturned =
            back as? NSManagedObject === object || (back as? NSSet)?.contains(object) == true
            || (back as? NSOrderedSet)?.contains(object) == true
        if !isReturned { problems.append("\(place) leads to an object that doesn't lead back") }
    }

    private static func isTyped(_ value: Any?, _ attribute: NSAttributeDescription) -> Bool {
        guard let value else { return true }
        switch attribute.attributeType {
        case .integer16AttributeType: return (value as? NSNumber).map { Int16(exactly: $0) != nil } ?? false
        case .integer32AttributeType: return (value as? NSNumber).map { Int32(exactly: $0) != nil } ?? false
        case .integer64AttributeType, .booleanAttributeType, .doubleAttributeType, .floatAttributeType:
            return value is NSNumber
        case .decimalAttributeType: return value is NSDecimalNumber
        case .stringAttributeType: return value is String
        case .dateAttributeType: return value is Date
        case .binaryDataAttributeType: return value is Data
        case .UUIDAttributeType: return value is UUID
        case .URIAttributeType: return value is URL
        case .transformableAttributeType:
            // The classes that the transformer of all transformable attributes allows.
            return value is NSArray || value is NSDictionary || value is NSSet || value is String || value is NSNumber
                || value is Date || value is Data || value is URL || value is UUID || value is NSNull
        case .compositeAttributeType:
            guard let values = value as? [String: Any] else { return false }
            let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
            return values.allSatisfy { key, value in
                elements.first { $0.name == key }.map { isTyped(value, $0) } ?? false
            }
        default: return true
        }
    }
}
