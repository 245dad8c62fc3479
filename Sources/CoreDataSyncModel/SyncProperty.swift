// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// A property that travels.
package struct SyncProperty: Sendable {
    package enum Kind: Sendable, Hashable {
        case attribute(NSAttributeType)
        case toOne
        /// The set of objects of a relationship whose inverse isn't to-one.
        case members
        /// The order of the objects of an ordered relationship whose inverse is to-one.
        case order

        /// Whether a required property of the kind needs a value: a set of objects may be empty.
        fileprivate var needsValue: Bool { self != .members && self != .order }

        /// Whether values of one kind are values of the other one.
        package func isCompatible(with other: Kind) -> Bool {
            switch (self, other) {
            case (.attribute(let one), .attribute(let other)):
                one == other || Self.integers.isSuperset(of: [one, other])
                    || Self.floats.isSuperset(of: [one, other])
            default: self == other
            }
        }

        private static let integers: Set<NSAttributeType> = [
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        ]
        private static let floats: Set<NSAttributeType> = [.floatAttributeType, .doubleAttributeType]
    }

    /// The name in messages.
    package let name: String
    /// The name in the model of the store.
    package let key: String
    package let kind: Kind
    package let policy: SyncPolicy

    /// Whether the server merges the changes of several replicas, so that a replica sends differences.
    package var isMerged: Bool { policy == .sum || kind == .members || kind == .order }

    /// The size from which on a value travels apart from its object; nil for a property without such values.
    let leastBlobBytes: Int?
    /// Whether the property may have values that travel apart from their objects.
    package var mayBeBlob: Bool { leastBlobBytes != nil }
    /// Whether replicas save an object before they have its large value.
    package let isLater: Bool

    /// Whether an object needs a value.
    package let isRequired: Bool
    /// The value of a new object.
    package private(set) var defaultValue: SyncValue?
    /// Whether an object needs a value, and a new one has none.
    package var needsValue: Bool { isRequired && defaultValue == nil }
    /// The name of the transformer of a transformable attribute.
    let transformerName: String?
    /// The entity of the objects of a relationship.
    let destinationName: String?

    /// - Returns: nil for a property that doesn't travel.
    init?(_ description: NSPropertyDescription, of entity: NSEntityDescription, _ options: SyncSchema.Options) throws {
        guard !description.isTransient, !SyncUserInfo.isIgnored(description.userInfo) else { return nil }
        var (transformerName, destinationName): (String?, String?)
        switch description {
        case is NSDerivedAttributeDescription, is NSFetchedPropertyDescription:
            return nil
        case let attribute as NSAttributeDescription:
            guard attribute.attributeType != .objectIDAttributeType else { return nil }
            kind = .attribute(attribute.attributeType)
            transformerName = attribute.valueTransformerName
        case let relationship as NSRelationshipDescription:
            guard let kind = Self.kind(relationship, of: entity) else { return nil }
            self.kind = kind
            destinationName = relationship.destinationEntity?.name
        default:
            return nil
        }
        self.transformerName = transformerName
        self.destinationName = destinationName
        isRequired = !description.isOptional && kind.needsValue
        key = description.name
        name = options.renames ? description.nameInMessages : key
        leastBlobBytes = kind == .attribute(.binaryDataAttributeType) ? options.leastBlobBytes : nil
        isLater = try SyncUserInfo.isLater(description, in: entity)
        policy = try SyncUserInfo.policy(of: description, in: entity)
        defaultValue = nil
        if case .attribute = kind, let value = (description as? NSAttributeDescription)?.defaultValue {
            defaultValue = try? syncValue(value, entity: entity.name ?? "")
        }
    }

    private static func kind(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) -> Kind? {
        guard let inverse = relationship.inverseRelationship else {
            return relationship.isToMany ? .members : .toOne
        }
        // The names first: a relationship may move to a superentity in a later version of the model.
        func place(_ relationship: NSRelationshipDescription) -> (String, String) {
            (relationship.nameInMessages, relationship.entity.nameInMessages)
        }
        let isFirst = place(relationship) <= place(inverse)
        switch (relationship.isToMany, inverse.isToMany) {
        case (false, true): return .toOne
        case (false, false): return isFirst ? .toOne : nil
        case (true, false): return relationship.isOrdered ? .order : nil
        case (true, true): return isFirst ? .members : nil
        }
    }
}

/// The way to decide when two replicas change a property without knowing of each other.
package enum SyncPolicy: String, Sendable, CaseIterable {
    /// The later change, by the clock of the server as far as the replicas know it.
    case latest
    /// The value that the server has.
    case server
    /// The change that reaches the server last.
    case client
    /// Numbers are added: replicas send differences.
    case sum
    /// The group is refused.
    case refuse
    /// A function of the server's program, which gets both values.
    case hook
}
