import CoreDataModel
import CoreDataPredicates

/// Sets the values of one destination object by the value expressions of its mapping.
struct MappedValues {
    private let source: NSManagedObject
    private let destination: NSManagedObject
    private let mapping: NSEntityMapping
    private let manager: NSMigrationManager
    /// The variables of the expressions.
    private var variables: [String: Any]

    init(
        source: NSManagedObject, destination: NSManagedObject, _ mapping: NSEntityMapping,
        _ policy: NSEntityMigrationPolicy, _ manager: NSMigrationManager
    ) {
        self.source = source
        self.destination = destination
        self.mapping = mapping
        self.manager = manager
        variables = [
            NSMigrationManagerKey: manager, NSMigrationSourceObjectKey: source,
            NSMigrationDestinationObjectKey: destination, NSMigrationEntityMappingKey: mapping,
            NSMigrationEntityPolicyKey: policy,
        ]
    }

    /// Sets an attribute. Without an expression it keeps the default value of a new object.
    mutating func setAttribute(_ property: NSPropertyMapping) throws {
        guard let expression = property.valueExpression else { return }
        let slot = try slot(property)
        guard slot.attribute != nil else {
            throw MigrationErrors.invalidMapping(
                "It maps \(mapping.destinationEntityName ?? "").\(slot.name) as an attribute, which it isn\u{2019}t.",
                [NSMigrationEntityMappingKey: mapping])
        }
        // The store computes a derived attribute.
        if slot.derivation != nil { return }
        guard let value = try value(expression, property) else {
            return destination.setValue(nil, forKey: slot.name)
        }
        try check(value, slot)
        destination.setValue(value, forKey: slot.name)
    }

    /// Sets a relationship. Without an expression it stays empty.
    mutating func setRelationship(_ property: NSPropertyMapping) throws {
        guard let expression = property.valueExpression else { return }
        let slot = try slot(property)
        guard slot.kind == .toOne || slot.kind == .toMany else {
            throw MigrationErrors.invalidMapping(
                "It maps \(mapping.destinationEntityName ?? "").\(slot.name) as a relationship, which it isn\u{2019}t.",
                [NSMigrationEntityMappingKey: mapping])
        }
        let value = try value(expression, property)
        let objects = try objects(value, slot)
        switch slot.kind {
        case .toOne: destination.setValue(objects.first, forKey: slot.name)
        case .toMany where slot.isOrdered: destination.setValue(NSOrderedSet(array: objects), forKey: slot.name)
        default: destination.setValue(NSSet(array: objects), forKey: slot.name)
        }
    }

    private func slot(_ property: NSPropertyMapping) throws -> PropertySlot {
        if let name = property.name, let slot = destination.layout.slot(named: name) { return slot }
        let names = destination.layout.properties.map(\.name)
        throw MigrationErrors.invalidMapping(
            """
            It maps \(mapping.destinationEntityName ?? "").\(property.name ?? ""), and the entity has no such \
            property.\(NearestNames.suggestion(for: property.name ?? "", in: names))
            """, [NSMigrationEntityMappingKey: mapping])
    }

    private mutating func value(_ expression: NSExpression, _ property: NSPropertyMapping) throws -> Any? {
        variables[NSMigrationPropertyMappingKey] = property
        let value = expression.value(for: source, bindings: variables).flatMap(PropertySlot.unwrapped)
        try manager.checkFailures()
        return value is NSNull ? nil : value
    }

    private func check(_ value: Any, _ slot: PropertySlot) throws {
        guard slot.accepts(value as AnyObject) else {
            throw MigrationErrors.unacceptable(
                value, slot, mapping,
                "A value of type \(type(of: value)) is no value of an attribute of the type \(slot.kind).")
        }
        guard let range = slot.kind.integerRange, let number = value as? NSNumber else { return }
        let double = number.doubleValue
        guard double.isFinite, double > -9.3e18, double < 9.3e18, range.contains(number.int64Value) else {
            throw MigrationErrors.unacceptable(
                value, slot, mapping,
                "The attribute has the type \(slot.kind), from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// The destination objects in the value of an expression.
    private func objects(_ value: Any?, _ slot: PropertySlot) throws -> [NSManagedObject] {
        let elements: [Any]
        switch value {
        case nil: return []
        case let object as NSManagedObject: elements = [object]
        case let objects as [NSManagedObject]: elements = objects
        case let objects as NSOrderedSet: elements = objects.array
        case let objects as NSSet: elements = objects.allObjects
        case let objects as NSArray: elements = objects.map { $0 }
        case let value?: elements = [value]
        }
        let entity = destination.layout.model[slot.destination]
        return try elements.map { element in
            guard let object = element as? NSManagedObject else {
                throw MigrationErrors.unacceptable(
                    element, slot, mapping, "A value of type \(type(of: element)) is no managed object.")
            }
            guard object.managedObjectContext === manager.destinationContext else {
                throw MigrationErrors.unacceptable(
                    object.objectID, slot, mapping,
                    "It is an object of the old store: take what $manager\u{2019}s destinationInstances… return.")
            }
            guard object.layout.isKind(of: entity) else {
                throw MigrationErrors.unacceptable(
                    object.objectID, slot, mapping,
                    "An object of entity \(object.layout.name) is no \(entity.name).")
            }
            return object
        }
    }
}
