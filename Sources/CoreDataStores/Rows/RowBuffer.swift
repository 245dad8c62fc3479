// SPDX-License-Identifier: Apache-2.0

/// The header of a row, in front of its cells.
@usableFromInline package struct RowHeader {
    @usableFromInline package var primaryKey: Int64
    /// The row's version, `Z_OPT` in a SQLite store.
    @usableFromInline package var version: Int32
    /// Number of the layout of the row's actual entity.
    @usableFromInline package var layout: UInt32

    @inlinable @inline(__always)
    init(primaryKey: Int64, version: Int32, layout: UInt32) {
        self.primaryKey = primaryKey
        self.version = version
        self.layout = layout
    }
}

/// One row of a buffer: the committed snapshot of one object. It never changes once another thread can see it.
@usableFromInline package struct Row {
    @usableFromInline package let header: UnsafeMutablePointer<RowHeader>

    @inlinable @inline(__always) package init(_ header: UnsafeMutablePointer<RowHeader>) { self.header = header }

    @inlinable @inline(__always) package var cells: Cells {
        Cells(UnsafeMutableRawPointer(header).advanced(by: MemoryLayout<RowHeader>.stride))
    }

    @inlinable @inline(__always) package var primaryKey: Int64 { header.pointee.primaryKey }
    @inlinable @inline(__always) package var version: Int32 { header.pointee.version }
    @inlinable @inline(__always) package var layoutNumber: UInt32 { header.pointee.layout }

    /// Whether the row is older than a version of it. Versions wrap around, so the sign of the difference decides.
    func isOlder(than other: Int32) -> Bool { version &- other < 0 }
}

/// The rows of one fetch, in one allocation.
///
/// One thread appends the rows; then they are only read, on any thread. A user of a row retains its buffer. The
/// `deinit` removes the rows from the row cache that has them.
@usableFromInline package final class RowBuffer: @unchecked Sendable {
    package let layouts: ModelLayout
    @usableFromInline package let stride: Int
    @usableFromInline package let capacity: Int
    // Unchecked: written for each row that is read, by one thread, before other threads see the buffer.
    @usableFromInline @exclusivity(unchecked) package private(set) var count = 0
    @usableFromInline let base: UnsafeMutableRawPointer
    /// Whether a row may own memory, so that each row must be destroyed.
    private let ownsMemory: Bool
    // Unchecked, as the following members: one thread writes them before other threads see the buffer, or under the
    // cache's lock, and each fault that fires reads them.
    /// The row cache that has this buffer's rows. It doesn't retain the buffer, and a strong reference costs less than
    /// a weak one.
    @exclusivity(unchecked) @usableFromInline var cache: RowCache?
    /// The position in the row cache's list of unindexed buffers, -1 once the rows are in its index. Guarded by the
    /// cache's lock.
    @exclusivity(unchecked) var cacheIndex = -1
    /// Whether the rows come from a save: another thread may have read or saved newer rows before they reach the cache.
    @exclusivity(unchecked) var isSaved = false
    /// The slice of a batched fetch whose rows are not read yet; the buffer is a placeholder without rows.
    package let slice: FetchSlice?
    /// The reference of a reader that gives out the rows one by one. Set before other threads see the buffer.
    @exclusivity(unchecked) var link: ObjectLink<RowBuffer>?
    /// Which cells have values, by position; nil for complete rows. A partial row is never a committed snapshot, and in
    /// no cache.
    package let availableCells: [Bool]?
    /// The cache generation in which the rows were added.
    @exclusivity(unchecked) @usableFromInline private(set) var cacheGeneration = 0
    /// The time at which the row cache got the rows, in nanoseconds of a monotonic clock.
    @exclusivity(unchecked) package private(set) var cachedAt: UInt64 = 0

    package static func now() -> UInt64 { OperatingSystem.uptimeNanoseconds }

    /// Whether the rows were read, or saved, longer ago than an interval in seconds.
    package func isOlder(than interval: TimeInterval) -> Bool { Double(Self.now() &- cachedAt) > interval * 1e9 }

    /// Whether the cache has replaced or discarded rows since: a fault then checks whether its row is still the newest.
    @inlinable @inline(__always) package var mayBeSuperseded: Bool {
        guard let cache = cache.unretained else { return false }
        return cache._withUnsafeGuaranteedRef { $0.generation.current != cacheGeneration }
    }

    /// The layout of the first row's entity; nil for a buffer without rows.
    package var firstLayout: EntityLayout? { count > 0 ? layouts[self[0].layoutNumber] : nil }

    package var primaryKeys: some Collection<Int64> { (0..<count).lazy.map { self[$0].primaryKey } }

    /// Whether a row may have been saved or evicted since the cache has had the buffer.
    package func mayHaveChanged(_ row: Row) -> Bool {
        guard let cache else { return false }
        let root = layouts[row.layoutNumber].root
        return cache.mayHaveChanged(row.primaryKey, root: root, after: cacheGeneration)
    }

    package func didAdd(to cache: RowCache, generation: Int, index: Int) {
        self.cache = cache
        cachedAt = Self.now()
        cacheGeneration = generation
        cacheIndex = index
    }

    /// - Parameters:
    ///   - layout: the entity of the rows, or the superentity of their entities.
    ///   - includesSubentities: whether the rows may be of subentities.
    ///   - capacity: the maximal number of rows.
    ///   - availableCells: the cells that have values; nil for complete rows.
    ///   - slice: the slice of a batched fetch for which the buffer is a placeholder.
    package init(
        layout: EntityLayout, includesSubentities: Bool, capacity: Int, availableCells: [Bool]? = nil,
        slice: FetchSlice? = nil
    ) {
        layouts = layout.model
        self.availableCells = availableCells
        self.slice = slice
        var words = layout.wordCount
        var owns = !(layout.stringCells.isEmpty && layout.objectCells.isEmpty)
        if includesSubentities && layout.span > 0 {
            for number in layout.number...(layout.number + layout.span) {
                let sublayout = layout.model[number]
                words = max(words, sublayout.wordCount)
                owns = owns || !(sublayout.stringCells.isEmpty && sublayout.objectCells.isEmpty)
            }
        }
        stride = MemoryLayout<RowHeader>.stride + words * MemoryLayout<UInt64>.stride
        self.capacity = capacity
        ownsMemory = owns
        base = UnsafeMutableRawPointer.allocate(byteCount: stride * capacity, alignment: 16)
    }

    deinit {
        link?.remove()
        if let cache {
            cache.remove(self)
        }
        if ownsMemory {
            for index in 0..<count {
                let row = self[index]
                layouts[row.layoutNumber].destroy(row.cells)
            }
        }
        base.deallocate()
    }

    @inlinable @inline(__always)
    package subscript(index: Int) -> Row {
        Row((base + index * stride).assumingMemoryBound(to: RowHeader.self))
    }

    @inlinable @inline(__always) var isFull: Bool { count == capacity }

    /// Appends a row whose cells are all nil; the caller writes them before another thread sees the buffer.
    @inlinable @inline(__always)
    package func append(primaryKey: Int64, version: Int32, layout: EntityLayout) -> Row {
        append(primaryKey: primaryKey, version: version, layout: layout.number, wordCount: layout.wordCount)
    }

    /// - Parameters:
    ///   - number: the number of the row's layout.
    ///   - wordCount: the size of that layout's cells.
    @inlinable @inline(__always)
    package func append(primaryKey: Int64, version: Int32, layout number: UInt32, wordCount: Int) -> Row {
        let row = self[count]
        row.header.initialize(to: RowHeader(primaryKey: primaryKey, version: version, layout: number))
        row.cells.initializeEmpty(wordCount: wordCount)
        count += 1
        return row
    }

    /// Appends a row without setting its cells: the caller copies the cells of another row or object.
    @inlinable @inline(__always)
    package func appendUninitialized(primaryKey: Int64, version: Int32, layout: EntityLayout) -> Row {
        let row = self[count]
        row.header.initialize(to: RowHeader(primaryKey: primaryKey, version: version, layout: layout.number))
        count += 1
        return row
    }
}

/// A row and the buffer that keeps it.
@usableFromInline package struct RetainedRow {
    @usableFromInline package let buffer: RowBuffer
    @usableFromInline package let row: Row

    /// The row's version. `row` doesn't keep the buffer: if a value is the last one with the buffer,
    /// `value.row.version` may read freed memory.
    @inlinable @inline(__always) package var version: Int32 { withExtendedLifetime(buffer) { row.version } }

    @inlinable @inline(__always)
    package init(buffer: RowBuffer, row: Row) {
        self.buffer = buffer
        self.row = row
    }
}

/// The rows of one result, in order.
@usableFromInline package struct RowList {
    @usableFromInline package private(set) var buffers: [RowBuffer] = []
    @usableFromInline package private(set) var count = 0
    package let layout: EntityLayout
    private let includesSubentities: Bool
    private let limit: Int
    private let availableCells: [Bool]?

    /// - Parameters:
    ///   - expected: the number of rows if it is known, 0 otherwise.
    ///   - properties: the positions of the properties whose values the rows have; nil for all.
    package init(layout: EntityLayout, includesSubentities: Bool, expected: Int = 0, properties: Set<Int>? = nil) {
        self.layout = layout
        self.includesSubentities = includesSubentities
        limit = expected
        availableCells = properties.map { properties in
            var available = [Bool](repeating: false, count: layout.wordCount)
            for position in properties { for cell in layout.properties[position].ownCells { available[cell] = true } }
            return available
        }
    }

    /// Whether the rows lack some values of their objects.
    package var isPartial: Bool { availableCells != nil }

    /// A buffer that is not full, for one more row.
    @inlinable @inline(__always)
    package mutating func bufferForAppending() -> RowBuffer {
        if let last = buffers.last, !last.isFull {
            count += 1
            return last
        }
        return grow()
    }

    /// Call after a row was appended to the last buffer.
    @inlinable @inline(__always)
    mutating func didAppend() { count += 1 }

    @inline(never)
    @usableFromInline mutating func grow() -> RowBuffer {
        var capacity = min(max(16, count), 256)
        if limit > count { capacity = min(limit - count, 256) }
        let buffer = RowBuffer(
            layout: layout, includesSubentities: includesSubentities, capacity: capacity, availableCells: availableCells
        )
        buffers.append(buffer)
        count += 1
        return buffer
    }
}

/// A range of the results of a batched fetch.
package struct FetchSlice {
    /// The batch, which belongs to a context.
    package let batch: AnyObject
    package let index: Int

    package init(batch: AnyObject, index: Int) {
        self.batch = batch
        self.index = index
    }
}
