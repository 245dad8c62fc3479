// SPDX-License-Identifier: Apache-2.0

/// A list of properties whose combined values must be unique among the objects of an entity and its subentities. A
/// list of values with a nil is not compared.
///
/// There is one object for each constraint; the layouts of the declaring entity and its subentities share it.
/// Immutable, hence Sendable.
package final class UniquenessConstraint: @unchecked Sendable {
    package let names: [String]
    /// The properties, which have the same cells in all subentities.
    let slots: [PropertySlot]
    /// The number of the layout that declares the constraint.
    package let layout: UInt32
    /// The number of the root entity's layout.
    package let root: UInt32

    init(names: [String], slots: [PropertySlot], layout: UInt32, root: UInt32) {
        self.names = names
        self.slots = slots
        self.layout = layout
        self.root = root
    }

    /// The constraints of an entity: the inherited ones, then its own. A list that repeats an inherited one is left
    /// out.
    static func all(
        of entity: NSEntityDescription, inherited: [UniquenessConstraint], layout: UInt32, root: UInt32,
        slot: (String) -> PropertySlot?
    ) -> [UniquenessConstraint] {
        let known = Set(inherited.map(\.names))
        return inherited
            + entity.uniquenessConstraintNames.filter { !known.contains($0) }.compactMap { names in
                let slots = names.compactMap(slot).filter { $0.cell >= 0 && !$0.isTransient && $0.kind != .composite }
                return slots.count == names.count && !names.isEmpty
                    ? UniquenessConstraint(names: names, slots: slots, layout: layout, root: root) : nil
            }
    }

    /// The values of a row, nil if one of them is nil.
    func key(_ cells: Cells) -> UniquenessKey? {
        var values: [UniquenessKey.Value] = []
        values.reserveCapacity(slots.count)
        for slot in slots {
            guard let value = UniquenessKey.Value(slot, cells) else { return nil }
            values.append(value)
        }
        return UniquenessKey(values: values)
    }

    /// Whether no value of a row is nil.
    func hasValues(_ cells: Cells) -> Bool { !slots.contains { $0.isNil(cells) } }

    /// Whether two rows without nil values have equal ones, as `UniquenessKey` compares them.
    func haveEqualValues(_ cells: Cells, _ other: Cells) -> Bool {
        slots.allSatisfy { UniquenessKey.Value($0, cells) == UniquenessKey.Value($0, other) }
    }

    func hash(_ cells: Cells, into hasher: inout Hasher) {
        for slot in slots { hasher.combine(UniquenessKey.Value(slot, cells)) }
    }

    /// Whether two rows differ in any of the properties.
    func differs(_ cells: Cells, _ other: Cells) -> Bool { slots.contains { !$0.isEqual(cells, other) } }
}

/// The values of a constraint's properties, compared as a store compares them.
struct UniquenessKey: Hashable {
    enum Value: Hashable {
        case integer(Int64)
        case real(Double)
        case text(ExactText)
        case object(AnyHashable)

        init?(_ slot: PropertySlot, _ cells: Cells) {
            if slot.isNil(cells) { return nil }
            switch slot.kind {
            case .integer16, .integer32, .integer64, .boolean, .toOne: self = .integer(cells.integer(slot.cell))
            case .double, .float, .date: self = .real(cells.double(slot.cell))
            case .string: self = .text(ExactText(cells.string(slot.cell).pointee ?? ""))
            default:
                guard let value = slot.read(cells) as? AnyHashable else { return nil }
                self = .object(value)
            }
        }
    }

    let values: [Value]
}
