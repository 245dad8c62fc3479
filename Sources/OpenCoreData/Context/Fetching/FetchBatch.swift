// SPDX-License-Identifier: Apache-2.0

/// The results of a fetch with a batch size from one store, in slices. When one object of a slice needs its values, the
/// rows of the whole slice are read.
///
/// The rows of the slices that were used last stay in memory. An object of an older slice becomes a fault without a row
/// again, if it has not fired, or if it is unchanged and nothing but the result array retains it. Used on the context's
/// queue.
final class FetchBatch {
    private let table: IdentityTable
    private let plan: FetchPlan
    private let keys: [Int64]
    private let size: Int
    /// The slices whose rows are in memory. The one that was used last is at the end.
    private var loaded: [(index: Int, buffers: [RowBuffer])] = []
    private var results: ResultArray?
    private static let maximumLoadedSlices = 4

    init(_ references: [ObjectReference], table: IdentityTable, plan: FetchPlan) {
        keys = references.map(\.key)
        self.table = table
        self.plan = plan.withoutGeneration
        size = plan.batchSize
    }

    /// Whether the rows have values for some properties only.
    var isPartial: Bool { plan.partialProperties != nil }

    /// Sets the result array, in the order of the keys: objects that nothing else retains may become faults again.
    func setResults(_ objects: [NSManagedObject]) { results = ResultArray(objects) }

    /// Attaches faults without values to their slices.
    func attachPlaceholders(to objects: [NSManagedObject]) {
        for start in stride(from: 0, to: objects.count, by: size) {
            var placeholder: RowBuffer?
            for object in objects[start..<min(start + size, objects.count)] where object.awaitsRow {
                placeholder = placeholder ?? makePlaceholder(start / size)
                object.buffer = placeholder
            }
        }
    }

    private func makePlaceholder(_ index: Int) -> RowBuffer {
        RowBuffer(
            layout: plan.query.layout, includesSubentities: false, capacity: 0,
            slice: FetchSlice(batch: self, index: index))
    }

    private func range(_ index: Int) -> Range<Int> { index * size..<min((index + 1) * size, keys.count) }

    /// Reads the rows of a slice's faults in one statement, and prefetches their relationships.
    ///
    /// - Throws: the errors of the store.
    func load(_ index: Int, in context: NSManagedObjectContext) throws {
        let objects = objects(range(index))
        let buffers = try context.loadRows(
            of: objects.filter(\.awaitsRow), layout: plan.query.layout, table: table, properties: plan.partialProperties
        )
        loaded.removeAll { $0.index == index }
        loaded.append((index, buffers))
        try plan.prefetch?.run(on: objects, in: context)
        if !plan.description.returnsObjectsAsFaults {
            for object in objects where object.row != nil { object.fireFaultIfNeeded() }
        }
        while loaded.count > Self.maximumLoadedSlices {
            let oldest = loaded.removeFirst()
            release(oldest.index, buffers: oldest.buffers)
        }
    }

    /// The registered objects of a range. The result array mostly has them at hand.
    private func objects(_ range: Range<Int>) -> [NSManagedObject] {
        if let held = results?.objects, held.count == keys.count,
            range.allSatisfy({ held[$0].primaryKey == keys[$0] && held[$0].table === table })
        {
            return Array(held[range])
        }
        return keys[range].compactMap { table[$0] }
    }

    /// The registered object of a position. Not inlined: the caller owns one reference, which it counts.
    @inline(never)
    private func object(at position: Int, _ held: [NSManagedObject]?) -> NSManagedObject? {
        if let held, position < held.count, held[position].primaryKey == keys[position],
            held[position].table === table
        {
            return held[position]
        }
        return table[keys[position]]
    }

    // MARK: Releasing rows

    /// Turns the objects of a slice into faults again, where nothing is lost by that.
    private func release(_ index: Int, buffers: [RowBuffer]) {
        var placeholder: RowBuffer?
        let held = results?.objects
        for position in range(index) {
            guard let object = object(at: position, held), let buffer = object.buffer,
                buffers.contains(where: { $0 === buffer })
            else { continue }
            if !object.flags.contains(.fault) {
                guard let held, position < held.count, held[position] === object, object.isUnchanged,
                    object.isHeldOnlyByArray(and: 1)
                else { continue }
            }
            object.turnIntoFault()
            guard object.awaitsRow else { continue }
            placeholder = placeholder ?? makePlaceholder(index)
            object.buffer = placeholder
        }
    }
}

extension NSManagedObjectContext {
    /// Reads the slice of a fault. If that fails the fault leaves its slice: it is read by itself, and reports its own
    /// failure.
    final func loadSlice(of object: NSManagedObject) {
        guard let slice = object.buffer?.slice else { return }
        do {
            try slice.fetchBatch.load(slice.index, in: self)
        } catch {
            CoreDataLog.error("A batch of fetched objects can't be read: \(error.localizedDescription)")
            if object.awaitsRow { object.buffer = nil }
        }
    }
}

extension NSManagedObject {
    /// Whether the object is a fault without a row, whose store may have one.
    final var awaitsRow: Bool { flags.contains(.fault) && row == nil && primaryKey > 0 && !flags.contains(.detached) }

    /// Whether the object has its values and no changes.
    fileprivate final var isUnchanged: Bool { flags.isEmpty }
}

extension FetchSlice {
    var fetchBatch: FetchBatch { unsafeDowncast(batch, to: FetchBatch.self) }
}
