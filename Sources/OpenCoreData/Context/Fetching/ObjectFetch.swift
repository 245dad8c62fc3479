/// A fetch of objects between a context and its stores: what the stores are asked, in view of the context's unsaved
/// changes.
struct ObjectFetch {
    let plan: FetchPlan
    let stores: [any SnapshotSource]
    /// Whether the results of several stores, or unsaved changes, must be arranged by the context.
    let isArranged: Bool
    /// The greatest number of results of each store that may be none any more.
    private let leavingCount: Int

    init(_ plan: FetchPlan, overlay: PendingOverlay) {
        self.plan = plan
        stores = plan.sources
        isArranged = overlay.isNeeded || stores.count > 1
        leavingCount = overlay.leavingCount
    }

    /// What each store is asked.
    private var query: StoreQuery {
        var query = plan.query
        guard isArranged else { return query }
        // Whatever the context's changes take away, enough results are left.
        if query.limit > 0 { query.limit = query.offset.addingClamped(query.limit).addingClamped(leavingCount) }
        query.offset = 0
        return query
    }

    /// Whether an answer that was got before is enough in view of later changes.
    func suffices(for overlay: PendingOverlay) -> Bool {
        if isArranged {
            // Without changes nobody cuts a limit and an offset out of the answer any more.
            let isCut = overlay.isNeeded || stores.count > 1 || (plan.query.limit == 0 && plan.query.offset == 0)
            return isCut && (plan.query.limit == 0 || overlay.leavingCount <= leavingCount)
        }
        return !overlay.isNeeded || (plan.query.limit == 0 && plan.query.offset == 0)
    }

    /// Asks the stores. May be called on any queue.
    func answer(_ coordinator: NSPersistentStoreCoordinator) throws -> StoreAnswer {
        let query = query
        return StoreAnswer(
            parts: try stores.map { store in
                let content: StoreAnswer.Content =
                    plan.fetchesKeysOnly
                    ? .references(try coordinator.references(query, of: store))
                    : .rows(try coordinator.rows(query, of: store))
                return (store, content)
            })
    }
}

/// What the stores say to a fetch of objects, store by store.
struct StoreAnswer {
    enum Content {
        case rows(RowList)
        case references([ObjectReference])
    }

    let parts: [(store: any SnapshotSource, content: Content)]
}

extension Int {
    /// The sum, or the greatest integer.
    func addingClamped(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
