// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// Makes the managed object model of a schema, with the same version hashes as Apple's.
struct ManagedModelBuilder {
    private let schema: Schema
    private var entities: [String: NSEntityDescription] = [:]

    /// Fills a new model.
    ///
    /// - Throws: a `SwiftDataError` for mistakes in entities that the program describes itself.
    static func fill(_ model: NSManagedObjectModel, with schema: Schema) throws {
        var builder = ManagedModelBuilder(schema: schema)
        model.entities = try builder.makeEntities()
        model.setEntities(model.entities, forConfigurationName: "default")
        model.versionIdentifiers = [schema.version.description]
    }

    private init(schema: Schema) { self.schema = schema }

    private mutating func makeEntities() throws -> [NSEntityDescription] {
        for entity in schema.entities {
            let description = NSEntityDescription()
            description.name = entity.name
            entities[entity.name] = description
        }
        for entity in schema.entities {
            entities[entity.name]!.subentities = entity.subentities.compactMap { entities[$0.name] }
                .sorted { ($0.name ?? "") < ($1.name ?? "") }
        }
        for entity in schema.entities {
            entities[entity.name]!.properties = try entity.storedProperties.compactMap { property in
                switch property {
                case let attribute as Schema.Attribute: try Self.attribute(attribute, of: entity)
                case let relationship as Schema.Relationship: try self.relationship(relationship, of: entity)
                default: nil
                }
            }
        }
        for entity in schema.entities {
            connectInverses(of: entity)
            try addConstraintsAndIndexes(of: entity)
        }
        return schema.entities.map { entities[$0.name]! }
    }

    // MARK: Attributes

    private static func attribute(_ attribute: Schema.Attribute, of entity: Schema.Entity) throws
        -> NSAttributeDescription
    {
        let form: StoredForm
        switch Result(of: attribute.valueType, options: attribute.options, named: attribute.name) {
        case .success(let found): form = found
        case .failure(let problem):
            throw SchemaProblem.error([SchemaProblem(entity.name, attribute.name, problem.reason)])
        }
        let description = self.description(of: attribute, form)
        description.isOptional = attribute.isOptional
        description.isTransient = attribute.isTransient
        description.versionHashModifier = attribute.hashModifier
        if let earlier = attribute.earlierName { description.renamingIdentifier = earlier }
        description.allowsExternalBinaryDataStorage = attribute.has(.externalStorage)
        description.preservesValueInHistoryOnDeletion = attribute.has(.preserveValueOnDeletion)
        description.allowsCloudEncryption = attribute.has(.allowsCloudEncryption)
        description.isIndexedBySpotlight = attribute.has(.spotlight)
        if let value = attribute.defaultValue {
            description.defaultValue = ManagedDefault.value(value, of: attribute, form)
        }
        if let composite = description as? NSCompositeAttributeDescription {
            // Rows that a migration gives a new element have its value of the whole's default value.
            ManagedDefault.set(composite.defaultValue as? [String: Any], of: composite)
            if composite.isRawValue { composite.elements[0].renamingIdentifier = attribute.earlierName }
        }
        return description
    }

    /// The attribute with its type and elements.
    private static func description(of attribute: Schema.Attribute, _ form: StoredForm) -> NSAttributeDescription {
        if form.isComposite, let shape = CompositeShape(of: attribute.valueType, named: attribute.name) {
            return composite(attribute.name, shape, isOptional: attribute.isOptional)
        }
        let description = NSAttributeDescription()
        description.name = attribute.name
        switch form {
        case .plain(let type): description.attributeType = type
        case .archived:
            description.attributeType = .transformableAttributeType
            let type = TypeKind.unwrapped(attribute.valueType).type
            description.attributeValueClassName = _typeName(type, qualified: false)
            description.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        case .transformable:
            description.attributeType = .transformableAttributeType
            description.valueTransformerName = attribute.transformerName
        case .encoded, .composite: description.attributeType = .binaryDataAttributeType
        }
        return description
    }

    private static func composite(_ name: String, _ shape: CompositeShape, isOptional: Bool)
        -> NSCompositeAttributeDescription
    {
        let description = NSCompositeAttributeDescription()
        description.name = name
        description.isOptional = isOptional
        description.elements = shape.elements.map { element in
            let isOptional = isOptional || element.isOptional
            if element.form.isComposite, let inner = CompositeShape(of: element.type, named: element.name) {
                return composite(element.name, inner, isOptional: isOptional)
            }
            let attribute = NSAttributeDescription()
            attribute.name = element.name
            if case .plain(let type) = element.form {
                attribute.attributeType = type
            } else {
                attribute.attributeType = .binaryDataAttributeType
            }
            attribute.isOptional = isOptional
            return attribute
        }
        switch shape.form {
        case .rawValue: description.userInfo = ["EnumType": NSNumber(value: true)]
        case .cases:
            description.userInfo = [
                "EnumType": NSNumber(value: true), "enum": shape.elements.map(\.name).joined(separator: ","),
            ]
        case .structure: break
        }
        return description
    }

    // MARK: Relationships

    private func relationship(_ relationship: Schema.Relationship, of entity: Schema.Entity) throws
        -> NSRelationshipDescription
    {
        guard let destination = entities[relationship.destination] else {
            throw SchemaProblem.error([
                SchemaProblem(
                    entity.name, relationship.name, "the schema has no entity named '\(relationship.destination)'.")
            ])
        }
        let description = NSRelationshipDescription()
        description.name = relationship.name
        description.destinationEntity = destination
        description.isOptional = relationship.isOptional
        description.versionHashModifier = relationship.hashModifier
        if let earlier = relationship.earlierName { description.renamingIdentifier = earlier }
        description.minCount = max(relationship.minimumModelCount ?? 0, 0)
        description.maxCount = relationship.isToOneRelationship ? 1 : max(relationship.maximumModelCount ?? 0, 0)
        description.deleteRule =
            switch relationship.deleteRule {
            case .noAction: .noActionDeleteRule
            case .nullify: .nullifyDeleteRule
            case .cascade: .cascadeDeleteRule
            case .deny: .denyDeleteRule
            }
        return description
    }

    private func connectInverses(of entity: Schema.Entity) {
        for case let relationship as Schema.Relationship in entity.storedProperties {
            guard let inverse = relationship.inverseName, let destination = entities[relationship.destination] else {
                continue
            }
            entities[entity.name]!.relationshipsByName[relationship.name]?.inverseRelationship =
                destination.relationshipsByName[inverse]
        }
    }

    // MARK: Constraints and indexes

    private func addConstraintsAndIndexes(of entity: Schema.Entity) throws {
        let description = entities[entity.name]!
        var constraints = entity.uniquenessConstraints
        for case let relationship as Schema.Relationship in entity.storedProperties where relationship.isUnique {
            constraints.append([relationship.name])
        }
        for name in (constraints + entity.indices).flatMap({ $0 }) {
            let first = name.prefix { $0 != "." }
            guard description.propertiesByName[String(first)] != nil else {
                throw SchemaProblem.error([
                    SchemaProblem(
                        entity.name, name, "a constraint or an index names it, and the entity has no such property.")
                ])
            }
        }
        description.uniquenessConstraints = constraints
        description.indexes = entity.indices.enumerated().map { position, names in
            let isTree = entity.treeIndices.contains(position)
            let elements = names.compactMap { name in
                description.propertiesByName[name].map {
                    NSFetchIndexElementDescription(property: $0, collationType: isTree ? .rTree : .binary)
                }
            }
            let kind = isTree ? "RTree" : "Binary"
            return NSFetchIndexDescription(name: "SwiftDataIndexOn\(kind)" + names.joined(), elements: elements)
        }
    }
}

extension NSCompositeAttributeDescription {
    /// Whether the attribute has an enumeration with raw values: its element has the name of the attribute.
    fileprivate var isRawValue: Bool { userInfo?["EnumType"] != nil && elements.map(\.name) == [name] }
}

/// Default values in the form of managed objects.
private enum ManagedDefault {
    /// Gives the elements of a composite attribute their values of the whole's default value.
    static func set(_ values: [String: Any]?, of composite: NSCompositeAttributeDescription) {
        guard let values else { return }
        for element in composite.elements {
            guard let value = values[element.name], !(value is NSNull) else { continue }
            if let inner = element as? NSCompositeAttributeDescription {
                set(value as? [String: Any], of: inner)
            } else {
                element.defaultValue = value
            }
        }
    }

    /// The default value; nil for a value that a model can't contain. The model's initializer sets such a value.
    static func value(_ value: Any, of attribute: Schema.Attribute, _ form: StoredForm) -> Any? {
        guard let value = AnyValues.unwrapped(value) else { return nil }
        switch form {
        case .plain(let type): return PlainValues.stored(value, type)
        case .composite:
            guard let value = value as? any Encodable else { return nil }
            return try? CompositeEncoding.dictionary(of: value, named: attribute.name)
        case .archived: return ArchivedCollections.object(of: value)
        case .encoded: return (value as? any Encodable).flatMap { try? JSONForm.data(of: $0) }
        case .transformable: return nil
        }
    }
}
