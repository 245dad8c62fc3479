// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The keys in the user info of entities and properties that say how they travel. User info is part of no version hash,
/// so that they change nothing in a store.
enum SyncUserInfo {
    /// Marks an entity or a property that doesn't travel.
    static let ignoreKey = "syncIgnore"
    /// Marks the attribute that identifies an object on all replicas.
    static let identityKey = "syncIdentity"
    /// The ``SyncPolicy`` of a property, or of all properties of an entity; `revive` for an entity.
    static let policyKey = "syncPolicy"

    /// Marks an attribute whose large values replicas get after the objects: its value is `later`.
    static let blobKey = "syncBlob"

    static func isLater(_ property: NSPropertyDescription, in entity: NSEntityDescription) throws -> Bool {
        guard let value = property.userInfo?[blobKey] else { return false }
        guard (property as? NSAttributeDescription)?.attributeType == .binaryDataAttributeType else {
            throw SyncSchemaError(
                entity: entity.name ?? "", property: property.name, text: "Only binary data has “\(blobKey)”.")
        }
        guard value as? String == "later" else {
            throw SyncSchemaError(
                entity: entity.name ?? "", property: property.name,
                text: "“\(blobKey)” is “\(value)”. It can be “later” alone.")
        }
        return true
    }

    static func isIgnored(_ userInfo: [AnyHashable: Any]?) -> Bool { isMarked(userInfo, ignoreKey) }

    /// The values that Xcode's editor writes for a key without value, and those that people write.
    private static func isMarked(_ userInfo: [AnyHashable: Any]?, _ key: String) -> Bool {
        switch userInfo?[key] {
        case let text as String: !["no", "false", "0"].contains(text.lowercased())
        case let number as NSNumber: number.boolValue
        default: false
        }
    }

    /// Whether a change of an object wins against its deletion: the policy of the entity is `revive`.
    static func isRevived(_ entity: NSEntityDescription) -> Bool {
        entity.userInfo?[policyKey] as? String == "revive"
    }

    static func policy(of property: NSPropertyDescription, in entity: NSEntityDescription) throws -> SyncPolicy {
        let text = property.userInfo?[policyKey] ?? (isRevived(entity) ? nil : entity.userInfo?[policyKey])
        guard let text else { return .latest }
        guard let policy = (text as? String).flatMap(SyncPolicy.init) else {
            let policies = SyncPolicy.allCases.map(\.rawValue).joined(separator: ", ")
            throw SyncSchemaError(
                entity: entity.name ?? "", property: property.name,
                text: "The policy “\(text)” doesn't exist. It is one of \(policies).")
        }
        if policy == .sum, !isNumber(property) {
            if property.userInfo?[policyKey] == nil { return .latest }
            throw SyncSchemaError(
                entity: entity.name ?? "", property: property.name, text: "Only numbers have the policy “sum”.")
        }
        return policy
    }

    private static func isNumber(_ property: NSPropertyDescription) -> Bool {
        switch (property as? NSAttributeDescription)?.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .decimalAttributeType:
            true
        default: false
        }
    }

    /// The marked attribute, otherwise the single attribute of a uniqueness constraint that is a UUID or a text.
    static func identityAttribute(of entity: NSEntityDescription) throws -> String? {
        let attributes = entity.attributesByName
        if let marked = attributes.values.filter({ isMarked($0.userInfo, identityKey) }).map(\.name).sorted().first {
            guard isIdentifying(attributes[marked]) else {
                throw SyncSchemaError(
                    entity: entity.name ?? "", property: marked, text: "Only a UUID or a text identifies an object.")
            }
            return marked
        }
        var ancestor: NSEntityDescription? = entity
        while let current = ancestor {
            for constraint in current.uniquenessConstraints where constraint.count == 1 {
                let name = (constraint[0] as? String) ?? (constraint[0] as? NSAttributeDescription)?.name
                // A text is often unique and changes, as a name or an address does.
                if let name, attributes[name]?.attributeType == .UUIDAttributeType { return name }
            }
            ancestor = current.superentity
        }
        return nil
    }

    private static func isIdentifying(_ attribute: NSAttributeDescription?) -> Bool {
        attribute?.attributeType == .UUIDAttributeType || attribute?.attributeType == .stringAttributeType
    }
}
