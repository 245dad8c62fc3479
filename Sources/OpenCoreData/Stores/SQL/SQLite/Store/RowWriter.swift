internal import CSQLite

/// Writes the rows of one entity: the statements and how cells are bound to them.
final class RowWriter {
    let entity: SQLEntity
    let insertText: String
    let steps: [Step]
    /// Kind and cell of each step, without reference counts.
    let plainSteps: UnsafeBufferPointer<PlainStep>
    /// Columns with external storage, whose files must follow their rows.
    let externalSteps: [Step]
    let deleteText: String

    struct PlainStep {
        let kind: SQLStorageKind
        let cell: Int
    }

    deinit { plainSteps.deallocate() }

    final class Step {
        let slot: PropertySlot
        let kind: SQLStorageKind
        let cell: Int
        let column: String
        /// For references: the column of the destination's `Z_ENT`.
        let entityColumn: String?
        /// For references: the column of the place in the inverse.
        let orderColumn: String?

        init(slot: PropertySlot, kind: SQLStorageKind, column: String, entityColumn: String?, orderColumn: String?) {
            self.slot = slot
            self.kind = kind
            cell = slot.cell
            self.column = column
            self.entityColumn = entityColumn
            self.orderColumn = orderColumn
        }
    }

    init(layout: EntityLayout, entity: SQLEntity) {
        self.entity = entity
        var steps: [Step] = []
        func write(_ slot: PropertySlot, _ property: SQLProperty?) {
            switch property {
            case .composite(let composite)?:
                for element in slot.elements { write(element, composite.element(element.name)) }
            case .attribute(let attribute)? where attribute.derivation?.isKeptByTriggers != true:
                steps.append(
                    Step(
                        slot: slot, kind: attribute.column.kind, column: attribute.column.name, entityColumn: nil,
                        orderColumn: nil))
            case .toOne(let relationship)?:
                steps.append(
                    Step(
                        slot: slot, kind: .relationshipKey, column: relationship.column.name,
                        entityColumn: relationship.entityColumn?.name,
                        orderColumn: relationship.orderColumn?.name))
            default:
                break
            }
        }
        for slot in layout.properties where slot.cell >= 0 { write(slot, entity.properties[slot.name]) }
        self.steps = steps
        let plain = UnsafeMutableBufferPointer<PlainStep>.allocate(capacity: steps.count)
        _ = plain.initialize(from: steps.map { PlainStep(kind: $0.kind, cell: $0.cell) })
        plainSteps = UnsafeBufferPointer(plain)
        externalSteps = steps.filter { $0.kind == .externalBinary }
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + steps.flatMap { [$0.column] + ($0.entityColumn.map { [$0] } ?? []) }
        insertText =
            """
            INSERT INTO \(entity.tableName)(\(columns.joined(separator: ", "))) \
            VALUES(\(columns.map { _ in "?" }.joined(separator: ", ")))
            """
        deleteText = "DELETE FROM \(entity.tableName) WHERE Z_PK = ? AND Z_OPT = ?"
    }

    /// The statement that writes the given steps of one row, if it still has the version that the context saw.
    func updateText(_ changed: [Step], clearingOrder: Set<String>) -> String {
        var assignments: [String] = []
        for step in changed {
            assignments.append("\(step.column) = ?")
            if let entityColumn = step.entityColumn { assignments.append("\(entityColumn) = ?") }
            if let orderColumn = step.orderColumn, clearingOrder.contains(orderColumn) {
                assignments.append("\(orderColumn) = NULL")
            }
        }
        assignments.append("Z_OPT = ?")
        return "UPDATE \(entity.tableName) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ? AND Z_OPT = ?"
    }

    /// The bytes of a transformable cell.
    static func transformable(_ cells: Cells, _ slot: PropertySlot) throws -> Data? {
        guard let object = cells.object(slot.cell).pointee else { return nil }
        if let stored = object as? StoredTransformable { return stored.data }
        guard let value = slot.read(cells) else { return nil }
        return try TransformableCoding.encode(value, slot: slot)
    }
}
