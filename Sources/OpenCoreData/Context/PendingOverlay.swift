/// The unsaved changes of a context that bear on one fetch.
struct PendingOverlay {
    private let inserted: [NSManagedObject]
    private let updated: [NSManagedObject]
    private let hasDeleted: Bool
    private let predicate: NSPredicate?

    init(_ plan: FetchPlan, context: NSManagedObjectContext) {
        predicate = plan.predicate
        guard plan.description.includesPendingChanges else {
            inserted = []
            updated = []
            hasDeleted = false
            return
        }
        context.processPendingChanges()
        let layout = plan.query.layout
        let exact = !plan.query.includesSubentities
        func concerns(_ object: NSManagedObject) -> Bool {
            exact ? object.layout === layout : object.layout.isKind(of: layout)
        }
        let stores = plan.affectedStores ?? []
        inserted = context.inserted.objects.filter { concerns($0) && stores.isEmpty }
        updated = context.updated.objects.filter { object in
            concerns(object) && (stores.isEmpty || stores.contains { $0 === object.table?.store?.store })
        }
        hasDeleted = context.deleted.objects.contains(where: concerns)
    }

    /// Whether the store's answer alone would be wrong.
    var isNeeded: Bool { !inserted.isEmpty || !updated.isEmpty || hasDeleted }

    /// The store's objects without the deleted and those that no longer match, and with those that match now.
    func apply(to stored: [NSManagedObject]) -> [NSManagedObject] {
        var result = stored.filter { object in
            guard object.flags.isDisjoint(with: [.deleted, .gone]) else { return false }
            return object.flags.contains(.updated) ? matches(object) : true
        }
        let present = Set(stored.filter { $0.flags.contains(.updated) })
        result += updated.filter { !present.contains($0) && matches($0) }
        // An object with a permanent ID but no row yet is only in the list of the inserted.
        result += inserted.filter(matches)
        return result
    }

    private func matches(_ object: NSManagedObject) -> Bool { predicate?.evaluate(with: PendingObject(object)) ?? true }
}
