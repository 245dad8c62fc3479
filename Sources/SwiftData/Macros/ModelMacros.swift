// SPDX-License-Identifier: Apache-2.0

/// Makes a class a model, whose objects a container stores.
///
/// Each stored property is persisted, unless it has ``Transient()``. The class becomes a ``PersistentModel`` and
/// `Observable`. It must declare an initializer.
///
/// ```swift
/// @Model
/// final class Song {
///     @Attribute(.unique) var title: String
///     var plays = 0
///
///     init(title: String) { self.title = title }
/// }
/// ```
@attached(
    member, conformances: Observable, PersistentModel, Sendable,
    names: named(_$backingData), named(persistentBackingData), named(schemaMetadata), named(init),
    named(_$observationRegistrar), named(_SwiftDataNoType), named(access), named(withMutation))
@attached(memberAttribute)
@attached(extension, conformances: Observable, PersistentModel, Sendable)
public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelMacro")

/// Makes an actor a ``ModelActor``, which owns a context.
///
/// The actor gets an initializer with a container. Its methods use `modelContext`, on the context's queue.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///     func add(_ title: String) throws {
///         modelContext.insert(Song(title: title))
///         try modelContext.save()
///     }
/// }
/// ```
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "SwiftDataMacros", type: "PersistentModelActorMacro")
