// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Sets the values of destination objects by the value expressions of their entity mapping. Names are looked up, and
/// simple expressions are recognized, once for all objects of an entity.
final class PropertyMapper {
    let mapping: NSEntityMapping
    let layout: EntityLayout
    unowned let policy: NSEntityMigrationPolicy
    private unowned let manager: NSMigrationManager
    private unowned let migration: MappedMigration
    private var attributes: [Property] = []
    private var relationships: [Property] = []
    /// The variables of the expressions.
    private var variables: [String: Any]

    /// - Parameter layout: the entity of the destination objects.
    init(
        _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ manager: NSMigrationManager,
        _ migration: MappedMigration, layout: EntityLayout
    ) {
        self.mapping = mapping
        self.policy = policy
        self.manager = manager
        self.migration = migration
        self.layout = layout
        variables = [
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping, NSMigrationEntityPolicyKey: policy,
        ]
    }

    /// Sets the attributes. Without an expression they keep the default values of a new object.
    ///
    /// - Throws: `NSMigrationError` (134110) for a value that an attribute can't have.
    func setAttributes(of destination: NSManagedObject, from source: NSManagedObject) throws {
        try prepare(&attributes, for: mapping.attributeMappings ?? [])
        for property in attributes where property.expression != nil {
            try setAttribute(property, of: destination, from: source)
        }
    }

    /// Sets the relationships. Without an expression they stay empty.
    ///
    /// - Throws: `NSMigrationError` (134110) for a value that a relationship can't have.
    func setRelationships(of destination: NSManagedObject, from source: NSManagedObject) throws {
        try prepare(&relationships, for: mapping.relationshipMappings ?? [])
        for property in relationships where property.expression != nil {
            try setRelationship(property, of: destination, from: source)
        }
    }

    /// Prepares property mappings, unless they are the same as for the last object.
    private func prepare(_ properties: inout [Property], for mappings: [NSPropertyMapping]) throws {
        let isPrepared =
            properties.count == mappings.count
            && zip(properties, mappings).allSatisfy { $0.mapping === $1 && $0.expression === $1.valueExpression }
        if isPrepared { return }
        properties = try mappings.map { mapping in
            Property(
                mapping: mapping, expression: mapping.valueExpression,
                slot: mapping.valueExpression == nil ? nil : try slot(mapping))
        }
    }

    private func slot(_ property: NSPropertyMapping) throws -> PropertySlot {
        if let name = property.name, let slot = layout.slot(named: name) { return slot }
        throw MigrationErrors.invalidMapping(
            """
            It maps \(mapping.destinationEntityName ?? "").\(property.name ?? ""), and the entity has no such \
            property.\(NearestNames.suggestion(for: property.name ?? "", in: layout.properties.map(\.name)))
            """, [NSMigrationEntityMappingKey: mapping])
    }

    // MARK: Attributes

    private func setAttribute(
        _ property: Property, of destination: NSManagedObject, from source: NSManagedObject
    ) throws {
        guard let slot = property.slot else { return }
        guard slot.attribute != nil else { throw wrongKind(slot, "an attribute") }
        // The store computes a derived attribute.
        if slot.derivation != nil { return }
        if let original = property.sourceSlot(in: source.layout), slot.canCopyCell(of: original) {
            source.fireFaultIfNeeded(original.cell)
            destination.prepareForWriting(slot.cell)
            return slot.copyCell(original.cell, from: source.cells, to: destination.cells)
        }
        var value = try value(property, source, destination)
        // An expression may have given the default value, whose elements have the new names.
        if slot.kind == .composite, let original = sourceSlot(property, slot, source), original.kind == .composite,
            value == nil || source.propertyValue(at: original.index) != nil
        {
            value = MigratedValue(slot: slot).renamed(value, from: original)
        }
        guard let value else { return destination.setPropertyValue(nil, at: slot.index) }
        do {
            try MigratedValue(slot: slot).check(value)
        } catch let refusal as MigratedValue.Refusal {
            throw MigrationErrors.unacceptable(value, slot, mapping, refusal.reason, of: source)
        }
        destination.setPropertyValue(value, at: slot.index)
    }

    /// The attribute of the source from which an attribute has its value; nil for an expression that reads more.
    private func sourceSlot(_ property: Property, _ slot: PropertySlot, _ source: NSManagedObject) -> PropertySlot? {
        if let slot = property.sourceSlot(in: source.layout) { return slot }
        return migration.inferredRelationships?.source(of: slot.name, layout.name).flatMap {
            source.layout.slot(named: $0)
        }
    }

    private func value(_ property: Property, _ source: NSManagedObject, _ destination: NSManagedObject) throws -> Any? {
        variables[NSMigrationSourceObjectKey] = source
        variables[NSMigrationDestinationObjectKey] = destination
        variables[NSMigrationPropertyMappingKey] = property.mapping
        let value = property.expression?.value(for: source, bindings: variables).flatMap(PropertySlot.unwrapped)
        try manager.checkFailures()
        return value is NSNull ? nil : value
    }

    private func wrongKind(_ slot: PropertySlot, _ kind: String) -> NSError {
        MigrationErrors.invalidMapping(
            "It maps \(mapping.destinationEntityName ?? "").\(slot.name) as \(kind), which it isn\u{2019}t.",
            [NSMigrationEntityMappingKey: mapping])
    }

    // MARK: Relationships

    private func setRelationship(
        _ property: Property, of destination: NSManagedObject, from source: NSManagedObject
    ) throws {
        guard let slot = property.slot else { return }
        guard slot.isRelationship else { throw wrongKind(slot, "a relationship") }
        var objects: [NSManagedObject]
        if let found = destinations(property, source) {
            objects = found
            for object in found { try check(object, slot) }
        } else {
            objects = try self.objects(try value(property, source, destination), slot)
        }
        if let inferred = migration.inferredRelationships {
            objects = try inferred.room(for: objects, slot, of: destination, from: source)
        }
        switch slot.kind {
        case .toOne: destination.setPropertyValue(objects.first, at: slot.index)
        case .toMany where slot.isOrdered:
            destination.setPropertyValue(NSOrderedSet(array: objects), at: slot.index)
        default: destination.setPropertyValue(NSSet(array: objects), at: slot.index)
        }
    }

    /// The objects that one mapping has made from the destinations of a source relationship: the value of most
    /// expressions. Nil for another expression, and for a manager of the program, which may override the look-up.
    private func destinations(_ property: Property, _ source: NSManagedObject) -> [NSManagedObject]? {
        guard let name = property.lookUp, type(of: manager) == NSMigrationManager.self,
            let original = property.sourceSlot(in: source.layout), original.kind == .toOne
        else { return nil }
        let entity = source.layout.model[original.destination]
        guard entity.isAlone else {
            return migration.associations.destinations(
                of: source.destination(original).map { [$0] } ?? [], mapping: name, in: migration.destination)
        }
        // The row names the object, which need not be made.
        source.fireFaultIfNeeded(original.cell)
        guard source.cells.isPresent(original.cell) else { return [] }
        return migration.associations.destinations(
            of: ObjectReference(key: source.cells.integer(original.cell), layout: entity.number), mapping: name,
            in: migration.destination)
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
            try check(object, slot)
            return object
        }
    }

    private func check(_ object: NSManagedObject, _ slot: PropertySlot) throws {
        let entity = layout.model[slot.destination]
        guard object.layout.isKind(of: entity) else {
            throw MigrationErrors.unacceptable(
                object.objectID, slot, mapping, "An object of entity \(object.layout.name) is no \(entity.name).")
        }
    }
}

/// A property mapping with what was recognized in its expression.
private final class Property {
    let mapping: NSPropertyMapping
    let expression: NSExpression?
    /// The destination property; nil without an expression.
    let slot: PropertySlot?
    /// The source property of `$source.key`, or of the source objects of a look-up.
    private let key: String?
    /// The entity mapping of a look-up: `FUNCTION($manager,
    /// "destinationInstancesForEntityMappingNamed:sourceInstances:", "name", $source.key)`.
    let lookUp: String?
    private var known: (layout: EntityLayout, slot: PropertySlot?)?

    init(mapping: NSPropertyMapping, expression: NSExpression?, slot: PropertySlot?) {
        self.mapping = mapping
        self.expression = expression
        self.slot = slot
        if let found = expression.flatMap(MappingExpressions.lookUp) {
            (lookUp, key) = found
        } else {
            (lookUp, key) = (nil, expression.flatMap(MappingExpressions.sourceKey))
        }
    }

    /// The source property in an entity; nil for an expression that reads more, or something else.
    func sourceSlot(in layout: EntityLayout) -> PropertySlot? {
        guard let key else { return nil }
        if let known, known.layout === layout { return known.slot }
        let slot = layout.slot(named: key)
        known = (layout, slot)
        return slot
    }
}

extension EntityLayout {
    /// Whether the entity has neither a superentity nor subentities: a reference in a row names the object exactly.
    fileprivate var isAlone: Bool { span == 0 && root == number }
}

extension PropertySlot {
    /// Whether this property can have the cell of another property without conversion.
    fileprivate func canCopyCell(of other: PropertySlot) -> Bool {
        guard kind == other.kind, attribute != nil, cell >= 0, other.cell >= 0 else { return false }
        switch kind.family {
        case .scalar, .string: return true
        case .object, .reference, .composite, .none: return false
        }
    }

    /// Copies the cell of a property for which `canCopyCell(of:)` is true.
    fileprivate func copyCell(_ other: Int, from source: Cells, to target: Cells) {
        if kind.family == .string {
            target.string(cell).pointee = source.string(other).pointee
        } else if source.isPresent(other) {
            target.setBits(source.bits(other), at: cell)
        } else {
            target.setEmpty(cell)
        }
    }
}
