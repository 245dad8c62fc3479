// SPDX-License-Identifier: Apache-2.0

/// The store side of a fetch of objects: the query with the limit that the unsaved changes need. May run on any queue.
struct ObjectFetch {
    let plan: FetchPlan
    private let storeCount: Int
    /// Whether the context sorts and limits the results: there are several stores, or unsaved changes.
    let isCombinedByContext: Bool
    /// How many results of each store the overlay may remove at most.
    private let maximumRemovalCount: Int

    init(_ plan: FetchPlan, overlay: PendingOverlay, coordinator: NSPersistentStoreCoordinator) {
        self.plan = plan
        storeCount = coordinator.storeCount(plan.scope)
        isCombinedByContext = overlay.isNeeded || storeCount > 1
        maximumRemovalCount = overlay.maximumRemovalCount
    }

    /// The query for each store.
    private var query: StoreQuery {
        var query = plan.query
        guard isCombinedByContext else { return query }
        // Enough results are left after the overlay has removed some.
        if query.limit > 0 { query.limit = query.offset.addingClamped(query.limit).addingClamped(maximumRemovalCount) }
        query.offset = 0
        return query
    }

    /// Whether the result has enough objects for an overlay of later changes.
    func isSufficient(for overlay: PendingOverlay) -> Bool {
        if isCombinedByContext {
            // Without changes and with one store the context doesn't apply offset and limit.
            let isSliced = overlay.isNeeded || storeCount > 1 || (plan.query.limit == 0 && plan.query.offset == 0)
            return isSliced && (plan.query.limit == 0 || overlay.maximumRemovalCount <= maximumRemovalCount)
        }
        return !overlay.isNeeded || (plan.query.limit == 0 && plan.query.offset == 0)
    }

    /// Fetches from all stores.
    ///
    /// - Parameter objects: makes objects of rows before the fetch ends.
    /// - Throws: the errors of the stores.
    func execute(
        in coordinator: NSPersistentStoreCoordinator, making objects: ArrivingObjects? = nil
    ) throws -> StoreFetchResult {
        try coordinator.fetch(query, in: plan.scope, keysOnly: plan.fetchesKeysOnly, making: objects)
    }
}

extension Int {
    /// The sum, or the greatest integer.
    func addingClamped(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
