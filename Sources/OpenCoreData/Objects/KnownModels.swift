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

    /// The entity that the newest model with one for the class has.
    static func known(for type: NSManagedObject.Type) -> NSEntityDescription? {
        nonisolated(unsafe) let found = models.withLock { models in models }.reversed().lazy.compactMap {
            $0.layout(for: type)?.entity
        }.first
        return found
    }

    static func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        guard let found = known(for: type) else {
            programmingError(
                """
                +[\(ManagedObjectClasses.name(of: type)) entity] Failed to find a match for the class to an \
                NSEntityDescription.
                """,
                remedy: """
                    Give the model to an NSPersistentStoreCoordinator first, and name the class in the entity's \
                    managedObjectClassName.
                    """
            )
        }
        return found
    }
}
