/// A whole stack in one object: model, coordinator and a context for the main queue.
///
/// Changes to its properties belong before `loadPersistentStores`; afterwards it may be used from any thread.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The container's name: the model's file and the default store's file are named after it.
    public let name: String
    /// The model.
    public let managedObjectModel: NSManagedObjectModel
    /// The coordinator.
    public let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The context of the main queue.
    public let viewContext: NSManagedObjectContext
    /// How the stores are opened; one SQLite store in the default folder unless set.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// Makes a container with a model that is at hand.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(.mainQueue)
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
        persistentStoreDescriptions = []
        super.init()
        persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite"))
        ]
    }

    /// Makes a container with the model of that name in the program's bundles; that of a subclass's own module comes
    /// first.
    ///
    /// Stops the program if there is none, or it can't be read: the message lists where it was sought, and the nearest
    /// names.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: ContainerModels.model(named: name, for: Self.self))
    }

    /// The folder of the default store: the application support folder, in one named after the program.
    open class func defaultDirectoryURL() -> URL {
        let base =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
    }

    /// Opens the stores of `persistentStoreDescriptions`.
    ///
    /// - Parameter block: called once a store, with the error if it can't be opened.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            if description.type == NSSQLiteStoreType, let url = description.url, !description.isReadOnly,
                url.deletingLastPathComponent().standardizedFileURL == Self.defaultDirectoryURL().standardizedFileURL
            {
                do {
                    try FileManager.default.createDirectory(
                        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                } catch {
                    block(description, error)
                    continue
                }
            }
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// A new context with a queue of its own.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new context, on that context's queue, later.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    #if compiler(>=6.2)
        /// Runs a block with a new context, on that context's queue, and suspends the caller until it is done.
        public nonisolated(nonsending) final func performBackgroundTask<T>(
            _ block: @escaping (NSManagedObjectContext) throws -> T
        ) async rethrows -> T {
            let context = newBackgroundContext()
            return try await context.perform { try block(context) }
        }
    #else
        /// Runs a block with a new context, on that context's queue, and suspends the caller until it is done.
        public final func performBackgroundTask<T>(
            isolation: isolated (any Actor)? = #isolation, _ block: @escaping (NSManagedObjectContext) throws -> T
        ) async rethrows -> T {
            let context = newBackgroundContext()
            return try await context.perform(schedule: .immediate, isolation: isolation) { try block(context) }
        }
    #endif
}
