// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// The violated invariants of the object's relationships; for tests, on the context's queue.
    ///
    /// - The contents of each to-many relationship are sound (see `ToManyContent.checkInvariants()`).
    /// - A to-one relationship with a known destination refers to it: the cell has the destination's key and layout.
    /// - The unsaved additions and removals of contents agree with the inverse: the object is the destination of an
    ///   added object, or in its contents. For a removed object it is neither. Objects that are faults, or deleted, or
    ///   in other contexts are not compared.
    ///
    /// Snapshots of two objects may come from different times, so committed members are not compared with their
    /// inverses. Relationships that `awakeFromFetch()` sets have no inverse: don't check objects of such classes.
    func checkInvariants() -> [String] {
        guard flags.isDisjoint(with: [.deleted, .detached]) else { return [] }
        return layout.relationshipProperties.flatMap { index in
            let slot = layout.properties[index]
            let violations =
                switch link(slot.link) {
                case let destination as NSManagedObject: checkDestination(destination, slot)
                case let content as ToManyContent: content.checkInvariants() + checkInverses(of: content, slot)
                default: [String]()
                }
            return violations.map { "\(layout.name).\(slot.name) of \(primaryKey): \($0)" }
        }
    }

    private func checkDestination(_ destination: NSManagedObject, _ slot: PropertySlot) -> [String] {
        guard !flags.contains(.fault) else { return [] }
        guard cells.isPresent(slot.cell), cells.referenceLayout(slot.cell) == destination.layout.number,
            cells.integer(slot.cell) == destination.primaryKey
        else {
            return [
                """
                the destination is \(destination.layout.number).\(destination.primaryKey), the cell refers to \
                \(cells.referenceLayout(slot.cell)).\(cells.integer(slot.cell))
                """
            ]
        }
        return []
    }

    private func checkInverses(of content: ToManyContent, _ slot: PropertySlot) -> [String] {
        guard slot.inverse >= 0 else { return [] }
        func isComparable(_ member: NSManagedObject) -> Bool {
            member.table?.handle === table?.handle && member.flags.isDisjoint(with: [.fault, .deleted, .detached])
        }
        let missing = content.additions.filter {
            isComparable($0) && !$0.refers(to: self, by: slot.inverse, default: true)
        }
        let surplus = content.removals.filter {
            isComparable($0) && $0.refers(to: self, by: slot.inverse, default: false)
        }
        return missing.map { "the inverse of the added \($0.primaryKey) doesn't contain the object" }
            + surplus.map { "the inverse of the removed \($0.primaryKey) contains the object" }
    }

    /// Whether a relationship contains an object.
    ///
    /// - Parameter unknown: the result if the relationship's contents are not known.
    private func refers(to object: NSManagedObject, by index: Int, default unknown: Bool) -> Bool {
        let slot = layout.properties[index]
        switch link(slot.link) {
        case let content as ToManyContent:
            return content.isLoaded ? content.contains(object) : content.contains(object) || unknown
        case let destination as NSManagedObject: return destination === object
        default:
            guard slot.kind == .toOne else { return unknown }
            return cells.refers(to: object.primaryKey, at: slot.cell)
                && layout.model[cells.referenceLayout(slot.cell)].root == object.layout.root
        }
    }
}
