// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Executes a batch delete and applies the delete rules: one statement for entities without relationships, and lists of
/// keys otherwise.
final class SQLBatchDelete {
    private let deletion: BatchDeletion
    private let run: any SQLBatchRun
    private var plans: [UInt32: [(slot: PropertySlot, plan: SQLDeletePlan)]] = [:]
    /// The keys of all deleted rows, by the number of the root layout.
    private var deleted: [UInt32: Set<Int64>] = [:]

    init(_ deletion: BatchDeletion, _ run: any SQLBatchRun) {
        self.deletion = deletion
        self.run = run
    }

    func execute() throws {
        let query = deletion.query
        run.log.touch(query.layout)
        if try !run.log.needsKeys && isPlain() {
            let statement = try run.translator.delete(query, .matching)
            if let history = run.history { try run.forEachList(query, history.recordDeletions) }
            run.log.record(.delete, count: try run.execute(statement, nil, keys: nil))
            return try run.recordRowsChangedByTriggers()
        }
        let requested = try run.references(query)
        let groups = try cascade(requested)
        for (layout, keys) in groups { try checkDenials(layout, keys) }
        if let history = run.history { try record(groups, in: history) }
        for (layout, keys) in groups { try removeLinks(layout, keys) }
        for (layout, keys) in groups { try deleteRows(layout, keys) }
        for (layout, keys) in groups { try clearReferences(layout, keys) }
        for reference in requested {
            run.log.record(.delete, key: reference.key, layout: run.layouts[reference.layout])
        }
        let results = Set(requested)
        for (layout, keys) in groups {
            for key in keys where !results.contains(ObjectReference(key: key, layout: layout.number)) {
                run.log.record(.delete, key: key, layout: layout, isResult: false)
            }
        }
        try run.recordRowsChangedByTriggers(isRecorded: isDeleted)
    }

    // MARK: History

    /// Records the rows to delete, and the remaining objects that lose a reference or a link to them.
    private func record(_ groups: [(layout: EntityLayout, keys: [Int64])], in history: BatchHistory) throws {
        var changed: [ObjectReference: Set<String>] = [:]
        for (layout, keys) in groups {
            for (slot, plan) in try plans(layout) where plan.clearText != nil || !plan.unlinkTexts.isEmpty {
                guard let inverse = slot.relationship?.inverseRelationship?.name else { continue }
                try forEachDestination(plan, keys) { destination in
                    if !isDeleted(destination) { changed[destination, default: []].insert(inverse) }
                }
            }
        }
        for (row, properties) in changed.sorted(by: { ($0.key.layout, $0.key.key) < ($1.key.layout, $1.key.key) }) {
            try history.recordUpdates(run.layouts[row.layout], keys: [row.key], properties: properties)
        }
        for (layout, keys) in groups { try history.recordDeletions(layout, keys: keys) }
    }

    /// Whether no other row and no file has to do with the rows.
    private func isPlain() throws -> Bool {
        try run.layouts(of: deletion.query).allSatisfy { layout in
            guard run.plans.mapping.entity(layout) != nil else { return true }
            guard try run.plans.writePlan(layout).externalColumns.isEmpty else { return false }
            return try plans(layout).allSatisfy { slot, plan in
                // The reference of a to-one relationship goes with the row.
                let rule = slot.deleteRule
                return plan.clearText == nil && plan.unlinkTexts.isEmpty
                    && (rule == .nullifyDeleteRule || rule == .noActionDeleteRule)
            }
        }
    }

    private func plans(_ layout: EntityLayout) throws -> [(slot: PropertySlot, plan: SQLDeletePlan)] {
        if let known = plans[layout.number] { return known }
        let entity = try run.plans.entity(layout)
        let made = layout.relationshipProperties.compactMap { index -> (PropertySlot, SQLDeletePlan)? in
            let slot = layout.properties[index]
            return SQLDeletePlan(slot, of: entity, dialect: run.dialect).map { (slot, $0) }
        }
        plans[layout.number] = made
        return made
    }

    // MARK: Rules

    /// The rows to delete: the requested rows, and the rows that they cascade to.
    private func cascade(_ requested: [ObjectReference]) throws -> [(layout: EntityLayout, keys: [Int64])] {
        var all: [ObjectReference] = []
        func add(_ references: [ObjectReference]) -> [ObjectReference] {
            let new = references.filter { deleted[root($0.layout), default: []].insert($0.key).inserted }
            all += new
            return new
        }
        var pending = add(requested)
        while !pending.isEmpty {
            var found: [ObjectReference] = []
            for (layout, keys) in run.keysByLayout(pending) {
                for (slot, plan) in try plans(layout) where slot.deleteRule == .cascadeDeleteRule {
                    try forEachDestination(plan, keys) { found.append($0) }
                }
            }
            pending = add(found)
        }
        return run.keysByLayout(all)
    }

    private func checkDenials(_ layout: EntityLayout, _ keys: [Int64]) throws {
        for (slot, plan) in try plans(layout) {
            let isDenied = slot.deleteRule == .denyDeleteRule
            guard isDenied || plan.areLinksRequired else { continue }
            try forEachDestination(plan, keys) { destination in
                guard !isDeleted(destination) else { return }
                throw isDenied ? denial(slot, layout) : missingInverse(slot, layout)
            }
        }
    }

    private func removeLinks(_ layout: EntityLayout, _ keys: [Int64]) throws {
        for (slot, plan) in try plans(layout) where !plan.unlinkTexts.isEmpty {
            run.log.touch(layout.model[slot.destination])
            for text in plan.unlinkTexts { try run.run(text, keys) }
        }
    }

    private func deleteRows(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let plan = try run.plans.writePlan(layout)
        try run.willReplaceFiles(of: plan.externalColumns, plan, keys)
        run.log.touch(layout)
        try run.run(plan.statements.delete(from: plan.entity.tableName, whereKeys: "Z_PK"), keys)
    }

    /// Clears the references of the remaining rows to deleted ones.
    private func clearReferences(_ layout: EntityLayout, _ keys: [Int64]) throws {
        for (slot, plan) in try plans(layout) {
            guard let text = plan.clearText else { continue }
            run.log.touch(layout.model[slot.destination])
            if try run.run(text, keys) > 0, plan.isInverseRequired { throw missingInverse(slot, layout) }
        }
    }

    // MARK: Destinations

    private func forEachDestination(
        _ plan: SQLDeletePlan, _ keys: [Int64], _ body: (ObjectReference) throws -> Void
    ) throws {
        let mapping = run.plans.mapping
        let declared = mapping.layout(entity: Int64(plan.destination.number))
        try run.readKeys(plan.destinationsText, keys, column: plan.destinationColumn) { key, entity in
            guard let layout = entity.flatMap(mapping.layout(entity:)) ?? declared else { return }
            try body(ObjectReference(key: key, layout: layout.number))
        }
    }

    private func root(_ layout: UInt32) -> UInt32 { run.layouts[layout].root }

    private func isDeleted(_ reference: ObjectReference) -> Bool {
        deleted[root(reference.layout)]?.contains(reference.key) ?? false
    }

    // MARK: Errors

    private func denial(_ slot: PropertySlot, _ layout: EntityLayout) -> NSError {
        error("the delete rule of \(layout.name).\(slot.name) denies the deletion: it has destinations", layout, slot)
    }

    private func missingInverse(_ slot: PropertySlot, _ layout: EntityLayout) -> NSError {
        let inverse = slot.relationship?.inverseRelationship?.name ?? ""
        let destination = layout.model[slot.destination].name
        return error(
            "the relationship \(destination).\(inverse) must not be nil, and would be: nullify rule of "
                + "\(layout.name).\(slot.name)", layout, slot)
    }

    private func error(_ reason: String, _ layout: EntityLayout, _ slot: PropertySlot) -> NSError {
        CoreDataErrors.error(
            NSPersistentStoreSaveError, "Batch delete of entity \(layout.name) failed.",
            reason: "Constraint trigger violation: \(reason).",
            suggestion: "Delete the related objects too, or change the delete rule.",
            userInfo: ["entity": layout.name, NSValidationKeyErrorKey: slot.name])
    }
}
