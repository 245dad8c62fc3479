// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The relationships of an inferred mapping model, as a manager sets them: no link of the old store gets lost.
///
/// Setting one side of a relationship changes the other side. If the new form has room for fewer links than the old
/// store has, only the link that is set last would remain.
final class InferredRelationships {
    /// How the links of a relationship come to the new store.
    private enum Passage {
        /// The new form has room for all that the old one can have.
        case whole
        /// The inverse is new, or has another source.
        case compared
        /// A member has one owner, as its row has the key.
        case oneOwner(NSRelationshipDescription)
    }

    private struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    private let mapping: LightweightMapping
    private unowned let migration: MappedMigration
    /// Whether the new store keeps the keys of relationships without inverse in the rows of the members.
    private let keepsKeysInMembers: Bool
    private let keptEntities: Set<String>
    private var passages: [Key: Passage] = [:]
    /// The owners of members by relationship.
    private var owners: [ObjectIdentifier: [ObjectReference: ObjectReference]] = [:]

    /// Nil if the mapping model of a migration isn't the inferred one.
    init?(_ migration: MappedMigration) {
        // The models of the coordinators have computed their hashes.
        guard
            let mapping = LightweightMapping(
                migration.mappingModel, from: migration.source.coordinator.managedObjectModel,
                to: migration.destination.coordinator.managedObjectModel)
        else { return nil }
        self.mapping = mapping
        self.migration = migration
        keepsKeysInMembers = migration.destination.store is any InPlaceMigratingStore
        keptEntities = Set(mapping.entities.values.compactMap { $0.source?.name })
    }

    /// The attribute of the source from which an attribute of an entity has its values.
    func source(of attribute: String, _ entity: String) -> String? {
        mapping.entities[entity]?.attributes[attribute]?.name
    }

    /// The objects to which a relationship is set.
    ///
    /// - Parameters:
    ///   - objects: the objects of the new store that were made from the related objects.
    ///   - slot: the relationship.
    ///   - destination: an object of the new store.
    ///   - source: the object that it was made from.
    /// - Returns: the objects, with the objects that the inverse has added already.
    /// - Throws: `NSMigrationError` (134110) for an object that is related to more objects than the new form allows.
    func room(
        for objects: [NSManagedObject], _ slot: PropertySlot, of destination: NSManagedObject,
        from source: NSManagedObject
    ) throws -> [NSManagedObject] {
        switch passage(slot, destination.layout.name) {
        case .whole: return objects
        case .oneOwner(let former):
            try checkOwners(former, slot, source)
            return objects
        case .compared:
            try checkInverse(objects, slot, destination)
            switch slot.kind {
            case .toOne:
                guard let known = destination.destination(slot) else { return objects }
                if let new = objects.first, new !== known {
                    throw MigrationErrors.room(Self.text(source), slot.name, destination.layout.name, isMember: false)
                }
                return [known]
            default:
                let known = NSMigrationManager.objects(destination.propertyValue(at: slot.index))
                let given = Set(objects.map(ObjectIdentifier.init))
                return objects + known.filter { !given.contains(ObjectIdentifier($0)) }
            }
        }
    }

    // MARK: Passages

    private func passage(_ slot: PropertySlot, _ entity: String) -> Passage {
        let key = Key(entity: entity, relationship: slot.name)
        if let known = passages[key] { return known }
        let passage = makePassage(slot, entity)
        passages[key] = passage
        return passage
    }

    private func makePassage(_ slot: PropertySlot, _ entity: String) -> Passage {
        guard let relationship = slot.relationship, let former = mapping.entities[entity]?.relationships[slot.name]
        else {
            return .whole
        }
        guard let inverse = relationship.inverseRelationship else {
            guard relationship.isToMany, keepsKeysInMembers else { return .whole }
            return former.inverseRelationship?.isToMany == false ? .whole : .oneOwner(former)
        }
        guard let formerInverse = former.inverseRelationship else { return .compared }
        let sources = members(of: relationship).compactMap { mapping.entities[$0]?.relationships[inverse.name] }
        let isSame = sources.allSatisfy { $0.name == formerInverse.name }
        return isSame && (inverse.isToMany || !formerInverse.isToMany) ? .whole : .compared
    }

    /// The entities that members of a relationship may have.
    private func members(of relationship: NSRelationshipDescription) -> [String] {
        func names(_ entity: NSEntityDescription) -> [String] {
            [entity.name ?? ""] + entity.subentities.flatMap(names)
        }
        return relationship.destinationEntity.map(names) ?? []
    }

    // MARK: Checks

    /// Checks that no member belongs to another object already.
    private func checkInverse(_ objects: [NSManagedObject], _ slot: PropertySlot, _ owner: NSManagedObject) throws {
        guard slot.inverse >= 0 else { return }
        for object in objects {
            let inverse = object.layout.properties[slot.inverse]
            guard inverse.kind == .toOne, let other = object.destination(inverse), other !== owner else { continue }
            throw MigrationErrors.room(oldText(object), inverse.name, object.layout.name, isMember: false)
        }
    }

    /// Checks that no member has another owner already.
    private func checkOwners(
        _ former: NSRelationshipDescription, _ slot: PropertySlot, _ source: NSManagedObject
    ) throws {
        let owner = source.reference
        for member in NSMigrationManager.objects(source.value(forKey: former.name))
        where keptEntities.contains(member.layout.name) {
            let other = owners[ObjectIdentifier(slot), default: [:]].updateValue(owner, forKey: member.reference)
            if let other, other != owner {
                throw MigrationErrors.room(Self.text(member), slot.name, slot.entityName, isMember: true)
            }
        }
    }

    /// The old object of a new one in messages.
    private func oldText(_ object: NSManagedObject) -> String {
        for (mapping, _) in migration.policies {
            if let found = migration.associations.sources(of: [object], mapping: mapping.name).first {
                return Self.text(migration.source.object(found))
            }
        }
        return Self.text(object)
    }

    /// An object in messages: "Person/p3".
    static func text(_ object: NSManagedObject) -> String {
        "\(object.layout.name)/\(object.objectID.uriRepresentation().lastPathComponent)"
    }
}

extension MigrationErrors {
    /// `NSMigrationError` (134110) for an object that is related to more objects than the new model has room for.
    static func room(_ object: String, _ relationship: String, _ owner: String, isMember: Bool) -> NSError {
        CoreDataErrors.error(
            NSMigrationError, "The store can\u{2019}t be migrated.",
            reason: MigrationRoom.reason(object, relationship, owner, isMember), suggestion: MigrationRoom.suggestion,
            userInfo: ["entity": object.prefix { $0 != "/" }.description, "relationship": relationship])
    }

    /// `NSMigrationError` (134110) for an object of an entity that is abstract in the new model.
    static func abstractEntity(_ name: String, _ object: NSManagedObject, _ mapping: NSEntityMapping) -> NSError {
        CoreDataErrors.error(
            NSMigrationError, "The store can\u{2019}t be migrated.",
            reason: """
                The object \(InferredRelationships.text(object)) exists, and the entity \(name) is abstract in the new \
                model.
                """,
            suggestion: "Delete such objects with the old model, or map them to another entity.",
            userInfo: ["entity": object.layout.name, NSMigrationEntityMappingKey: mapping])
    }
}
