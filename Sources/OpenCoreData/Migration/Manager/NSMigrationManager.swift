// SPDX-License-Identifier: Apache-2.0

/// Migrates a store with a mapping model: makes the objects of a new store from the objects of an old store.
///
/// ```swift
/// func migrate(_ store: URL, of old: NSManagedObjectModel, to new: NSManagedObjectModel, at url: URL) throws {
///     guard let mapping = NSMappingModel(from: nil, forSourceModel: old, destinationModel: new) else { return }
///     let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
///     try manager.migrateStore(from: store, type: .sqlite, mapping: mapping, to: url, type: .sqlite)
/// }
/// ```
///
/// A migration has three passes over the entity mappings, in the order of the mapping model. The first makes the
/// destination objects and sets their attributes, the second sets their relationships, the third validates. In each
/// pass the ``NSEntityMigrationPolicy`` of the mapping does the work.
///
/// The objects of both contexts stay registered until the end, where one save writes all new objects. A policy finds
/// the objects that it has made in ``destinationContext``, by `registeredObjects`, `insertedObjects` or a fetch. The
/// values of source objects are released after use, and read again when they are needed. A migration that runs no
/// policies and no other code of the program saves from time to time instead. Its memory grows by a few words for each
/// object.
///
/// All objects of a migration are of class `NSManagedObject`, whatever classes the models name: a program has only one
/// class of a name, but the models have two versions of the entity.
///
/// A manager is used on one thread, which may be any. ``cancelMigrationWithError(_:)`` and ``migrationProgress`` can be
/// used on other threads.
nonisolated open class NSMigrationManager: NSObject, @unchecked Sendable {
    private struct Progress {
        var fraction: Float = 0
        var cancellation: (any Error)?
    }

    private let sourceModelStorage: NSManagedObjectModel
    private let destinationModelStorage: NSManagedObjectModel
    private let progress = Locked(Progress())
    /// The migration that is running.
    final var migration: MappedMigration?
    /// Called with each new value of ``migrationProgress``. An error cancels the migration.
    final var progressHandler: ((Float) throws -> Void)?
    /// The first error of a method that an expression has called.
    final var functionFailure: (any Error)?

    /// Makes a manager for two versions of a model.
    ///
    /// A store class can name a subclass of the manager in `migrationManagerClass()`. The subclass inherits or
    /// overrides this initializer, by which the migration makes it.
    ///
    /// - Parameters:
    ///   - sourceModel: the model of the store that is migrated.
    ///   - destinationModel: the model of the new store.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        sourceModelStorage = sourceModel
        destinationModelStorage = destinationModel
        super.init()
    }

    /// Migrates a store into another one; see ``migrateStore(from:type:options:mapping:to:type:options:)``.
    ///
    /// - Parameters:
    ///   - sourceURL: the URL of the store.
    ///   - sStoreType: its type.
    ///   - sOptions: its options. It is opened for reading only.
    ///   - mappings: the mapping model.
    ///   - dURL: the URL of the new store.
    ///   - dStoreType: its type.
    ///   - dOptions: its options.
    /// - Throws: the errors of the method above; 134110 without a mapping model.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrate(
            ClosedStore(url: sourceURL, type: sStoreType, options: sOptions), mappings,
            to: ClosedStore(url: dURL, type: dStoreType, options: dOptions))
    }

    // MARK: Models and options

    /// The model of the store that is migrated.
    open var sourceModel: NSManagedObjectModel { sourceModelStorage }
    /// The model of the new store.
    open var destinationModel: NSManagedObjectModel { destinationModelStorage }

    /// Whether a store may migrate itself, which is faster. True by default.
    ///
    /// A SQLite store migrates itself with an inferred mapping model into a new SQLite store: the file is copied, and
    /// SQL migrates the copy. No policy is called.
    open var usesStoreSpecificMigrationManager = true

    /// Values for the program's use. Expressions read them as `$manager.userInfo`.
    open var userInfo: [AnyHashable: Any]?

    /// Forgets which destination objects were made from which source objects.
    open func reset() { migration?.associations = MigrationAssociations() }

    // MARK: The running migration

    /// The mapping model of the running migration. Without one the program stops.
    open var mappingModel: NSMappingModel { running("mappingModel").mappingModel }

    /// The context of the old store. Without a running migration the program stops.
    ///
    /// Its objects are for reading.
    open var sourceContext: NSManagedObjectContext { running("sourceContext").source.context }

    /// The context of the new store. Without a running migration the program stops.
    ///
    /// The manager saves the context at the end. If the program saves the context before the third pass has begun,
    /// nothing is validated.
    open var destinationContext: NSManagedObjectContext { running("destinationContext").destination.context }

    /// The entity mapping that is being processed. If none is, an entity mapping without a name, an entity or any other
    /// property.
    ///
    /// Core Data returns nil in that case, though the property isn't optional. Swift then reads empty values, too.
    open var currentEntityMapping: NSEntityMapping { migration?.currentMapping ?? NSEntityMapping() }

    /// The part of the migration that is done, from 0 to 1. Can be read on any thread.
    open var migrationProgress: Float { progress.withLock { $0.fraction } }

    /// Ends the migration before the next object: `migrateStore` throws the error, and removes the new store.
    ///
    /// Can be called on any thread.
    ///
    /// - Parameter error: the reason, which `migrateStore` throws.
    open func cancelMigrationWithError(_ error: any Error) { progress.withLock { $0.cancellation = error } }

    /// The source entity of a mapping; nil if the mapping adds an entity. Without a running migration the program
    /// stops.
    ///
    /// - Parameter mEntity: an entity mapping.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { running("sourceEntity(for:)").source.entity(named: $0) }
    }

    /// The destination entity of a mapping; nil if the mapping removes an entity. Without a running migration the
    /// program stops.
    ///
    /// - Parameter mEntity: an entity mapping.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { running("destinationEntity(for:)").destination.entity(named: $0) }
    }

    /// Records that an object of the new store was made from an object of the old store.
    ///
    /// A policy that makes destination objects itself calls the method, so that the second pass sees the object, and
    /// relationships find it.
    ///
    /// - Parameters:
    ///   - sourceInstance: an object of ``sourceContext``.
    ///   - destinationInstance: an object of ``destinationContext``.
    ///   - entityMapping: the mapping that made it.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        running("associate(sourceInstance:withDestinationInstance:for:)")
            .associations.add(sourceInstance, destinationInstance, mapping: entityMapping.name)
    }

    /// The objects of the new store that a mapping has made.
    ///
    /// - Parameters:
    ///   - mappingName: the name of an entity mapping.
    ///   - sourceInstances: the objects that they were made from; nil for all.
    /// - Returns: the objects, in the order of the source objects.
    open func destinationInstances(forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?)
        -> [NSManagedObject]
    {
        let migration = running("destinationInstances(forEntityMappingName:sourceInstances:)")
        return migration.associations.destinations(
            of: sourceInstances, mapping: mappingName, in: migration.destination)
    }

    /// The objects of the old store from which a mapping has made objects.
    ///
    /// - Parameters:
    ///   - mappingName: the name of an entity mapping.
    ///   - destinationInstances: the objects that were made; nil for all.
    /// - Returns: the objects, in the order of the destination objects.
    open func sourceInstances(forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?)
        -> [NSManagedObject]
    {
        let migration = running("sourceInstances(forEntityMappingName:destinationInstances:)")
        return migration.associations.sources(of: destinationInstances, mapping: mappingName)
            .map(migration.source.object)
    }

    // MARK: Internal

    final func running(_ member: String) -> MappedMigration {
        guard let migration else {
            programmingError(
                "NSMigrationManager.\(member): no migration is running.",
                remedy: "Use it in the methods of a migration policy, which migrateStore calls.")
        }
        return migration
    }

    final func begin() {
        progress.withLock { $0 = Progress() }
        functionFailure = nil
    }

    final func report(_ fraction: Float) {
        progress.withLock { $0.fraction = fraction }
        do { try progressHandler?(fraction) } catch { cancelMigrationWithError(error) }
    }

    /// - Throws: the error of ``cancelMigrationWithError(_:)``, or of a method that an expression has called.
    final func checkFailures() throws {
        if let error = progress.withLock({ $0.cancellation }) { throw error }
        guard let failure = functionFailure else { return }
        functionFailure = nil
        throw failure
    }
}

extension NSMigrationManager {
    /// Migrates a store into another one.
    ///
    /// Both stores may be of any type. If there is no store at the destination, one is created; otherwise the objects
    /// are added to it. The old store is opened for reading only and stays as it is. The new store gets the metadata
    /// that the program has set in the old store.
    ///
    /// The method returns when the new store is complete. If it throws, a store that it has created is removed.
    ///
    /// ```swift
    /// func migrate(_ old: NSManagedObjectModel, to new: NSManagedObjectModel) throws {
    ///     let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    ///     try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
    ///         from: URL(fileURLWithPath: "Music.sqlite"), type: .sqlite, mapping: mapping,
    ///         to: URL(fileURLWithPath: "Music-2.sqlite"), type: .sqlite)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sourceURL: the URL of the store.
    ///   - sourceType: its type.
    ///   - sourceOptions: its options.
    ///   - mapping: the mapping model. It must have the version hashes of both models.
    ///   - destinationURL: the URL of the new store.
    ///   - destinationType: its type.
    ///   - destinationOptions: its options.
    /// - Throws: errors in `NSCocoaErrorDomain`: `NSMigrationError` (134110) for a mapping model of other models and
    ///   for a value that a property can't have, `NSMigrationManagerSourceStoreError` (134150) and
    ///   `NSMigrationManagerDestinationStoreError` (134160) for stores that can't be opened, with the error of opening
    ///   under `NSUnderlyingErrorKey`, `NSEntityMigrationPolicyError` (134170) for an unknown policy class or a missing
    ///   method, 1550 to 1680 for objects that are not valid; the errors of policies, and of
    ///   ``cancelMigrationWithError(_:)``.
    public final func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrate(
            ClosedStore(url: sourceURL, type: sourceType.rawValue, options: sourceOptions), mapping,
            to: ClosedStore(url: destinationURL, type: destinationType.rawValue, options: destinationOptions))
    }

    /// The work of `migrateStore`.
    final func migrate(_ source: ClosedStore, _ mapping: NSMappingModel?, to destination: ClosedStore) throws {
        guard migration == nil else {
            programmingError("NSMigrationManager.migrateStore: a migration of this manager is running already.")
        }
        begin()
        try MappedMigration.run(self, from: source, mapping, to: destination)
        report(1)
    }
}

/// The values that expressions read by key: `$manager.sourceContext`.
extension NSMigrationManager: KeyValueCoding {
    /// The value of a property, for expressions such as `$manager.userInfo`.
    ///
    /// - Parameter key: the name of a property of the class. Another key stops the program.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "sourceContext": return sourceContext
        case "destinationContext": return destinationContext
        case "sourceModel": return sourceModel
        case "destinationModel": return destinationModel
        case "mappingModel": return mappingModel
        case "currentEntityMapping": return migration?.currentMapping
        case "migrationProgress": return NSNumber(value: migrationProgress)
        case "usesStoreSpecificMigrationManager": return NSNumber(value: usesStoreSpecificMigrationManager)
        case "userInfo": return userInfo
        default:
            programmingError("\(type(of: self)) isn't key-value coding compliant for the key \"\(key)\".")
        }
    }
}
