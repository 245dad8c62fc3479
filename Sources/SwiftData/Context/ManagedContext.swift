// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The managed object context on which a model context stands.
final class ManagedContext: NSManagedObjectContext, @unchecked Sendable {
    let schemaModel: SchemaModel
    weak var modelContext: ModelContext?
    /// Whether the program has released the model context. Only its models keep this context then: related ones would
    /// keep each other for ever.
    var hasEnded = false
    /// The last fetch by a descriptor, for stores of the program's own.
    var describedFetch: DescribedFetch?
    /// The objects whose values a store of the program has changed in a save.
    var reregisteredIDs: [NSManagedObjectID] = []
    /// The positions behind the last save, in the histories of stores of the program.
    var savedHistoryTokens: [String: any HistoryToken] = [:]
    /// The models that couldn't be inserted.
    private(set) var foreignModels = ForeignModels()
    /// Models retain the keeper to keep the context. The model context and each of its models retain it, and only these
    /// ask for it.
    fileprivate(set) unowned(unsafe) var keeper: ContextKeeper?

    init(_ core: ContainerCore, _ type: NSManagedObjectContextConcurrencyType) {
        schemaModel = core.model
        super.init(concurrencyType: type)
        persistentStoreCoordinator = core.coordinator
        mergePolicy = UniqueMergePolicy()
        undoManager = nil
        // A context of the main queue merges there. Others are used on any thread: they merge when they are used.
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
/// Models retain the keeper, not the context itself: there are weak references to the context, and to retain an object
/// with weak references takes the runtime's long way.
final class ContextKeeper {
    private let context: ManagedContext

    init(_ context: ManagedContext) {
        self.context = context
        context.keeper = self
    }

    deinit { context.keeper = nil }
}
