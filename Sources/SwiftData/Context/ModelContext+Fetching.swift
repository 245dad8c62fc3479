// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContext {
    // MARK: Fetching

    /// Fetches models.
    ///
    /// - Parameter descriptor: which models, in which order.
    /// - Returns: the models.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, `SwiftDataError.unsupportedSortDescriptor`, or the error of the
    ///   store.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        let request = try ModelFetch(descriptor, in: self).request()
        // The values are read now: a fault would look for its row at its first use. If only some properties are
        // requested, the other properties are read when they are used.
        if descriptor.propertiesToFetch.isEmpty { request.returnsObjectsAsFaults = false }
        return models(try objects(for: request))
    }

    /// The models of the objects. Models of other classes are left out.
    private func models<T: PersistentModel>(_ objects: consuming [ModelObject]) -> [T] {
        let layout = core.model.layout(of: T.self)
        var keepers = managed.keeper.map { CountedReferences($0, count: objects.count) }
        defer { keepers?.releaseRest() }
        return mapInPlace(objects) { object in
            let isNew = object._withUnsafeGuaranteedRef { $0.layout === layout && !$0.hadModel }
            guard isNew else { return object.takeRetainedValue().model(as: T.self) }
            return object._withUnsafeGuaranteedRef { $0.makeModelTakingReference(T.self, keeping: keepers?.take()) }
        }
    }

    /// Fetches models in batches: the values of a batch are read when one of its models is used.
    ///
    /// - Parameters:
    ///   - descriptor: which models, in which order.
    ///   - batchSize: the number of models in a batch.
    /// - Returns: the models.
    /// - Throws: as ``fetch(_:)``.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws
        -> FetchResultsCollection<T>
    {
        let request = try ModelFetch(descriptor, in: self).request()
        request.fetchBatchSize = max(batchSize, 0)
        let objects = try objects(for: request)
        // All objects are of the class or a subclass.
        return FetchResultsCollection(count: objects.count) { objects[$0].model(as: T.self)! }
    }

    /// The number of models that a fetch would find.
    ///
    /// - Parameter descriptor: which models.
    /// - Returns: the number.
    /// - Throws: as ``fetch(_:)``.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        let request = try ModelFetch(descriptor, in: self).request()
        managed.mergeCollectedSaves()
        return try FetchErrors.translated { try managed.count(for: request) }
    }

    /// Fetches the identifiers of models, without their values.
    ///
    /// - Parameter descriptor: which models, in which order.
    /// - Returns: the identifiers.
    /// - Throws: as ``fetch(_:)``.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws
        -> [PersistentIdentifier]
    {
        let ids = try fetchIDs(descriptor)
        return (0..<ids.count).map { PersistentIdentifier(ids[$0]) }
    }

    private func fetchIDs<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> FetchedIDs {
        let request = try ModelFetch(descriptor, in: self).request()
        managed.mergeCollectedSaves()
        return try FetchErrors.translated { try managed.fetchIDs(request) }
    }

    /// Fetches the identifiers of models in batches: the identifiers of a batch are made when one of them is used.
    /// Until then each takes 16 bytes.
    ///
    /// - Parameters:
    ///   - descriptor: which models, in which order.
    ///   - batchSize: the number of identifiers in a batch.
    /// - Returns: the identifiers.
    /// - Throws: as ``fetch(_:)``.
    public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, batchSize: Int) throws
        -> FetchResultsCollection<PersistentIdentifier>
    {
        let batches = IdentifierBatches(try fetchIDs(descriptor), of: self, size: batchSize)
        return FetchResultsCollection(count: batches.count) { batches[$0] }
    }

    /// Calls a closure with each model of a fetch, and releases the models batch by batch.
    ///
    /// - Parameters:
    ///   - fetch: which models, in which order.
    ///   - batchSize: the number of models that are read at once.
    ///   - allowEscapingMutations: whether the closure may change models. If not, a change is an error, since changed
    ///     models would stay in memory.
    ///   - block: the closure.
    /// - Throws: the error of the closure; `SwiftDataError.modelValidationFailure` for a change that isn't allowed; as
    ///   ``fetch(_:)``.
    public func enumerate<T: PersistentModel>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (_ model: T) throws -> Void
    ) throws {
        let hadChanges = managed.hasChanges
        let request = try ModelFetch(fetch, in: self).request()
        request.fetchBatchSize = max(batchSize, 0)
        var objects = try objects(for: request)
        objects.reverse()
        while let object = objects.popLast() {
            guard let model = object.model(as: T.self) else { continue }
            try block(model)
            if !allowEscapingMutations, !hadChanges, managed.hasChanges {
                throw SwiftDataError(
                    .modelValidationFailure,
                    """
                    \(changes) was changed in enumerate(_:batchSize:allowEscapingMutations:block:). Allow it by \
                    allowEscapingMutations: true.
                    """)
            }
        }
    }

    /// The first unsaved change, for messages: "Recipe.title" or "A Recipe".
    private var changes: String {
        let changed = managed.updatedObjects.first
        if let changed, let key = changed.changedValues().keys.sorted().first {
            return "\(changed.entity.name ?? "").\(key)"
        }
        let other = managed.insertedObjects.first ?? managed.deletedObjects.first
        return Wording.withArticle(other?.entity.name ?? "model")
    }

    func objects(for request: NSFetchRequest<ModelObject>) throws -> [ModelObject] {
        managed.mergeCollectedSaves()
        return try FetchErrors.translated { try managed.fetchDirectly(request) }
    }

    // MARK: Models by identifier

    /// The model with an identifier: the model that the context has, or a fault whose values are read at its first use.
    ///
    /// The first use also finds out whether the row exists. For an identifier of an entity that the container doesn't
    /// have, the result is a model without properties and context.
    ///
    /// - Parameter persistentModelID: the identifier.
    /// - Returns: the model.
    public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
        managed.mergeCollectedSaves()
        if let id = objectID(of: persistentModelID), let object = managed.object(with: id) as? ModelObject {
            return object.model
        }
        guard let type = core.schema.entitiesByName[persistentModelID.entityName]?.modelType else {
            return UnavailableModel()
        }
        return Self.missingModel(type)
    }

    /// A model without context, for an identifier whose row no store of the container has.
    private static func missingModel<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
        type.init(backingData: ManagedBackingData<Model>(for: Model.self))
    }

    /// The model with an identifier, if the context has it already.
    ///
    /// - Parameter persistentModelID: the identifier.
    /// - Returns: the model; nil if the context doesn't have it, or if its class is another one.
    public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
        guard let id = objectID(of: persistentModelID), let object = managed.registeredObject(for: id) as? ModelObject
        else { return nil }
        return object.model(as: T.self)
    }

    /// The object of an identifier, nil if no store has the row.
    func existingObject(for id: PersistentIdentifier) -> ModelObject? {
        managed.mergeCollectedSaves()
        guard let id = objectID(of: id) else { return nil }
        return (try? managed.existingObject(with: id)) as? ModelObject
    }

    /// The object ID of an identifier in the stores of the container.
    func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
        if case .object(let id) = identifier.form, id.isTemporaryID || id.persistentStore != nil {
            let isOwn = id.isTemporaryID ? managed.registeredObject(for: id) != nil : isOwn(id)
            if isOwn { return id }
        }
        if let id = core.ownStores.objectID(of: identifier) { return id }
        guard !identifier.isTemporary, let url = URL(string: identifier.parts.uriRepresentation) else { return nil }
        return core.coordinator.managedObjectID(forURIRepresentation: url)
    }

    /// The object ID of an identifier in a predicate, which compares keys alone: nil for an identifier from elsewhere
    /// that names a row by another entity of its hierarchy.
    func rowID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
        guard let id = objectID(of: identifier) else { return nil }
        guard case .parts = identifier.form, id.entity.superentity != nil || !id.entity.subentities.isEmpty else {
            return id
        }
        do {
            return try managed.existingObject(with: id).objectID
        } catch {
            // The store itself says why it can't be read.
            return (error as NSError).code == NSManagedObjectReferentialIntegrityError ? nil : id
        }
    }

    private func isOwn(_ id: NSManagedObjectID) -> Bool {
        id.persistentStore?.persistentStoreCoordinator === core.coordinator
    }
}
