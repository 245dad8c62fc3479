// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The managed object model of a schema. It knows the model class of each entity. Classes are found for each schema,
/// not for the whole process, since two versions of a schema have classes with the same name.
final class SchemaModel: NSManagedObjectModel {
    private(set) var schema = Schema()
    /// The classes of the entities, by the position of the entity's layout.
    private(set) var types: [(any PersistentModel.Type)?] = []
    private var typeLayouts: [ObjectIdentifier: EntityLayout] = [:]

    /// Makes the model of a schema.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - configurations: the stores, if there are several. Each has the entities of its schema.
    /// - Throws: the mistakes in the classes of the schema.
    static func make(for schema: Schema, configurations: [any DataStoreConfiguration] = []) throws -> SchemaModel {
        guard schema.problems.isEmpty else { throw SchemaProblem.error(schema.problems) }
        let model = SchemaModel()
        try model.fill(with: schema, configurations)
        return model
    }

    /// Makes the managed object model of one class and the classes that it leads to, for new models before there is a
    /// container. Mistakes in the classes are ignored: the container reports them.
    static func standalone(for type: any PersistentModel.Type) -> SchemaModel {
        let model = SchemaModel()
        model.isStandalone = true
        do {
            try model.fill(with: Schema([type]))
        } catch {
            CoreDataLog.error("The schema of \(type) can't be made: \(error)")
        }
        return model
    }

    /// Whether no container has made the model.
    private(set) var isStandalone = false

    private func fill(with schema: Schema, _ configurations: [any DataStoreConfiguration] = []) throws {
        try ManagedModelBuilder.fill(self, with: schema)
        // The layouts below freeze the model.
        for configuration in configurations {
            let names = configuration.schema.map { Set($0.entitiesByName.keys) }
            setEntities(
                entities.filter { names?.contains($0.name ?? "") ?? true }, forConfigurationName: configuration.name)
        }
        self.schema = schema
        objectClass = ModelObject.self
        types = ModelLayout.of(self).layouts.map { schema.entitiesByName[$0.name]?.modelType }
        for layout in ModelLayout.of(self).layouts {
            if let type = type(of: layout) { typeLayouts[ObjectIdentifier(type)] = layout }
        }
    }

    func type(of layout: EntityLayout) -> (any PersistentModel.Type)? {
        types[Int(layout.number &- layout.model.base)]
    }

    func layout(of type: any PersistentModel.Type) -> EntityLayout? {
        typeLayouts[ObjectIdentifier(type)]
    }
}
