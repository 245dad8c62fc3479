// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The managed object context of a model context.
final class ManagedContext: NSManagedObjectContext, @unchecked Sendable {
    let schemaModel: SchemaModel
    weak var modelContext: ModelContext?
    /// Whether the program has released the model context. Then only its models keep this context, and related models
    /// would keep each other for ever.
    var hasEnded = false
    /// The last fetch by a descriptor, for custom stores.
    var describedFetch: DescribedFetch?
    /// The objects whose values a custom store has changed in a save.
    var reregisteredIDs: [NSManagedObjectID] = []
    /// The positions after the last save, in the histories of custom stores.
    var savedHistoryTokens: [String: any HistoryToken] = [:]
    /// The models that couldn't be inserted.
    private(set) var foreignModels = ForeignModels()
    /// The keeper keeps the context. The model context and each of its models retain the keeper, and nothing else uses
    /// this reference.
    fileprivate(set) unowned(unsafe) var keeper: ContextKeeper?

    init(_ core: ContainerCore, _ type: NSManagedObjectContextConcurrencyType) {
        schemaModel = core.model
        super.init(concurrencyType: type)
        persistentStoreCoordinator = core.coordinator
        mergePolicy = UniqueMergePolicy()
        undoManager = nil
        // A context of the main queue merges there. Any other context may be used on any thread: it merges when it is
        // used.
        if type == .mainQueueConcurrencyType {
            automaticallyMergesChangesFromParent = true
        } else {
            collectSaves()
        }
    }

    /// Refuses a model of a class that the schema doesn't have.
    func refuse(_ object: ModelObject) { foreignModels.add(object, schema: schemaModel.schema) }

    override func rollback() {
        foreignModels = ForeignModels()
        super.rollback()
    }
}

/// Keeps a managed object context for the models of a context that the program has released.
///
/// Models retain the keeper, not the context itself: there are weak references to the context, and an object with weak
/// references has a slow retain.
final class ContextKeeper {
    private let context: ManagedContext

    init(_ context: ManagedContext) {
        self.context = context
        context.keeper = self
    }

    deinit { context.keeper = nil }
}
