// SPDX-License-Identifier: Apache-2.0

/// Makes the values of snapshots.
enum SnapshotReader {
    /// - Throws: what makes a snapshot impossible. Objects that can't be read leave their failures in the context.
    static func values(of object: NSManagedObject, _ shape: SnapshotShape) throws -> [String: SnapshotValue] {
        try checkEntity(of: object, shape)
        try object.readAgainAfterFailure()
        var values: [String: SnapshotValue] = [shape.identityKey: try identity(of: object, shape.identity)]
        for (key, attribute) in shape.attributes {
            values[key] = attribute.form.snapshotValue(object.value(forKey: key))
        }
        for (key, relationship) in shape.relationships {
            values[key] = try value(of: relationship, object)
        }
        return values
    }

    static func checkEntity(of object: NSManagedObject, _ shape: SnapshotShape) throws {
        var entity: NSEntityDescription? = object.entity
        while let present = entity, present.name != shape.entity { entity = present.superentity }
        guard entity == nil else { return }
        throw CoreDataErrors.error(
            NSCoreDataError, "The object has no snapshot.",
            reason: "It is of the entity \(object.entity.name ?? ""), the chosen properties are of \(shape.entity).",
            suggestion: "Choose properties of its entity.")
    }

    private static func value(
        of relationship: SnapshotShape.Relationship, _ owner: NSManagedObject
    ) throws -> SnapshotValue {
        guard relationship.isToMany else {
            return try (owner.value(forKey: relationship.name) as? NSManagedObject).map {
                try value(of: $0, relationship)
            } ?? .null
        }
        return .array(try members(relationship, of: owner).map { try value(of: $0, relationship) })
    }

    /// The objects of a to-many relationship, in the relationship's order or, if it isn't ordered, in the order of
    /// their keys.
    static func members(
        _ relationship: SnapshotShape.Relationship, of owner: NSManagedObject
    ) -> [NSManagedObject] {
        switch owner.value(forKey: relationship.name) {
        case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet:
            set.allObjects.compactMap { $0 as? NSManagedObject }.sorted { $0.orderingKey < $1.orderingKey }
        default: []
        }
    }

    private static func value(
        of object: NSManagedObject, _ relationship: SnapshotShape.Relationship
    ) throws -> SnapshotValue {
        guard let content = relationship.content else { return try identity(of: object, relationship.identity) }
        return .object(try values(of: object, content))
    }

    static func identity(of object: NSManagedObject, _ identity: SnapshotShape.Identity) throws -> SnapshotValue {
        switch identity {
        case .attribute(let attribute):
            try object.readAgainAfterFailure()
            return attribute.form.snapshotValue(object.value(forKey: attribute.name))
        case .uri:
            guard !object.objectID.isTemporaryID else {
                throw CoreDataErrors.error(
                    NSCoreDataError, "The object has no snapshot.",
                    reason: "A new \(object.entity.name ?? "") has no permanent ID.",
                    suggestion: "Save it, or obtain a permanent ID, before.")
            }
            return .string(object.objectID.uriRepresentation().absoluteString)
        }
    }
}

extension NSManagedObject {
    /// The key of the ID, by which members have an order.
    fileprivate final var orderingKey: (Int, String) {
        let name = objectID.uriRepresentation().lastPathComponent
        // Names of saved objects are p and a number. Shorter numbers are smaller.
        return (name.count, name)
    }
}
