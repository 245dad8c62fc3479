// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A context in which a program works with models: it fetches, inserts, changes and deletes them, and saves all changes
/// at once.
///
/// ```swift
/// let context = ModelContext(container)
/// let recipe = Recipe(title: "Soup")
/// context.insert(recipe)
/// recipe.ingredients.append(Ingredient(name: "Water"))   // inserted, too
/// try context.save()
/// ```
///
/// The main context of a container is used on the main actor. Another context is used by one thread, task or actor at a
/// time; a `@ModelActor` owns a context. A context merges what other contexts of the container save: the main context
/// by itself, any other context when it fetches or saves.
public class ModelContext: Equatable, SendableMetatype {
    /// The container.
    public var container: ModelContainer {
        if let known = retainedContainer ?? knownContainer { return known }
        let new = ModelContainer(core)
        knownContainer = new
        return new
    }

    let core: ContainerCore
    let managed: ManagedContext
    private let keeper: ContextKeeper
    /// The container, which the main context doesn't retain.
    private let retainedContainer: ModelContainer?
    private weak var knownContainer: ModelContainer?
    private let autosave = Autosave()

    /// Makes a context.
    ///
    /// - Parameter container: the container.
    public init(_ container: ModelContainer) {
        core = container.core
        retainedContainer = container
        managed = ManagedContext(core, .confinementConcurrencyType)
        keeper = ContextKeeper(managed)
        managed.modelContext = self
        core.ownStores.contextWasMade(editingState)
    }

    /// Makes the main context of a container.
    init(mainOf container: ModelContainer) {
        core = container.core
        retainedContainer = nil
        managed = ManagedContext(core, .mainQueueConcurrencyType)
        keeper = ContextKeeper(managed)
        knownContainer = container
        managed.modelContext = self
        core.ownStores.contextWasMade(editingState)
        autosaveEnabled = true
    }

    deinit {
        autosave.isEnabled = false
        // A container may be released on any thread, while the main actor uses the models of its main context.
        guard managed.concurrencyType == .mainQueueConcurrencyType, !MainQueue.isCurrent, !Thread.isMainThread else {
            return Self.end(managed, core, editingState)
        }
        // Safe: this thread uses them no longer.
        nonisolated(unsafe) let keeper = keeper
        let (managed, core, editingState) = (managed, core, editingState)
        DispatchQueue.main.async {
            withExtendedLifetime(keeper) { Self.end(managed, core, editingState) }
        }
    }

    /// Ends a context that the program has released.
    ///
    /// Models retain the managed context, which retains models with unsaved changes. Related models retain each other,
    /// and so the managed context, until they are faults. Models that the program still has read their rows again.
    private static func end(_ managed: ManagedContext, _ core: ContainerCore, _ editingState: EditingState) {
        managed.hasEnded = true
        managed.end()
        core.ownStores.contextWasReleased(managed, editingState)
    }

    // MARK: Options

    /// Whether changes are saved without a call of ``save()``. The main context saves at the end of the main queue's
    /// turn, the context of a model actor at the end of the actor's turn. Any other context, if it is used on the main
    /// thread, saves when the main queue runs. True for the main context.
    public var autosaveEnabled: Bool {
        get { autosave.isEnabled }
        set {
            if newValue { autosave.follow(self) }
            autosave.isEnabled = newValue
        }
    }

    /// The undo manager that records changes; nil for none.
    public var undoManager: UndoManager? {
        get { managed.undoManager }
        set { managed.undoManager = newValue }
    }

    /// The author of the transactions in the history.
    public var author: String? {
        get { managed.transactionAuthor }
        set { managed.transactionAuthor = newValue }
    }

    /// The identity of the context, as a store knows it.
    public var editingState: EditingState {
        get { EditingState(id: editingID, author: author) }
        set { author = newValue.author }
    }

    private let editingID = UUID()

    // MARK: Inserting and deleting

    /// Inserts a model, and the models without context that it is related to.
    ///
    /// A model that is inserted already stays inserted; inserting a model that is marked for deletion removes the mark.
    /// A model whose class isn't in the container's schema isn't inserted: the next ``save()`` throws.
    ///
    /// - Parameter model: the model.
    public func insert<T: PersistentModel>(_ model: T) { ModelGraph.insert(model.storage.object, into: managed) }

    /// Marks a model for deletion. The next save deletes it, and the models that its delete rules reach.
    ///
    /// The model keeps its values. Nothing happens to a model without context. For a model of another context, this
    /// context deletes its own model of the same row.
    ///
    /// - Parameter model: the model.
    public func delete<T: PersistentModel>(_ model: T) { delete(model.storage.object) }

    private func delete(_ object: ModelObject) {
        guard let context = object.managedObjectContext else { return }
        guard context === managed else {
            guard let counterpart = existingObject(for: PersistentIdentifier(object.objectID)) else { return }
            return delete(counterpart)
        }
        // The model answers its last values after the deletion.
        if object.hadModel { object.loadValues() }
        managed.delete(object)
    }

    /// Deletes all models that fulfil a condition, and the models that delete rules reach. The next save deletes them
    /// in the store.
    ///
    /// - Parameters:
    ///   - model: the class of the models.
    ///   - predicate: the condition; nil for all.
    ///   - includeSubclasses: whether models of subclasses are deleted, too.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, or the error of the store.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        if try deleteInStores(model, where: predicate, includeSubclasses: includeSubclasses) { return }
        let request = try ModelFetch(FetchDescriptor(predicate: predicate), in: self).request()
        request.includesSubentities = includeSubclasses
        for object in try objects(for: request) { delete(object) }
    }

    // MARK: Changes

    /// Whether there is something to save.
    public var hasChanges: Bool { managed.hasChanges || !managed.foreignModels.isEmpty }

    /// The models that the next save inserts.
    public var insertedModelsArray: [any PersistentModel] { models(managed.insertedObjects) }

    /// The models whose changes the next save writes.
    public var changedModelsArray: [any PersistentModel] { models(managed.updatedObjects) }

    /// The models that the next save deletes.
    public var deletedModelsArray: [any PersistentModel] { models(managed.deletedObjects) }

    private func models(_ objects: Set<NSManagedObject>) -> [any PersistentModel] {
        objects.compactMap { $0 as? ModelObject }.sorted { $0.objectID.key < $1.objectID.key }.map(\.model)
    }

    /// Ends the current event: applies delete rules, tells observers, and makes the undo manager begin a new step.
    public func processPendingChanges() {
        managed.mergeCollectedSaves()
        managed.processPendingChanges()
    }

    /// Discards all unsaved changes. New models have no context afterwards.
    public func rollback() { managed.rollback() }

    /// Runs a closure and saves the changes.
    ///
    /// - Parameter block: the closure.
    /// - Throws: the error of the closure, or the error of the save. The context keeps the changes: ``rollback()``
    ///   discards them.
    public func transaction(block: () throws -> Void) throws {
        try block()
        try save()
    }

    /// Saves all changes, in one transaction for each store.
    ///
    /// If a new model has the unique values of another model, saved or not, it becomes an update of that model.
    ///
    /// - Throws: the errors of Core Data: for example a missing value, a broken rule, or a file that can't be written.
    ///   `SwiftDataError.unknownSchema` for an inserted model whose class isn't in the schema. After an error nothing
    ///   is saved.
    public func save() throws {
        managed.mergeCollectedSaves()
        try managed.foreignModels.check()
        guard managed.hasChanges else { return }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        // Delete rules delete further models.
        managed.processPendingChanges()
        let saved = SavedModels(of: managed)
        try managed.save()
        managed.reregisterSnapshots()
        DeferredNotification.post(Self.didSave, object: self) { saved.userInfo(of: self) }
    }

    /// Whether two contexts are the same object.
    public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }
}

extension ModelContext: CustomDebugStringConvertible {
    /// The context with the number of its changes.
    public var debugDescription: String {
        """
        ModelContext - inserted: \(managed.insertedObjects.count), changed: \(managed.updatedObjects.count), deleted: \
        \(managed.deletedObjects.count)
        """
    }
}

@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}
