// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire
import Digests

/// The part of a model that travels: its entities, their properties, and the policies in their user info.
///
/// Messages, side stores and records name entities and properties by their renaming identifiers, so that a name is the
/// same in all versions of a model. A renaming identifier is the name unless the model says otherwise.
///
/// Derived and transient properties stay at home, and those with `syncIgnore` in their user info. Of two relationships
/// that are inverse to each other one travels: the to-one side of a one-to-many relationship, otherwise the one whose
/// name, or else whose entity, sorts first.
package final class SyncSchema: Sendable {
    /// By the names in messages.
    package let entities: [String: SyncEntity]
    /// By the names in the model.
    private let entitiesOfModel: [String: SyncEntity]
    /// Tells versions of a model apart: made of the version hashes of the entities that travel.
    package let version: String

    /// Settings that all replicas and their server have in common. Simulations have others.
    package struct Options: Sendable {
        /// Whether messages have renaming identifiers; false for a simulation that tries without.
        package var renames = true
        /// The size from which on a value of a binary attribute travels apart from its object.
        package var leastBlobBytes = 64 << 10
        /// The configuration of the model whose entities travel; nil for all entities.
        package var configurationName: String?

        package init() {}
    }

    /// - Throws: ``SyncSchemaError`` for a policy that doesn't exist, or that the type of the property can't have, and
    ///   for two entities or properties that have one renaming identifier.
    package init(_ model: NSManagedObjectModel, _ options: Options = Options()) throws {
        var (entities, ofModel): ([String: SyncEntity], [String: SyncEntity]) = ([:], [:])
        var hashes: [String: Data] = [:]
        for description in Self.entities(of: model, options) where !SyncUserInfo.isIgnored(description.userInfo) {
            guard let name = description.name else { continue }
            let entity = try SyncEntity(description, options)
            if let other = entities.updateValue(entity, forKey: entity.name) {
                throw SyncSchemaError(
                    entity: name, property: nil,
                    text: "The entity “\(other.modelName)” has the same renaming identifier “\(entity.name)”.")
            }
            ofModel[name] = entity
            hashes[name] = description.versionHash
        }
        self.entities = entities
        entitiesOfModel = ofModel
        version = SyncSchema.version(hashes)
    }

    private static func entities(of model: NSManagedObjectModel, _ options: Options) -> [NSEntityDescription] {
        options.configurationName.flatMap { model.entities(forConfigurationName: $0) } ?? model.entities
    }

    private static func version(_ hashes: [String: Data]) -> String {
        var bytes: [UInt8] = []
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            bytes += Array(name.utf8) + [0] + Array(hash)
        }
        return Data(SHA256.hash(bytes)).base64EncodedString()
    }

    package func entity(of object: NSManagedObject) -> SyncEntity? { entity(object.entity) }

    package func entity(of id: NSManagedObjectID) -> SyncEntity? { entity(id.entity) }

    package func entity(_ description: NSEntityDescription) -> SyncEntity? {
        description.name.flatMap { entitiesOfModel[$0] }
    }

    /// The entities that have objects, in the order of their names.
    package var concreteEntities: [SyncEntity] {
        entities.values.filter { !$0.isAbstract }.sorted { $0.name < $1.name }
    }
}

/// An entity whose objects travel.
package struct SyncEntity: Sendable {
    /// The name in messages.
    package let name: String
    /// The name in the model of the store.
    package let modelName: String
    /// The name of the highest entity of the hierarchy: identities are unique in a hierarchy.
    package let rootName: String
    package let isAbstract: Bool
    /// By the names in messages.
    package let properties: [String: SyncProperty]
    /// The names in messages of the properties whose values may travel apart from their objects.
    package let blobNames: Set<String>
    /// Whether objects may have values that travel apart from them.
    package var mayHaveBlobs: Bool { !blobNames.isEmpty }
    /// The names in messages by those in the model.
    private let names: [String: String]
    /// The attribute of the model whose value identifies an object on all replicas; nil if objects get random UUIDs.
    package let identityAttribute: String?
    /// Whether a change of an object wins against its deletion.
    package let isRevived: Bool
    /// Whether objects have values that no other object of the hierarchy may have.
    package let hasUniqueValues: Bool

    init(_ entity: NSEntityDescription, _ options: SyncSchema.Options) throws {
        modelName = entity.name ?? ""
        name = options.renames ? entity.nameInMessages : modelName
        var root = entity
        while let next = root.superentity { root = next }
        rootName = root.nameInMessages
        isAbstract = entity.isAbstract
        var (properties, names): ([String: SyncProperty], [String: String]) = ([:], [:])
        for (key, description) in entity.propertiesByName {
            guard let property = try SyncProperty(description, of: entity, options) else { continue }
            names[key] = property.name
            if let other = properties.updateValue(property, forKey: property.name) {
                throw SyncSchemaError(
                    entity: modelName, property: key,
                    text: "The property “\(other.key)” has the same renaming identifier “\(property.name)”.")
            }
        }
        self.properties = properties
        self.names = names
        blobNames = Set(properties.values.filter(\.mayBeBlob).map(\.name))
        identityAttribute = try SyncUserInfo.identityAttribute(of: entity)
        isRevived = SyncUserInfo.isRevived(entity)
        hasUniqueValues = sequence(first: entity) { $0.superentity }.contains { !$0.uniquenessConstraints.isEmpty }
    }

    /// The names in messages of those properties of the model that travel.
    package func names(_ keys: some Sequence<String>) -> [String] { keys.compactMap { names[$0] } }

    /// The UUID of an object, made of its identifying value; nil for one that has none.
    package func identity(of object: NSManagedObject) -> UUID? {
        identityAttribute.flatMap { SyncIdentity.uuid(rootName, object.value(forKey: $0)) }
    }
}

extension NSEntityDescription {
    /// The same in all versions of a model.
    package var nameInMessages: String { renamingIdentifier ?? name ?? "" }
}

extension NSPropertyDescription {
    /// The same in all versions of a model.
    package var nameInMessages: String { renamingIdentifier ?? name }
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
