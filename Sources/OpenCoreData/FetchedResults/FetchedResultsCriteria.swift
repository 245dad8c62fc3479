// SPDX-License-Identifier: Apache-2.0

/// A fetch request that is evaluated in memory: tells which objects belong to fetched results, and in which order.
struct FetchedResultsCriteria {
    private let layout: EntityLayout
    private let includesSubentities: Bool
    private let predicate: NSPredicate?
    private let stores: [NSPersistentStore]
    let sortKeys: SortKeys
    /// The properties that the results are sorted by: the first keys of the sort descriptors' key paths.
    private let sortProperties: [String]

    init(_ description: FetchDescription, layout: EntityLayout, affectedStores: [NSPersistentStore]?) {
        self.layout = layout
        includesSubentities = description.includesSubentities
        predicate = description.predicate.map(ConstantConversion(layout).converting)
        stores = affectedStores ?? []
        sortKeys = SortKeys(description.sortDescriptors ?? [])
        sortProperties = (description.sortDescriptors ?? []).compactMap(\.key).map { KeyPathEvaluation.split($0)[0] }
    }

    /// Whether the request can fetch objects of this object's entity.
    func mayMatch(_ object: NSManagedObject) -> Bool {
        includesSubentities ? object.layout.isKind(of: layout) : object.layout === layout
    }

    /// Whether the object belongs to the results with its current values.
    func matches(_ object: NSManagedObject) -> Bool {
        guard isRegistered(object) else { return false }
        if !stores.isEmpty {
            guard object.primaryKey > 0, stores.contains(where: { $0 === object.table?.store?.store }) else {
                return false
            }
        }
        // A fault whose row was deleted becomes a deleted object when it fires.
        object.fireFaultIfNeeded()
        guard isRegistered(object) else { return false }
        return predicate?.evaluate(with: PendingObject(object)) ?? true
    }

    private func isRegistered(_ object: NSManagedObject) -> Bool {
        object.flags.isDisjoint(with: [.deleted, .detached])
    }

    /// The kind of change that the event that is being posted has made in an object of the results.
    func change(of object: NSManagedObject) -> FetchedContentEdit.Change {
        object.isChangedInPostedEvent(sortProperties) ? .sortValue : .values
    }

    /// The object for sort descriptors and section names. An object of a subentity may lack the key that objects of
    /// another subentity are sorted by; `PendingObject` then returns nil.
    func evaluationTarget(for object: NSManagedObject) -> Any { layout.span > 0 ? PendingObject(object) : object }

    /// The sort values of an object, with a tie-breaker.
    struct SortPosition {
        let values: [Any]
        /// `store` and `key` order objects with equal values as stores do: by key. Objects without a store are last, in
        /// the order of their insertion.
        let store: Int
        let key: Int64
    }

    func sortPosition(of object: NSManagedObject) -> SortPosition {
        let isStored = object.primaryKey > 0
        return SortPosition(
            values: sortKeys.values(of: evaluationTarget(for: object)),
            store: isStored ? object.table?.store?.ordinal ?? .max : .max,
            key: isStored ? object.primaryKey : -object.primaryKey)
    }

    /// The objects in the order of their sort positions.
    func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        objects.map { (object: $0, position: sortPosition(of: $0)) }
            .sorted { precedes($0.position, $1.position) }
            .map(\.object)
    }

    func precedes(_ first: SortPosition, _ second: SortPosition) -> Bool {
        switch sortKeys.order(first.values, second.values) {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: (first.store, first.key) < (second.store, second.key)
        }
    }
}
