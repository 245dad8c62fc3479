import Synchronization

/// The models that coordinators have taken, newest last: where a class finds its entity without a context.
enum KnownModels {
    private static let models = Mutex<[ModelLayout]>([])

    static func add(_ model: ModelLayout) {
        models.withLock { models in
            models.removeAll { $0 === model }
            models.append(model)
        }
    }

    static func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        nonisolated(unsafe) let found = models.withLock { models in models }.reversed().lazy.compactMap { $0.layout(for: type)?.entity }.first
        guard let found else {
            programmingError(
                "+[\(ManagedObjectClasses.name(of: type)) entity] Failed to find a match for the class to an NSEntityDescription.",
                remedy: "Give the model to an NSPersistentStoreCoordinator first, and name the class in the entity's managedObjectClassName.")
        }
        return found
    }
}
