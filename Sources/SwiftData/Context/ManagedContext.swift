import OpenCoreData

/// The managed object context on which a model context stands.
final class ManagedContext: NSManagedObjectContext, @unchecked Sendable {
    let schemaModel: SchemaModel
    weak var modelContext: ModelContext?
    /// The last fetch by a descriptor, for stores of the program's own.
    var describedFetch: DescribedFetch?
    /// The objects whose values a store of the program has changed in a save.
    var reregisteredIDs: [NSManagedObjectID] = []
    /// The positions behind the last save, in the histories of stores of the program.
    var savedHistoryTokens: [String: any HistoryToken] = [:]

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
}
