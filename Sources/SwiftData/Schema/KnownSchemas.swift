// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The schemas whose models the program makes: the schemas of the containers in use, and one schema for each class that
/// no container has. A new model has a managed object before it is inserted, and this object needs the entity of its
/// class.
enum KnownSchemas {
    private struct State {
        /// The schemas of containers, the newest last. Not retained.
        var ofContainers: [WeakSchema] = []
        /// The schemas of classes that no container has.
        var standalone: [ObjectIdentifier: SchemaModel] = [:]
        /// The layouts found at the last look-ups.
        var found: [ObjectIdentifier: FoundLayout] = [:]
    }

    private struct WeakSchema { weak var model: SchemaModel? }

    private struct FoundLayout {
        weak var model: SchemaModel?
        /// The layout of the class in the model, which retains it.
        unowned(unsafe) let layout: EntityLayout
    }

    private static let state = Locked(State())

    /// Adds the schema of a container. New models get their entities from it.
    static func add(_ model: SchemaModel) {
        state.withLock { state in
            state.ofContainers.removeAll { $0.model == nil }
            state.ofContainers.append(WeakSchema(model: model))
            state.found = [:]
        }
    }

    /// The class of an entity, in the newest schema of a container that has it.
    static func type(ofEntity name: String) -> (any PersistentModel.Type)? {
        let models = state.withLock { state in state.ofContainers.reversed().compactMap(\.model) }
        return models.lazy.compactMap { $0.schema.entitiesByName[name]?.modelType }.first
    }

    /// The managed object of a new model, without context.
    static func makeObject<Model: PersistentModel>(for type: Model.Type) -> ModelObject {
        let (model, layout) = find(type)
        // Another thread may release the last container of the schema.
        return withExtendedLifetime(model) { ModelObject(newModelOf: layout) }
    }

    private static func find(_ type: any PersistentModel.Type) -> (SchemaModel, EntityLayout) {
        let key = ObjectIdentifier(type)
        let known = state.withLock { state -> (SchemaModel, EntityLayout)? in
            guard let found = state.found[key], let model = found.model else { return nil }
            return (model, found.layout)
        }
        if let known { return known }
        let model = schemaModel(for: type)
        guard let layout = model.layout(of: type) else {
            programmingError(
                "The class \(type) has no entity.", remedy: "Let @Model make the class a persistent model.")
        }
        state.withLock { $0.found[key] = FoundLayout(model: model, layout: layout) }
        return (model, layout)
    }

    private static func schemaModel(for type: any PersistentModel.Type) -> SchemaModel {
        let key = ObjectIdentifier(type)
        let candidates = state.withLock { state in state.ofContainers.reversed().compactMap(\.model) }
        let known = candidates.first { $0.layout(of: type) != nil } ?? state.withLock { $0.standalone[key] }
        // The schema of a class is made without the lock: default values run code of the program.
        let model = known ?? SchemaModel.standalone(for: type)
        return state.withLock { state in
            if known == nil {
                if let first = state.standalone[key] { return first }
                state.standalone[key] = model
            }
            return model
        }
    }
}
