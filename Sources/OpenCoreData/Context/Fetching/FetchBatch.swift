/// The results of a fetch with a batch size, as far as they come from one store: when one of them needs its values,
/// those of its whole slice are read.
///
/// Only the rows of the slices used last are kept. The objects of an older slice let go of theirs: those that nobody
/// has read, and those that nobody but the result array holds, which become faults again. Belongs to the context's
/// queue.
final class FetchBatch {
    /// Some of a fetch's results that follow one another.
    struct Slice {
        let batch: FetchBatch
        let index: Int
    }

    private let table: IdentityTable
    private let plan: FetchPlan
    private let keys: [Int64]
    private let size: Int
    /// The slices whose rows are there, the one used last at the end.
    private var loaded: [(index: Int, buffers: [RowBuffer])] = []
    private var results: ResultArray?
    private static let keptSlices = 4

    init(_ references: [ObjectReference], table: IdentityTable, plan: FetchPlan) {
        keys = references.map(\.key)
        self.table = table
        self.plan = plan.detached
        size = plan.batchSize
    }

    /// Whether the slices' rows are read in part.
    var isPartial: Bool { plan.partialProperties != nil }

    /// The array in which the objects stand in the order of their keys: objects that only it holds may become faults
    /// again.
    func watch(_ objects: [NSManagedObject]) { results = ResultArray(objects) }

    /// Makes faults without values wait for their slices.
    func take(_ objects: [NSManagedObject]) {
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
            layout: plan.query.layout, includesSubentities: false, capacity: 0, slice: Slice(batch: self, index: index))
    }

    private func range(_ index: Int) -> Range<Int> { index * size..<min((index + 1) * size, keys.count) }

    /// Reads the rows of a slice's faults in one statement, and what is to be prefetched with them.
    ///
    /// - Throws: what the store throws.
    func load(_ index: Int, in context: NSManagedObjectContext) throws {
        let objects = keys[range(index)].compactMap { table[$0] }
        let buffers = try context.loadRows(
            of: objects.filter(\.awaitsRow), layout: plan.query.layout, table: table, properties: plan.partialProperties
        )
        loaded.removeAll { $0.index == index }
        loaded.append((index, buffers))
        try plan.prefetch?.run(on: objects, in: context)
        if !plan.description.returnsObjectsAsFaults {
            for object in objects where object.row != nil { object.fireFaultIfNeeded() }
        }
        while loaded.count > Self.keptSlices {
            let oldest = loaded.removeFirst()
            release(oldest.index, buffers: oldest.buffers)
        }
    }

    // MARK: Letting go

    private func release(_ index: Int, buffers: [RowBuffer]) {
        var placeholder: RowBuffer?
        let held = results?.objects
        for position in range(index) {
            guard let object = table[keys[position]], let buffer = object.buffer,
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
    /// Reads the slice of a batch that a fault waits for. If that fails the fault waits no longer: it is read by
    /// itself, and what keeps it from being read is told then.
    final func loadSlice(of object: NSManagedObject) {
        guard let slice = object.buffer?.slice else { return }
        do {
            try slice.batch.load(slice.index, in: self)
        } catch {
            CoreDataLog.error("A batch of fetched objects can't be read: \(error.localizedDescription)")
            if object.awaitsRow { object.buffer = nil }
        }
    }
}

extension NSManagedObject {
    /// Whether the object is a fault whose values would have to be read from the store.
    final var awaitsRow: Bool { flags.contains(.fault) && row == nil && primaryKey > 0 && !flags.contains(.detached) }

    /// Whether nothing would be lost if the object became a fault.
    fileprivate final var isUnchanged: Bool { flags.isEmpty }
}
