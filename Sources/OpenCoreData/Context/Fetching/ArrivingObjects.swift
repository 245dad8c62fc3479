// SPDX-License-Identifier: Apache-2.0

/// Makes the objects of a fetch while its store still reads further rows, so that the objects are ready soon after the
/// last row. Used on the queue of the context.
///
/// Only for the common case: one store, one class, and no registered objects.
final class ArrivingObjects {
    private let context: NSManagedObjectContext
    private let layout: EntityLayout
    private let isFiring: Bool
    /// The table in which objects are made; nil while no row may come.
    private var table: IdentityTable?
    private var objects: [NSManagedObject] = []
    private var bufferCount = 0

    /// Nil if the objects of a fetch depend on more than the rows.
    init?(_ fetch: ObjectFetch, context: NSManagedObjectContext) {
        let plan = fetch.plan
        layout = plan.query.layout
        isFiring = !plan.description.returnsObjectsAsFaults
        self.context = context
        guard !fetch.isCombinedByContext, !plan.fetchesKeysOnly, layout.span == 0, plan.query.properties == nil,
            context.hierarchy.parent == nil
        else { return nil }
    }

    /// Begins with the first row of a store, for the first time or once more after a failure.
    func restart(_ store: StoreIdentity) {
        objects.removeAll(keepingCapacity: true)
        bufferCount = 0
        let table = context.registry.table(store: store, root: layout.root)
        self.table = table.isEmpty ? table : nil
    }

    /// Makes the objects of a full buffer, the next one of the list that the fetch returns.
    func receive(_ buffer: RowBuffer) {
        guard let table else { return }
        bufferCount += 1
        var new = NewObjects(buffer.count, of: layout, in: table, buffer: buffer)
        for index in 0..<buffer.count { objects.append(new.makeObject(of: buffer[index], isFiring: isFiring)) }
    }

    /// Makes the objects of the rows that have not come yet, and registers all.
    ///
    /// - Parameter list: all rows of the fetch.
    /// - Returns: nil if no row has come.
    func finish(_ list: RowList) -> [NSManagedObject]? {
        guard let table, bufferCount > 0 else { return nil }
        for buffer in list.buffers[bufferCount...] { receive(buffer) }
        objects.withUnsafeBufferPointer { table.register($0) }
        if isFiring && MethodOverrides.overridesAwakeFromFetch(layout.classBinding.managedObjectClass) {
            for object in objects { object.awakeWithValues() }
        }
        return objects
    }
}
