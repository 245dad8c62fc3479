// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The part of a model that travels: its entities, their properties, and the policies in their user info.
///
/// Derived and transient properties stay at home, and those with `syncIgnore` in their user info. Of two relationships
/// that are inverse to each other one travels: the to-one side of a one-to-many relationship, otherwise the one whose
/// entity and name sort first.
package final class SyncSchema: Sendable {
    package let entities: [String: SyncEntity]

    /// - Throws: ``SyncSchemaError`` for a policy that doesn't exist, or that the type of the property can't have.
    package init(_ model: NSManagedObjectModel) throws {
        var entities: [String: SyncEntity] = [:]
        for entity in model.entities where !SyncUserInfo.isIgnored(entity.userInfo) {
            guard let name = entity.name else { continue }
            entities[name] = try SyncEntity(entity)
        }
        self.entities = entities
    }

    package func entity(of object: NSManagedObject) -> SyncEntity? {
        object.entity.name.flatMap { entities[$0] }
    }
}

/// An entity whose objects travel.
package struct SyncEntity: Sendable {
    package let name: String
    /// The name of the highest entity of the hierarchy: identities are unique in a hierarchy.
    package let rootName: String
    package let isAbstract: Bool
    package let properties: [String: SyncProperty]
    /// The attribute whose value identifies an object on all replicas; nil if objects get a UUID of their own.
    package let identityAttribute: String?
    /// Whether a change of an object wins against its deletion.
    package let isRevived: Bool

    init(_ entity: NSEntityDescription) throws {
        let name = entity.name ?? ""
        self.name = name
        var root = entity
        while let next = root.superentity { root = next }
        rootName = root.name ?? ""
        isAbstract = entity.isAbstract
        var properties: [String: SyncProperty] = [:]
        for (key, description) in entity.propertiesByName {
            properties[key] = try SyncProperty(description, of: entity)
        }
        self.properties = properties
        identityAttribute = try SyncUserInfo.identityAttribute(of: entity)
        isRevived = SyncUserInfo.isRevived(entity)
    }
}

/// A mistake in the user info of a model.
package struct SyncSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    let entity: String
    let property: String?
    let text: String

    package init(entity: String, property: String?, text: String) {
        self.entity = entity
        self.property = property
        self.text = text
    }

    package var description: String {
        "The entity “\(entity)”" + (property.map { ", property “\($0)”" } ?? "") + ": \(text)"
    }
}
