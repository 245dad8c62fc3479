// SPDX-License-Identifier: Apache-2.0

/// Makes the entities of a schema from classes: the given classes, their superclasses, and the classes that
/// relationships lead to.
struct SchemaBuilder {
    private(set) var entities: [Schema.Entity] = []
    private(set) var problems: [SchemaProblem] = []
    private var byName: [String: Schema.Entity] = [:]

    init(_ types: [any PersistentModel.Type]) {
        var waiting = types.reversed() as [any PersistentModel.Type]
        while let type = waiting.popLast() {
            let metadata = ModelMetadata.of(type)
            if let known = byName[metadata.name] {
                if known.modelType != type { reportSameName(metadata, known) }
                continue
            }
            let entity = Schema.Entity(metadata.name)
            entity.modelType = type
            entities.append(entity)
            byName[metadata.name] = entity
            if let superclass = metadata.superclass { waiting.append(superclass.type) }
            var destinations: [any PersistentModel.Type] = []
            for property in metadata.properties { add(property, to: entity, &destinations) }
            waiting += destinations.reversed()
            addDeclarations(of: metadata, to: entity)
        }
        connectSuperentities()
        InverseResolution(entities, byName).resolve(&problems)
    }

    private mutating func reportSameName(_ metadata: ModelMetadata, _ known: Schema.Entity) {
        let other = known.modelType.map { _typeName($0, qualified: true) } ?? known.name
        problems.append(
            SchemaProblem(
                metadata.name, nil,
                "two models have this name: \(other) and \(_typeName(metadata.type, qualified: true)). Rename one."))
    }

    // MARK: Properties

    private mutating func add(
        _ property: Schema.PropertyMetadata, to entity: Schema.Entity,
        _ destinations: inout [any PersistentModel.Type]
    ) {
        let valueType = Swift.type(of: property.keypath).valueType
        if let destination = Self.destination(of: valueType) {
            destinations.append(destination)
            entity.storedProperties.append(relationship(property, valueType, destination, entity))
            return
        }
        if property.metadata is Schema.Relationship {
            problems.append(
                SchemaProblem(
                    entity.name, property.name,
                    "@Relationship needs a model or an array of models, not \(Wording.withArticle(valueType))."))
            return
        }
        guard let attribute = attribute(property, valueType, entity) else { return }
        entity.storedProperties.append(attribute)
        if attribute.isUnique { entity.uniquenessConstraints.append([attribute.name]) }
    }

    /// The model that a type of a relationship leads to; nil for other types.
    static func destination(of type: any Any.Type) -> (any PersistentModel.Type)? {
        let type = TypeKind.unwrapped(type).type
        if let model = type as? any PersistentModel.Type { return model }
        return (type as? any RelationshipCollection.Type)?.elementModel
    }

    private func relationship(
        _ property: Schema.PropertyMetadata, _ valueType: any Any.Type, _ destination: any PersistentModel.Type,
        _ entity: Schema.Entity
    ) -> Schema.Relationship {
        // All schemas share the metadata, so it is copied.
        let declared = (property.metadata as? Schema.Relationship)?.copy() ?? Schema.Relationship()
        declared.name = property.name
        declared.valueType = valueType
        declared.keypath = property.keypath
        declared.destination = ModelMetadata.of(destination).name
        return declared
    }

    private mutating func attribute(
        _ property: Schema.PropertyMetadata, _ valueType: any Any.Type, _ entity: Schema.Entity
    ) -> Schema.Attribute? {
        let declared = property.metadata as? Schema.Attribute
        let options = declared?.options ?? []
        let attribute: Schema.Attribute
        switch Result(of: valueType, options: options, named: property.name) {
        case .failure(let problem):
            problems.append(SchemaProblem(entity.name, property.name, problem.reason))
            return nil
        case .success(.composite):
            attribute = Schema.CompositeAttribute(
                name: property.name, originalName: declared?.earlierName, options: options, valueType: valueType,
                defaultValue: property.defaultValue, hashModifier: declared?.hashModifier)
        case .success:
            attribute = Schema.Attribute(
                name: property.name, originalName: declared?.earlierName, options: options, valueType: valueType,
                defaultValue: property.defaultValue, hashModifier: declared?.hashModifier)
        }
        return attribute
    }

    // MARK: Constraints and indexes

    private mutating func addDeclarations(of metadata: ModelMetadata, to entity: Schema.Entity) {
        for case let declaration as any SchemaProperty & KeyPathDeclaration in metadata.declarations {
            for (keyPaths, isTree) in zip(declaration.declared, declaration.areTrees) {
                var names: [String] = []
                for result in keyPaths {
                    switch result {
                    case .success(let name) where name.contains("."):
                        problems.append(
                            SchemaProblem(
                                entity.name, nil,
                                "\(name) in #Unique or #Index is a part of a property. Name a property of the class."))
                    case .success(let name): names.append(name)
                    case .failure(let keyPath):
                        problems.append(
                            SchemaProblem(
                                entity.name, nil, "\(keyPath.text) in #Unique or #Index is no stored property."))
                    }
                }
                if names.count < keyPaths.count { continue }
                if declaration.isUnique {
                    if !entity.uniquenessConstraints.contains(names) { entity.uniquenessConstraints.append(names) }
                } else {
                    if isTree { entity.treeIndices.insert(entity.indices.count) }
                    entity.indices.append(names)
                }
            }
        }
    }

    private func connectSuperentities() {
        for entity in entities {
            guard let type = entity.modelType, let superclass = ModelMetadata.of(type).superclass,
                let superentity = byName[superclass.name]
            else { continue }
            entity.superentity = superentity
            superentity.subentities.insert(entity)
        }
    }
}

extension RelationshipCollection {
    static var elementModel: any PersistentModel.Type { PersistentElement.self }
}
