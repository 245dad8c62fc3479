// SPDX-License-Identifier: Apache-2.0

/// The properties of one entity in a snapshot, and what their values look like. The shape keeps no reference to the
/// model, so that any thread may use it.
struct SnapshotShape: Sendable {
    /// How objects are named.
    enum Identity: Sendable {
        /// By the URI of the object ID, under the key `objectID`.
        case uri
        /// By the value of an attribute that is unique, under its own key.
        case attribute(Attribute)
    }

    struct Attribute: Sendable {
        let name: String
        let form: SnapshotForm
    }

    struct Relationship: Sendable {
        let name: String
        let isToMany: Bool
        let isOrdered: Bool
        let destination: String
        /// Whether the destination is abstract: only its subentities have objects.
        let isAbstract: Bool
        let identity: Identity
        /// The properties of the related objects; nil for their IDs alone.
        let content: SnapshotShape?
    }

    static let uriKey = "objectID"

    let entity: String
    let identity: Identity
    let attributes: [String: Attribute]
    let relationships: [String: Relationship]

    /// Whether a key names a property or the ID.
    func hasKey(_ key: String) -> Bool {
        attributes[key] != nil || relationships[key] != nil || key == identityKey
    }

    /// The key of the ID.
    var identityKey: String {
        switch identity {
        case .uri: Self.uriKey
        case .attribute(let attribute): attribute.name
        }
    }

    /// The key paths of the relationships, for prefetching.
    var relationshipKeyPaths: [String] {
        relationships.values.sorted { $0.name < $1.name }.flatMap { relationship in
            [relationship.name]
                + (relationship.content?.relationshipKeyPaths.map { "\(relationship.name).\($0)" } ?? [])
        }
    }
}

extension SnapshotShape {
    /// - Parameters:
    ///   - keyPaths: the key paths of the properties, from the entity.
    ///   - identifiers: the unique attributes that name objects, by entity.
    /// - Throws: `NSCoreDataError` (134060).
    init(_ keyPaths: [String], of entity: NSEntityDescription, identifiers: [String: String]) throws {
        let name = entity.name ?? ""
        var children: [String: [String]] = [:]
        for keyPath in keyPaths {
            let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            children[parts[0], default: []] += parts.count > 1 ? [parts[1]] : []
        }
        var attributes: [String: Attribute] = [:]
        var relationships: [String: Relationship] = [:]
        for (key, rest) in children {
            switch entity.propertiesByName[key] {
            case let attribute as NSAttributeDescription where rest.isEmpty:
                attributes[key] = Attribute(name: key, form: try SnapshotForm(attribute, entity: name))
            case let relationship as NSRelationshipDescription:
                guard let destination = relationship.destinationEntity else { fallthrough }
                let isIDAlone = rest.isEmpty
                relationships[key] = Relationship(
                    name: key, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
                    destination: destination.name ?? "", isAbstract: destination.isAbstract,
                    identity: try Self.identity(of: destination, identifiers),
                    content: isIDAlone
                        ? nil : try SnapshotShape(rest, of: destination, identifiers: identifiers))
            default:
                throw Self.error(
                    "The entity \(name) has no \(rest.isEmpty ? "attribute or relationship" : "relationship") "
                        + "\u{2018}\(key)\u{2019}."
                        + NearestNames.suggestion(for: key, in: entity.propertiesByName.keys))
            }
        }
        self.entity = name
        self.attributes = attributes
        self.relationships = relationships
        identity = try Self.identity(of: entity, identifiers)
    }

    /// How the objects of an entity are named: by the attribute of the entity or of the nearest superentity.
    private static func identity(of entity: NSEntityDescription, _ identifiers: [String: String]) throws -> Identity {
        var present: NSEntityDescription? = entity
        while let some = present {
            defer { present = some.superentity }
            guard let name = identifiers[some.name ?? ""] else { continue }
            guard let attribute = some.attributesByName[name], !attribute.isTransient else {
                throw error(
                    "The entity \(some.name ?? "") has no stored attribute \u{2018}\(name)\u{2019} that could name its "
                        + "objects.")
            }
            return .attribute(Attribute(name: name, form: try SnapshotForm(attribute, entity: some.name ?? "")))
        }
        return .uri
    }

    static func error(_ reason: String) -> NSError {
        CoreDataErrors.error(
            NSCoreDataError, "The properties of a snapshot can\u{2019}t be chosen.", reason: reason,
            suggestion: "Name attributes, and key paths over relationships.")
    }
}
