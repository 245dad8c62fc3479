// SPDX-License-Identifier: Apache-2.0

/// Objects by ID whose rows are in memory: the most frequent case of `existingObject(with:)`, which touches as few
/// reference counts as it can.
extension NSManagedObjectContext {
    /// The registered object with an ID, if it has its values, or a new object of a row in the row cache.
    ///
    /// Only for a context without parent that reads the newest rows, and for an ID of the identity table that was used
    /// last.
    ///
    /// - Returns: nil in any other case, even if the object is registered.
    @inline(__always)
    final func objectInMemory(_ id: NSManagedObjectID) -> NSManagedObject? {
        guard readsNewestRows, handle.stalenessInterval < 0, let table = registry.lastStoredTable(of: id) else {
            return nil
        }
        return table._withUnsafeGuaranteedRef { table in
            // The layout isn't returned from the block: it would be retained.
            id.unretainedLayout._withUnsafeGuaranteedRef { layout in
                if let registered = table[id.key] {
                    guard layout.contains(registered.layoutNumber) else { return nil }
                    return registered.flags.isDisjoint(with: [.fault, .deleted, .detached]) ? registered : nil
                }
                guard let found = table.store?.rowCache?.row(layout, key: id.key) else { return nil }
                return makeLoadedObject(of: found, table: table)
            }
        }
    }
}
