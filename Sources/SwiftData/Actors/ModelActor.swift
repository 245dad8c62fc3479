// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// An executor that runs the code of a model actor, and knows the actor's context.
public protocol ModelExecutor: Executor {
    /// The context of the actor.
    var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// An actor that owns a context: `@ModelActor` makes an actor conform.
///
/// ```swift
/// @ModelActor actor Importer {
///     func add(_ titles: [String]) throws {
///         for title in titles { modelContext.insert(Recipe(title: title)) }
///         try modelContext.save()
///     }
/// }
/// ```
///
/// Models stay in the actor. Pass their ``PersistentModel/persistentModelID`` out of it.
public protocol ModelActor: Actor {
    /// The container of the actor's context.
    nonisolated var modelContainer: ModelContainer { get }
    /// The executor that runs the actor's code.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The actor's context.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The executor of the actor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        guard let executor = modelExecutor as? any SerialModelExecutor else {
            programmingError(
                "The executor of \(Self.self) is no SerialModelExecutor.", remedy: "Use DefaultSerialModelExecutor.")
        }
        return executor.asUnownedSerialExecutor()
    }

    /// The model with an identifier; nil if no store has it, or if its class is another one.
    ///
    /// - Parameters:
    ///   - id: the identifier.
    ///   - as: the class of the model.
    public subscript<T: PersistentModel>(id: PersistentIdentifier, as as: T.Type) -> T? {
        modelContext.existingObject(for: id)?.model(as: T.self)
    }
}
