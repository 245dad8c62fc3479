// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// One side of a migration: the model with plain objects, a coordinator with one store, and a context.
final class MigrationStack {
    let context: NSManagedObjectContext
    let store: NSPersistentStore
    let coordinator: NSPersistentStoreCoordinator

    /// Opens a store with a new coordinator.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - model: the model; a copy without classes is used.
    ///   - isReadOnly: whether the store is only read.
    /// - Throws: the errors of adding the store.
    convenience init(_ store: ClosedStore, model: NSManagedObjectModel, isReadOnly: Bool) throws {
        try self.init(
            store, NSPersistentStoreCoordinator(managedObjectModel: Self.withoutClasses(model)), isReadOnly: isReadOnly)
    }

    /// Adds a store to a coordinator.
    init(_ store: ClosedStore, _ coordinator: NSPersistentStoreCoordinator, isReadOnly: Bool) throws {
        self.coordinator = coordinator
        var options = store.options ?? [:]
        // The given model has the store's hashes, so the opening must not migrate anything.
        for key in MigrationOptions.keys { options[key] = nil }
        if isReadOnly {
            options[NSReadOnlyPersistentStoreOption] = NSNumber(value: true)
            options[NSPersistentHistoryTrackingKey] = nil
        }
        self.store = try coordinator.addPersistentStore(
            ofType: store.type, configurationName: Self.configuration(of: store, in: coordinator.managedObjectModel),
            at: store.url, options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
    }

    /// The configuration that has the version hashes of an existing store, or the configuration for a new store; nil
    /// for all entities.
    private static func configuration(of store: ClosedStore, in model: NSManagedObjectModel) -> String? {
        guard store.exists, let metadata = try? store.metadata() else { return store.configuration }
        return model.configuration(compatibleWithStoreMetadata: metadata)
    }

    /// A copy of a model whose objects are of class `NSManagedObject`.
    static func withoutClasses(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        for entity in copy.entities { entity.managedObjectClassName = "NSManagedObject" }
        return copy
    }

    func entity(named name: String) -> NSEntityDescription? { coordinator.managedObjectModel.entitiesByName[name] }

    /// The object of a reference, usually as a fault.
    func object(_ reference: ObjectReference) -> NSManagedObject {
        let layout = coordinator.layouts[reference.layout]
        let table =
            reference.key < 0
            ? context.registry.unsavedTable(root: layout.root)
            : context.registry.table(store: store.identity, root: layout.root)
        return context.registeredObjectOrFault(layout, key: reference.key, in: table)
    }

    /// The objects of references to saved objects. The rows of objects that aren't loaded are read together.
    ///
    /// - Throws: the errors of the store.
    func load(_ references: ArraySlice<ObjectReference>) throws -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(references.count)
        var rest = references
        while let first = rest.first {
            let root = coordinator.layouts[first.layout].root
            let run = rest.prefix { coordinator.layouts[$0.layout].root == root }
            objects += context.objectsOrFaults(
                Array(run), model: coordinator.layouts,
                table: context.registry.table(store: store.identity, root: root),
                areUnique: false)
            rest = rest[run.endIndex...]
        }
        try loadRows(of: objects)
        return objects
    }

    /// Reads the rows of faults.
    ///
    /// - Throws: the errors of the store.
    func loadRows(of objects: [NSManagedObject]) throws {
        let faults = objects.filter(\.awaitsRow)
        guard let root = faults.first?.layout.root else { return }
        if faults.allSatisfy({ $0.layout.root == root }) { return try loadRows(of: faults, root: root) }
        for (root, faults) in Dictionary(grouping: faults, by: { $0.layout.root }) {
            try loadRows(of: faults, root: root)
        }
    }

    private func loadRows(of faults: [NSManagedObject], root: UInt32) throws {
        try context.loadRows(
            of: faults, layout: coordinator.layouts[root],
            table: context.registry.table(store: store.identity, root: root))
    }

    /// Releases the values of objects without unsaved changes: they are faults again. Objects that nothing else retains
    /// leave the memory, since related objects retain each other until they are faults.
    func releaseRows(of objects: some Sequence<NSManagedObject>) {
        for object in objects
        where object.primaryKey > 0
            && object.flags.isDisjoint(with: [.inserted, .updated, .deleted, .detached, .pending])
        { object.turnIntoFault() }
    }

    /// The references of the saved objects that a request describes.
    ///
    /// - Throws: the errors of a fetch.
    func fetchReferences(_ request: NSPersistentStoreRequest) throws -> [ObjectReference] {
        context.resolveEntity(of: request)
        guard var description = request.fetchDescriptionStorage else { return [] }
        description.resultType = .managedObjectIDResultType
        let plan = try context.fetchPlan(description, affectedStores: nil)
        let result = try coordinator.fetch(plan.query, in: plan.scope, keysOnly: true)
        return result.parts.flatMap { _, content -> [ObjectReference] in
            if case .references(let references) = content { references } else { [] }
        }
    }

    /// Whether a key of metadata is Core Data's.
    static func isReserved(_ key: String) -> Bool {
        ["NSStore", "NSPersisten", "_NS"].contains { key.hasPrefix($0) }
    }

    /// Closes the store.
    func close() {
        context.performSynchronously { context.reset() }
        try? coordinator.remove(store)
    }
}

/// The options by which a coordinator migrates a store.
enum MigrationOptions {
    static let keys = [
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        NSMigratePersistentStoresToFormerVersionOption,
    ]
}
