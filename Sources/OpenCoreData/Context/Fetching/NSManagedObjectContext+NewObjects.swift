// SPDX-License-Identifier: Apache-2.0

/// Makes many objects at once: one registration for all.
extension NSManagedObjectContext {
    /// Makes the objects of rows of which none is registered. The keys of a result are unique, so all are new.
    final func newObjects(
        _ list: RowList, table: IdentityTable, entity: NSEntityDescription, type: NSManagedObject.Type, isFiring: Bool
    ) -> [NSManagedObject] {
        guard list.count > 0 else { return [] }
        let objects = [NSManagedObject](unsafeUninitializedCapacity: list.count) { target, count in
            table.reserveCapacity(list.count)
            for buffer in list.buffers {
                let start = count
                for index in 0..<buffer.count {
                    let object = type.init(entity: entity, insertInto: nil)
                    object.prepare(in: table, row: buffer[index], buffer: buffer, isFiring: isFiring)
                    target.initializeElement(at: count, to: object)
                    count += 1
                }
                // While the objects of one buffer are in the processor's cache.
                table.register(UnsafeBufferPointer(rebasing: target[start..<count]))
            }
        }
        if isFiring && MethodOverrides.overridesAwakeFromFetch(type) {
            for object in objects { object.awakeWithValues() }
        }
        return objects
    }

    /// The objects of rows, with the ancestors' values in place of the stored ones. The caller retains them.
    ///
    /// - Returns: the objects in the order of the rows, without those that an ancestor has deleted, and whether all
    ///   were made of these rows.
    final func objects(of list: RowList, table: IdentityTable) -> (objects: [NSManagedObject], areNew: Bool) {
        let layout = list.layout
        if hierarchy.parent == nil && layout.span == 0 && !list.isPartial && !table.containsAny(of: list.buffers) {
            let new = newObjects(
                list, table: table, entity: layout.entity, type: layout.classBinding.managedObjectClass,
                isFiring: false)
            return (new, true)
        }
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
                table[reference.key]
                    ?? makeFault(layout: model[reference.layout], key: reference.key, table: table, id: nil)
            }
        }
        let known = table.objects(references.map(\.key))
        // The objects come in runs of one entity.
        var last: (number: UInt32, entity: NSEntityDescription, type: NSManagedObject.Type)?
        return [NSManagedObject](unsafeUninitializedCapacity: references.count) { target, count in
            // The new objects, in a row where none was known.
            var firstNew = 0
            func register() {
                if firstNew < count { table.register(UnsafeBufferPointer(rebasing: target[firstNew..<count])) }
            }
            for (index, reference) in references.enumerated() {
                if let object = known?[index] {
                    register()
                    target.initializeElement(at: count, to: object)
                    count += 1
                    firstNew = count
                    continue
                }
                if last?.number != reference.layout {
                    let layout = model[reference.layout]
                    last = (reference.layout, layout.entity, layout.classBinding.managedObjectClass)
                }
                guard let (_, entity, type) = last else { continue }
                let object = type.init(entity: entity, insertInto: nil)
                object.prepareAsFault(in: table, key: reference.key)
                target.initializeElement(at: count, to: object)
                count += 1
            }
            register()
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
