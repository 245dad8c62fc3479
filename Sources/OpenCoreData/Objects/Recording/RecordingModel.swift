// SPDX-License-Identifier: Apache-2.0

/// The entity of objects that record which keys are read, instead of having values: see `KeyRecording`.
///
/// It has a property of each kind, so that accessors of every type find a cell of their kind. The names are no
/// identifiers in Swift. A property of a type without nil has a default value.
enum RecordingModel {
    // Unsafe only by name: the model is frozen before another thread can see it.
    nonisolated(unsafe) static let entity: NSEntityDescription = model.entities[0]

    /// Keeps the entity's layout.
    nonisolated(unsafe) private static let model: NSManagedObjectModel = {
        let entity = NSEntityDescription()
        entity.name = "object that records keys"
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties =
            attributes + [
                relationship("recorded members", to: entity),
                relationship("recorded sequence", to: entity, isOrdered: true),
            ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        ModelLayout.of(model).markAsRecording()
        return model
    }()

    private static var attributes: [NSPropertyDescription] {
        [
            attribute(.integer64AttributeType), attribute(.doubleAttributeType), attribute(.stringAttributeType),
            attribute(.dateAttributeType, Date(timeIntervalSinceReferenceDate: 0)),
            attribute(.decimalAttributeType, NSDecimalNumber.zero),
            attribute(.binaryDataAttributeType, Data()), attribute(.UUIDAttributeType, UUID()),
            attribute(.URIAttributeType, URL(fileURLWithPath: "/")), attribute(.undefinedAttributeType),
        ]
    }

    private static func attribute(_ type: NSAttributeType, _ defaultValue: Any? = nil) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "recorded value \(type.rawValue)"
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.defaultValue = defaultValue
        return attribute
    }

    private static func relationship(_ name: String, to entity: NSEntityDescription, isOrdered: Bool = false)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.isOrdered = isOrdered
        relationship.isOptional = true
        return relationship
    }
}

extension EntityLayout {
    /// The first property of a recording object that matches an accessor.
    func recordingSlot(where matches: (PropertySlot) -> Bool) -> PropertySlot {
        guard let slot = properties.first(where: matches) else {
            programmingError(
                "No property of an object that records keys matches an accessor.", remedy: "Give the key as a string.")
        }
        return slot
    }
}
