/// Which objects belong to fetched results, and in which order: a fetch request as its context can evaluate it by
/// itself.
struct FetchedSelection {
    private let layout: EntityLayout
    private let includesSubentities: Bool
    private let predicate: NSPredicate?
    private let stores: [NSPersistentStore]
    let sortKeys: SortKeys

    init(_ description: FetchDescription, layout: EntityLayout, affectedStores: [NSPersistentStore]?) {
        self.layout = layout
        includesSubentities = description.includesSubentities
        predicate = description.predicate
        stores = affectedStores ?? []
        sortKeys = SortKeys(description.sortDescriptors ?? [])
    }

    /// Whether an object may belong to the results, whatever its values are.
    func concerns(_ object: NSManagedObject) -> Bool {
        includesSubentities ? object.layout.isKind(of: layout) : object.layout === layout
    }

    /// Whether an object belongs to the results as it is now.
    func holds(_ object: NSManagedObject) -> Bool {
        guard isAlive(object) else { return false }
        if !stores.isEmpty {
            guard object.primaryKey > 0, stores.contains(where: { $0 === object.table?.store?.store }) else {
                return false
            }
        }
        // A fault whose row is gone becomes a deletion when it is read.
        object.fireFaultIfNeeded()
        guard isAlive(object) else { return false }
        return predicate?.evaluate(with: PendingObject(object)) ?? true
    }

    private func isAlive(_ object: NSManagedObject) -> Bool { object.flags.isDisjoint(with: [.deleted, .detached]) }

    /// An object as sort descriptors and section names see it: a subentity may lack the key that another one is sorted
    /// by.
    func subject(_ object: NSManagedObject) -> Any { layout.span > 0 ? PendingObject(object) : object }

    /// The place of an object among all.
    struct SortPosition {
        let values: [Any]
        /// Decides between objects of equal values, as stores do: by key; objects without a store come last, the older
        /// ones first.
        let store: Int
        let key: Int64
    }

    func sortPosition(of object: NSManagedObject) -> SortPosition {
        let isStored = object.primaryKey > 0
        return SortPosition(
            values: sortKeys.values(of: subject(object)), store: isStored ? object.table?.store?.ordinal ?? .max : .max,
            key: isStored ? object.primaryKey : -object.primaryKey)
    }

    func precedes(_ one: SortPosition, _ two: SortPosition) -> Bool {
        switch sortKeys.order(one.values, two.values) {
        case .orderedAscending: true
        case .orderedDescending: false
        case .orderedSame: (one.store, one.key) < (two.store, two.key)
        }
    }
}
