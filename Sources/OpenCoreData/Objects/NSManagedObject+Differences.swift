// SPDX-License-Identifier: Apache-2.0

extension NSManagedObject {
    /// Whether a property differs from its committed value. A transformable value may be decoded, which calls the
    /// program.
    final func isChanged(_ slot: PropertySlot) -> Bool {
        switch slot.kind {
        case .toMany:
            return (link(slot.link) as? ToManyContent)?.isChanged ?? false
        case .fetched:
            return false
        default:
            guard flags.contains(.ownsCells) else { return false }
            // A new object begins with its default values.
            guard let row else { return !slot.isEqual(cells, layout.defaultCells) }
            return !slot.isEqual(cells, row.cells)
        }
    }

    /// The result of `changedValues()`.
    final func uncommittedValues() -> [String: Any] {
        guard !flags.isDisjoint(with: [.inserted, .updated, .deleted]) else { return [:] }
        var result: [String: Any] = [:]
        for slot in layout.properties where !slot.isTransient && isChanged(slot) {
            result[slot.name] = propertyValue(at: slot.index) ?? NSNull()
        }
        return result
    }

    /// The result of `committedValues(forKeys:)`.
    final func committedSnapshotValues(_ keys: [String]?) -> [String: Any] {
        // An unsaved object has no committed values.
        if flags.contains(.inserted) { return [:] }
        if table != nil { fireFaultIfNeeded() }
        var result: [String: Any] = [:]
        for key in keys ?? layout.properties.map(\.name) {
            guard let slot = layout.slot(named: key) else { unknownKey(key) }
            if slot.isTransient || slot.kind == .fetched { continue }
            result[key] = committedValue(slot) ?? NSNull()
        }
        return result
    }

    /// The destination of a to-one relationship by the object's row.
    final func committedDestination(_ slot: PropertySlot) -> NSManagedObject? {
        guard let row, row.cells.isPresent(slot.cell) else { return nil }
        return context?.object(
            ofLayout: row.cells.referenceLayout(slot.cell), key: row.cells.integer(slot.cell), near: self)
    }

    private func committedValue(_ slot: PropertySlot) -> Any? {
        switch slot.kind {
        case .toMany:
            let content = toManyContent(slot, loading: true)
            return slot.isOrdered ? NSOrderedSet(array: content.committed) : NSSet(array: content.committed)
        case .toOne:
            return committedDestination(slot)
        case .fetched:
            return nil
        default:
            return row.flatMap { slot.read($0.cells) }
        }
    }

    final func valuesDescription() -> String {
        var lines = ""
        for slot in layout.properties where slot.kind != .fetched {
            let value: String
            switch slot.kind {
            case .toOne:
                value = cells.isPresent(slot.cell) ? "p\(cells.integer(slot.cell))" : "nil"
            case .toMany:
                value =
                    (link(slot.link) as? ToManyContent).map {
                        $0.isLoaded ? Wording.count($0.count, "object") : "<relationship fault>"
                    } ?? "<relationship fault>"
            default:
                value = slot.read(cells).map { "\($0)" } ?? "nil"
            }
            lines += "    \(slot.name) = \(value);\n"
        }
        return lines
    }
}
