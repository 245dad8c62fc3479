// SPDX-License-Identifier: Apache-2.0

/// The models that coordinators use, newest last: a class finds its entity in them without a context.
///
/// The references are weak: a model is found as long as something else keeps it.
enum KnownModels {
    private struct WeakModel: @unchecked Sendable { weak var model: NSManagedObjectModel? }

    private struct State: @unchecked Sendable {
        var models: [WeakModel] = []
        /// The count at which deallocated models and duplicates are removed, so that adding a model costs a constant
        /// time on average.
        var compactionCount = 16
    }

    private static let state = Locked(State())

    static func add(_ layouts: ModelLayout) {
        nonisolated(unsafe) let model = layouts.managedObjectModel
        state.withLock { state in
            if let last = state.models.last?.model, last === model { return }
            state.models.append(WeakModel(model: model))
            if state.models.count >= state.compactionCount { compact(&state) }
        }
    }

    private static func compact(_ state: inout State) {
        var seen: Set<ObjectIdentifier> = []
        let newestFirst = state.models.reversed().filter { entry in
            entry.model.map { seen.insert(ObjectIdentifier($0)).inserted } ?? false
        }
        state.models = newestFirst.reversed()
        state.compactionCount = max(16, state.models.count * 2)
    }

    /// The entity of a class in the newest model that has one, and that model, which keeps the entity's layout alive.
    static func entity(naming type: NSManagedObject.Type)
        -> (entity: NSEntityDescription, model: NSManagedObjectModel)?
    {
        // The copy shares its storage with the list; weak references may be read on any thread.
        let models = state.withLock { state in state.models }
        for case let model? in models.reversed().lazy.map(\.model) {
            if let layout = ModelLayout.of(model).layout(for: type) { return (layout.entity, model) }
        }
        return nil
    }

    /// The entity of a class. If no model has such an entity, an error is logged, and the result is an entity without a
    /// name.
    static func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let found = entity(naming: type) { return found.entity }
        CoreDataLog.error(
            """
            +[\(ManagedObjectClasses.name(of: type)) entity] Failed to find a match for the class to an \
            NSEntityDescription. Give the model to an NSPersistentStoreCoordinator first, keep it, and name the class \
            as the entity's managedObjectClassName.
            """)
        return NSEntityDescription()
    }
}

extension ModelLayout {
    /// The layout of the first entity that names a class.
    func layout(for type: NSManagedObject.Type) -> EntityLayout? {
        layout(of: type) {
            ManagedObjectClasses.register(type)
            let found = layouts.first { $0.classBinding.names(type) }
            found?.classBinding.prefer(type)
            return found
        }
    }
}
