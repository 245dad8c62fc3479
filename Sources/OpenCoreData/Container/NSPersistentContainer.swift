// SPDX-License-Identifier: Apache-2.0

/// A complete Core Data stack: a model, a coordinator with its stores, and a context on the main queue.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Music")
/// container.loadPersistentStores { description, error in
///     if let error { fatalError("The store \(description.url?.path ?? "") can't be opened: \(error)") }
/// }
/// let songs = try container.viewContext.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song"))
/// ```
///
/// A program changes ``persistentStoreDescriptions`` before it calls ``loadPersistentStores(completionHandler:)``, for
/// instance to place the file in another folder. From then on the container may be used from any thread. Its contexts
/// have their own rules: ``viewContext`` belongs to the main queue. Each context of ``newBackgroundContext()`` and
/// ``performBackgroundTask(_:)->_`` has a private queue.
///
/// A server or a command-line program that doesn't run the main queue uses background contexts only.
nonisolated open class NSPersistentContainer: NSObject, @unchecked Sendable {
    private let nameStorage: String
    private let coordinatorStorage: NSPersistentStoreCoordinator
    private let viewContextStorage: NSManagedObjectContext

    /// The name of the container, of its model and of the default store's file.
    open var name: String { nameStorage }
    /// The model.
    open var managedObjectModel: NSManagedObjectModel { coordinatorStorage.managedObjectModel }
    /// The coordinator of the stores.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinatorStorage }

    /// The context of the main queue.
    ///
    /// ```swift
    /// container.viewContext.automaticallyMergesChangesFromParent = true
    /// let count = try container.viewContext.performAndWait {
    ///     try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song"))
    /// }
    /// ```
    ///
    /// The context is made with the container; it fetches nothing until ``loadPersistentStores(completionHandler:)``
    /// has opened a store. Code on the main queue uses it directly; code on other threads goes through `perform(_:)` or
    /// `performAndWait(_:)`, which wait for ever in a program that doesn't run its main queue.
    open var viewContext: NSManagedObjectContext { viewContextStorage }

    /// The descriptions of the stores that ``loadPersistentStores(completionHandler:)`` opens.
    ///
    /// A new container has one: a SQLite store with the container's name in ``defaultDirectoryURL()``. Changes belong
    /// before the stores are loaded.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Music.sqlite"))
    /// container.persistentStoreDescriptions = [description]
    /// ```
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// Makes a container with a model, which can't be changed from now on.
    ///
    /// - Parameters:
    ///   - name: the name of the container and of the default store's file.
    ///   - model: the model.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        nameStorage = name
        coordinatorStorage = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContextStorage = NSManagedObjectContext(.mainQueue)
        viewContextStorage.persistentStoreCoordinator = coordinatorStorage
        persistentStoreDescriptions = []
        super.init()
        persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite"))
        ]
    }

    /// Makes a container with the model that has the container's name, from the program's resources.
    ///
    /// ```swift
    /// // Music.momd, or Music.mom, in a resource bundle of the program.
    /// let container = NSPersistentContainer(name: "Music")
    /// ```
    ///
    /// The resource bundle of the module that declares the class of the container comes first: a subclass finds the
    /// model of the module that declares it. Then come the main bundle, the resource bundles of the program's modules,
    /// and, with a warning in the log, the resource bundles of other modules beside the program. Several models of the
    /// name at one of these places stop the program, and the message lists them. Each call reads the model again, so
    /// two containers of one process have two models. Containers whose objects have the same classes should share one
    /// model: pass it to `init(name:managedObjectModel:)`.
    ///
    /// A missing or damaged model stops the program. The message lists the places that were searched, and similar
    /// names.
    ///
    /// - Parameter name: the name of the model's file without extension.
    public convenience init(name: String) {
        self.init(name: name, managedObjectModel: ContainerModels.model(named: name, for: Self.self))
    }

    /// The folder of the default store: a folder named after the program in the user's application support folder.
    ///
    /// A subclass overrides the method to place its stores elsewhere.
    open class func defaultDirectoryURL() -> URL {
        OperatingSystem.applicationSupportFolder.appendingPathComponent(OperatingSystem.processName)
    }

    /// Opens the stores of ``persistentStoreDescriptions``, and creates missing stores.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/var/lib/music/Music.sqlite"))
    /// description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    /// container.persistentStoreDescriptions = [description]
    /// container.loadPersistentStores { description, error in
    ///     if let error { print("\(description.url?.path ?? ""): \(error.localizedDescription)") }
    /// }
    /// ```
    ///
    /// The handler is called once for each description, in their order: before this method returns, on the calling
    /// thread, or later and on another thread for a description with `shouldAddStoreAsynchronously`. If a store can't
    /// be opened, the other stores are opened nevertheless. A folder that is missing is created, unless the store is
    /// read-only. The method may be called on any thread.
    ///
    /// - Parameters:
    ///   - block: the handler. Its error is one of
    ///     `NSPersistentStoreCoordinator.addPersistentStore(ofType:configurationName:at:options:)`, in
    ///     `NSCocoaErrorDomain` and with the file's name: 134100 for a store of another model, 134080 for a store that
    ///     is open already, 134090 for a locked file, or a file error.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            do {
                try description.createFolder()
            } catch {
                block(description, error)
                continue
            }
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// Makes a context with a private queue, for work beside the main queue.
    ///
    /// ```swift
    /// let context = container.newBackgroundContext()
    /// try context.performAndWait {
    ///     let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
    ///     song.setValue("So What", forKey: "title")
    ///     try context.save()
    /// }
    /// ```
    ///
    /// The context is connected to the coordinator, and merges the saves of other contexts if
    /// `automaticallyMergesChangesFromParent` is set to true. The caller owns the context. The method may be called on
    /// any thread; the context is used in blocks of its `perform(_:)` and `performAndWait(_:)`.
    ///
    /// - Returns: a new context of the type `.privateQueueConcurrencyType`.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new background context, later, on the queue of that context.
    ///
    /// ```swift
    /// container.performBackgroundTask { context in
    ///     do {
    ///         for song in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")) {
    ///             song.setValue(0, forKey: "playCount")
    ///         }
    ///         try context.save()
    ///     } catch {
    ///         print("The play counts were not reset: \(error)")
    ///     }
    /// }
    /// ```
    ///
    /// Blocks of several calls run at the same time, each with a separate context. Changes that the block doesn't save
    /// are dropped with the context. The method may be called on any thread and returns at once.
    ///
    /// - Parameter block: the work. The objects of its context must not leave the block; their IDs may.
    @preconcurrency
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }
}

extension NSPersistentContainer {
    #if compiler(>=6.2)
        /// Runs a block with a new background context on the queue of that context, and suspends the caller until the
        /// block has ended.
        ///
        /// ```swift
        /// let count = try await container.performBackgroundTask { context in
        ///     try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song"))
        /// }
        /// ```
        ///
        /// - Parameter block: the work. The objects of its context must not leave the block; their IDs may.
        /// - Returns: the result of the block.
        /// - Throws: the error of the block.
        @preconcurrency
        public nonisolated(nonsending) final func performBackgroundTask<T>(
            _ block: @escaping @Sendable (NSManagedObjectContext) throws -> T
        ) async rethrows -> T {
            let context = newBackgroundContext()
            return try await context.perform { try block(context) }
        }
    #else
        /// Runs a block with a new background context on the queue of that context, and suspends the caller until the
        /// block has ended.
        ///
        /// - Parameter block: the work. The objects of its context must not leave the block; their IDs may.
        /// - Returns: the result of the block.
        /// - Throws: the error of the block.
        @preconcurrency
        public final func performBackgroundTask<T>(
            isolation: isolated (any Actor)? = #isolation,
            _ block: @escaping @Sendable (NSManagedObjectContext) throws -> T
        ) async rethrows -> T {
            let context = newBackgroundContext()
            return try await context.perform(schedule: .immediate, isolation: isolation) { try block(context) }
        }
    #endif
}
