// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The attributes that a stage makes required, for which its `willMigrate` has made the missing values.
///
/// Core Data infers no mapping for such an attribute without a default value, since it doesn't know that all objects
/// have a value. Here they are checked. The migration has then a model with default values, which no object needs.
struct RequiredValues {
    /// An attribute in both versions.
    private struct Attribute {
        let entity: String
        let source: String
        let name: String
    }

    private let version: PlanVersion
    private let attributes: [Attribute]
    /// The model of the newer version, with default values.
    let reference: NSManagedObjectModelReference

    /// Finds the attributes; nil if there are none.
    init?(from: PlanVersion, to: PlanVersion) {
        guard let model = to.model.copy() as? NSManagedObjectModel else { return nil }
        var attributes: [Attribute] = []
        for entity in model.entities {
            guard let name = entity.name, let old = from.model.entitiesByName[name] else { continue }
            for (property, attribute) in entity.attributesByName
            where !attribute.isOptional && !attribute.isTransient && attribute.defaultValue == nil {
                let source = attribute.renamingIdentifier ?? property
                guard let former = old.attributesByName[source] ?? old.attributesByName[property], former.isOptional,
                    let value = Self.anyValue(of: attribute.attributeType)
                else { continue }
                attribute.defaultValue = value
                // An inherited attribute is found in the entity that declares it.
                if old.superentity?.attributesByName[former.name] == nil {
                    attributes.append(Attribute(entity: name, source: former.name, name: property))
                }
            }
        }
        guard !attributes.isEmpty, model.versionChecksum == to.model.versionChecksum else { return nil }
        self.attributes = attributes.sorted { ($0.entity, $0.name) < ($1.entity, $1.name) }
        version = to
        reference = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    /// Checks that all objects of the older version have values.
    ///
    /// - Throws: `SwiftDataError.modelValidationFailure` with the attributes and the number of objects without a value.
    func check(_ context: ModelContext) throws {
        let problems = try attributes.compactMap { attribute -> String? in
            let request = NSFetchRequest<ModelObject>(entityName: attribute.entity)
            request.predicate = NSPredicate(format: "%K == nil", attribute.source)
            let count = try context.managed.count(for: request)
            guard count > 0 else { return nil }
            return """
                \(attribute.entity).\(attribute.name) is required in \(version.name), and \
                \(Wording.count(count, "model")) of the older version \(count == 1 ? "has" : "have") no value. Set \
                \(attribute.source) in willMigrate, or give the property a default value.
                """
        }
        guard problems.isEmpty else {
            throw SwiftDataError(.modelValidationFailure, problems.joined(separator: "\n"))
        }
    }

    /// The names of the attributes, as in problems of an inferred mapping.
    func contains(entity: String, property: String?) -> Bool {
        attributes.contains { $0.entity == entity && $0.name == property }
    }

    private static func anyValue(of type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
            .doubleAttributeType, .floatAttributeType:
            NSNumber(value: 0)
        case .decimalAttributeType: NSDecimalNumber.zero
        case .stringAttributeType: ""
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 0)
        case .binaryDataAttributeType: Data()
        case .UUIDAttributeType: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        case .URIAttributeType: URL(fileURLWithPath: "/")
        default: nil
        }
    }
}
