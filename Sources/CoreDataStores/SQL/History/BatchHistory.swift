// SPDX-License-Identifier: Apache-2.0

/// Records the rows of one batch request in the history of the store, in the open transaction.
///
/// A request hands its rows over in lists of bounded length, so that memory doesn't depend on their number.
package final class BatchHistory {
    private let recorder: any HistoryRecorder
    private let plans: SQLPlans
    /// The rows that were recorded because triggers have changed them.
    private var derived: Set<ObjectReference> = []

    /// Nil if the store doesn't record its history.
    package init?(_ origin: ChangeOrigin, _ engine: any SQLSaveEngine) {
        guard let recorder = engine.historyRecorder(origin) else { return nil }
        self.recorder = recorder
        plans = engine.plans
    }

    package func recordInsertions(_ layout: EntityLayout, keys: ArraySlice<Int64>) throws {
        try recorder.recordInsertions(try plans.historyPlan(layout), keys: keys)
    }

    /// Records rows whose properties get values.
    ///
    /// - Parameter properties: the names of the properties: `layout` may be the layout of a subentity.
    package func recordUpdates(_ layout: EntityLayout, keys: [Int64], properties: some Sequence<String>) throws {
        let plan = try plans.historyPlan(layout)
        try recorder.recordUpdates(plan, keys: keys, columns: plan.columns(layout, properties))
    }

    /// Records rows that are going to be deleted.
    func recordDeletions(_ layout: EntityLayout, keys: [Int64]) throws {
        try recorder.recordDeletions(try plans.historyPlan(layout), keys: keys)
    }

    /// Records rows whose derived attributes triggers have changed, each of them once.
    func recordDerivations(_ rows: [ObjectReference]) throws {
        for row in rows where derived.insert(row).inserted {
            guard let (plan, columns) = try plans.derivationColumns(layout: row.layout) else { continue }
            try recorder.recordUpdate(plan, key: row.key, columns: columns)
        }
    }

    /// Ends the record, after all changes.
    ///
    /// - Returns: the number of the transaction; nil if nothing was recorded.
    @discardableResult
    package func finish() throws -> Int64? { try recorder.finish() }
}

extension HistoryPlan {
    /// The bit vector of properties; names that the layout doesn't have are left out.
    fileprivate func columns(_ layout: EntityLayout, _ names: some Sequence<String>) -> [UInt8] {
        var columns = emptyColumns
        for name in names { if let slot = layout.slot(named: name) { mark(slot, in: &columns) } }
        return columns
    }
}

extension SQLPlans {
    /// How the history records that triggers have changed the derived attributes of a row; nil for an unknown entity.
    func derivationColumns(layout number: UInt32) throws -> (plan: HistoryPlan, columns: [UInt8])? {
        guard let entity = mapping.entity(layout: number), let layout = mapping.layout(entity: Int64(entity.number))
        else { return nil }
        let plan = try historyPlan(layout)
        var columns = plan.emptyColumns
        for index in layout.derivedProperties {
            let slot = layout.properties[index]
            if entity.attribute(slot.name)?.derivation?.isMaintainedByTriggers == true {
                plan.mark(slot, in: &columns)
            }
        }
        return (plan, columns)
    }
}
