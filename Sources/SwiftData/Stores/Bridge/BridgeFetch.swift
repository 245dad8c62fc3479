// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A fetch in a custom store. If the store leaves the predicate or the order to the container, the fetch filters or
/// sorts here, with the stored values.
struct BridgeFetch {
    private let request: NSFetchRequest<any NSFetchRequestResult>
    private let modelType: any PersistentModel.Type
    private let entity: NSEntityDescription
    private let context: NSManagedObjectContext?
    private let bridge: DataStoreBridge

    init(
        _ request: NSFetchRequest<any NSFetchRequestResult>, of type: any PersistentModel.Type,
        _ entity: NSEntityDescription, _ context: NSManagedObjectContext?, _ bridge: DataStoreBridge
    ) throws {
        self.request = request
        modelType = type
        self.entity = entity
        self.context = context
        self.bridge = bridge
    }

    func count() throws -> Int { try countModels(modelType) }

    func objectIDs() throws -> [NSManagedObjectID] { try objectIDsOfModels(modelType) }

    // MARK: Asking the store

    private func countModels<T: PersistentModel>(_ type: T.Type) throws -> Int {
        guard request.includesSubentities || entity.subentities.isEmpty else { return try objectIDs().count }
        let (count, work) = try ask(type) { try bridge.dataStore.count($0, $1) }
        if work.isNothing {
            guard count >= 0 else { throw bridge.misfit("the count \(count)") }
            return count
        }
        return try objectIDs().count
    }

    private func objectIDsOfModels<T: PersistentModel>(_ type: T.Type) throws -> [NSManagedObjectID] {
        if request.resultType == .managedObjectIDResultType {
            let (identifiers, work) = try ask(type) { try bridge.dataStore.identifiers($0, $1) }
            if work.isNothing { return selected(try identifiers.map(objectID)) }
        }
        let (contents, work) = try ask(type) { try bridge.dataStore.contents($0, $1) }
        let ids = try contents.fetched.map { try objectID($0.identifier) }
        let rows = try (contents.fetched + contents.related).map { try SnapshotRow($0, bridge) }
        bridge.snapshots.replace(rows, of: context)
        // The store has just returned its present values: rows that were read earlier may be older.
        for (root, rows) in Dictionary(grouping: rows, by: { $0.objectID.layout.root }) {
            bridge.rowCache.evict(root: root, keys: rows.map(\.objectID.key))
        }
        return work.isNothing ? selected(ids) : try finished(ids, rows, work)
    }

    /// The object ID of a fetched model.
    private func objectID(_ identifier: PersistentIdentifier) throws -> NSManagedObjectID {
        let id = try bridge.objectID(of: identifier)
        guard id.entity.isKindOf(entity: entity) else {
            throw bridge.misfit("\(identifier) for a fetch of \(entity.name ?? "")")
        }
        return id
    }

    private func selected(_ ids: [NSManagedObjectID]) -> [NSManagedObjectID] {
        request.includesSubentities ? ids : ids.filter { $0.entity.name == entity.name }
    }

    /// The work of the container.
    private struct Work {
        var filters = false
        var sorts = false
        var isNothing: Bool { !filters && !sorts }
    }

    /// Asks the store. If it leaves the predicate or the order to the container, asks again without them.
    private func ask<T: PersistentModel, Answer>(
        _ type: T.Type, _ question: (FetchDescriptor<T>, EditingState) throws -> Answer
    ) throws -> (Answer, Work) {
        let known = (context as? ManagedContext)?.describedFetch?.descriptor(of: request, type)
        let state = bridge.state(of: context)
        var work = Work(
            filters: known == nil && request.predicate != nil,
            sorts: known == nil && !(request.sortDescriptors ?? []).isEmpty)
        while true {
            var descriptor = known ?? FetchDescriptor<T>()
            if work.filters { descriptor.predicate = nil }
            if work.sorts { descriptor.sortBy = [] }
            let hasRange = work.isNothing && (request.includesSubentities || entity.subentities.isEmpty)
            descriptor.fetchLimit = hasRange && request.fetchLimit > 0 ? request.fetchLimit : nil
            descriptor.fetchOffset = hasRange && request.fetchOffset > 0 ? request.fetchOffset : nil
            do {
                return (try bridge.calling { try question(descriptor, state) }, work)
            } catch DataStoreError.preferInMemoryFilter where !work.filters {
                work.filters = true
            } catch DataStoreError.preferInMemorySort where !work.sorts {
                work.sorts = true
            }
        }
    }

    // MARK: The container's part

    /// Filters and sorts by the stored values, in a context without changes.
    private func finished(_ ids: [NSManagedObjectID], _ rows: [SnapshotRow], _ work: Work) throws
        -> [NSManagedObjectID]
    {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = bridge.persistentStoreCoordinator
        bridge.snapshots.replace(rows, of: reader)
        defer { bridge.snapshots.forget(reader) }
        return try reader.performSynchronously {
            // A value that can't be read is an error of the fetch, not of the predicate.
            var objects = try selected(ids).map { try reader.existingObject(with: $0) }
            if work.filters, let predicate = request.predicate {
                objects = objects.filter { predicate.evaluate(with: $0) }
            }
            if work.sorts { objects = SortedObjects.sort(objects, by: request.sortDescriptors ?? []) }
            let rest = objects.dropFirst(max(request.fetchOffset, 0))
            return (request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest).map(\.objectID)
        }
    }
}

/// The description of the last fetch of a context. A custom store gets this description in place of Core Data's request
/// for the same fetch.
struct DescribedFetch {
    private let predicate: NSPredicate?
    private let sortKeys: [String?]
    private let descriptor: Any

    init<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ request: NSFetchRequest<ModelObject>) {
        predicate = request.predicate
        sortKeys = (request.sortDescriptors ?? []).map(\.key)
        self.descriptor = descriptor
    }

    /// The description of a request; nil if it is of another fetch.
    func descriptor<T: PersistentModel>(of request: NSFetchRequest<any NSFetchRequestResult>, _ type: T.Type)
        -> FetchDescriptor<T>?
    {
        guard request.predicate === predicate, (request.sortDescriptors ?? []).map(\.key) == sortKeys else {
            return nil
        }
        return descriptor as? FetchDescriptor<T>
    }
}
