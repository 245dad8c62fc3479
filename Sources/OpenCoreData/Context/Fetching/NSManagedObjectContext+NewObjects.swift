// SPDX-License-Identifier: Apache-2.0

/// Makes many objects at once: one registration for all.
extension NSManagedObjectContext {
    /// Makes the objects of rows whose objects are not registered. The keys of a result are unique, so all objects are
    /// new.
    final func newObjects(_ list: RowList, table: IdentityTable, isFiring: Bool) -> [NSManagedObject] {
        guard list.count > 0 else { return [] }
        let layout = list.layout
        let objects = [NSManagedObject](unsafeUninitializedCapacity: list.count) { target, count in
            table.reserveCapacity(list.count)
            for buffer in list.buffers {
                let start = count
                var new = NewObjects(buffer.count, of: layout, in: table, buffer: buffer)
                for index in 0..<buffer.count {
                    target.initializeElement(at: count, to: new.makeObject(of: buffer[index], isFiring: isFiring))
                    count += 1
                }
                // While the objects of one buffer are in the processor's cache.
                table.register(UnsafeBufferPointer(rebasing: target[start..<count]))
            }
        }
        if isFiring && MethodOverrides.overridesAwakeFromFetch(layout.classBinding.managedObjectClass) {
            for object in objects { object.awakeWithValues() }
        }
        return objects
    }

    /// Makes the objects of rows whose objects are not registered, as arrays of consecutive rows.
    ///
    /// - Parameters:
    ///   - counts: the number of rows of each array; all of the rows together.
    ///   - receive: gets each array with its position.
    final func forEachGroup(
        of list: RowList, table: IdentityTable, counts: [Int], _ receive: (Int, [NSManagedObject]) -> Void
    ) {
        table.reserveCapacity(list.count)
        var (current, index) = (0, 0)
        for (position, groupCount) in counts.enumerated() {
            let objects = [NSManagedObject](unsafeUninitializedCapacity: groupCount) { target, count in
                while count < groupCount {
                    let buffer = list.buffers[current]
                    let end = min(buffer.count, index + groupCount - count)
                    var new = NewObjects(end - index, of: list.layout, in: table, buffer: buffer)
                    for row in index..<end {
                        target.initializeElement(at: count, to: new.makeObject(of: buffer[row], isFiring: false))
                        count += 1
                    }
                    (current, index) = end == buffer.count ? (current + 1, 0) : (current, end)
                }
                table.register(UnsafeBufferPointer(rebasing: target[..<count]))
            }
            receive(position, objects)
        }
    }

    /// Whether the context has no parent, all rows are complete and of one entity without subentities, and none of
    /// their objects is registered.
    final func areNew(_ list: RowList, table: IdentityTable) -> Bool {
        hierarchy.parent == nil && list.layout.span == 0 && !list.isPartial && !table.containsAny(of: list.buffers)
    }

    /// The objects of rows, with the ancestors' values in place of the stored ones. The caller retains them.
    ///
    /// - Returns: the objects in the order of the rows, without objects that an ancestor has deleted, and whether all
    ///   objects are new.
    final func objects(of list: RowList, table: IdentityTable) -> (objects: [NSManagedObject], areNew: Bool) {
        if areNew(list, table: table) { return (newObjects(list, table: table, isFiring: false), true) }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(list.count)
        forEachRow(list.buffers, table: table) { row, buffer in
            objects.append(materialize(row, buffer: buffer, table: table, refreshing: false))
        }
        return (objects, false)
    }

    /// The registered objects of references, or new faults without values.
    ///
    /// - Parameter areUnique: whether no reference occurs twice.
    final func objectsOrFaults(
        _ references: [ObjectReference], model: ModelLayout, table: IdentityTable, areUnique: Bool
    ) -> [NSManagedObject] {
        if references.isEmpty { return [] }
        guard areUnique || Self.areAscending(references) else {
            return references.map { reference in
                registeredObjectOrFault(model[reference.layout], key: reference.key, in: table)
            }
        }
        return table.objects(references, model: model) { reference in
            registeredObjectOrFault(model[reference.layout], key: reference.key, in: table)
        }
    }

    private static func areAscending(_ references: [ObjectReference]) -> Bool {
        var last = Int64.min
        for reference in references {
            guard reference.key > last else { return false }
            last = reference.key
        }
        return true
    }
}
