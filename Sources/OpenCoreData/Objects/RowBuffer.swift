/// What stands before the cells of a row.
struct RowHeader {
    var primaryKey: Int64
    /// The row's version, `Z_OPT` in a SQLite store.
    var version: Int32
    /// Number of the layout of the row's actual entity.
    var layout: UInt32
}

/// One row in a buffer: the committed values of one object, never changed once the row is published.
struct Row {
    let header: UnsafeMutablePointer<RowHeader>

    @inline(__always) init(_ header: UnsafeMutablePointer<RowHeader>) { self.header = header }

    @inline(__always) init(cells: Cells) {
        header = UnsafeMutableRawPointer(cells).advanced(by: -MemoryLayout<RowHeader>.stride).assumingMemoryBound(
            to: RowHeader.self)
    }

    @inline(__always) var cells: Cells {
        UnsafeMutableRawPointer(header).advanced(by: MemoryLayout<RowHeader>.stride).assumingMemoryBound(to: Cell.self)
    }

    @inline(__always) var primaryKey: Int64 { header.pointee.primaryKey }
    @inline(__always) var version: Int32 { header.pointee.version }
    @inline(__always) var layoutNumber: UInt32 { header.pointee.layout }
}

/// A block of rows that the objects of a batch share.
///
/// Rows are appended by one owner and then only read, from any thread; whoever uses a row holds its buffer.
/// A cache that lists the rows is told when they go.
final class RowBuffer: @unchecked Sendable {
    let layouts: ModelLayout
    let stride: Int
    let capacity: Int
    @exclusivity(unchecked) private(set) var count = 0
    private let base: UnsafeMutableRawPointer
    /// Whether any row owns memory, so that rows must be destroyed one by one.
    private let ownsMemory: Bool
    /// The row cache that lists this buffer's rows.
    weak var cache: RowCache?
    /// Where the cache has noted this buffer, -1 once its rows are listed. Guarded by the cache's lock.
    var cacheIndex = -1
    /// Whether a save made the rows, which may reach the cache when somebody else has read or saved newer ones.
    var isSaved = false
    /// The slice of a batched fetch that the buffer, which has no rows, stands for until they are read.
    let slice: FetchBatch.Slice?
    /// Which cells have values, by position; nil for whole rows. Partial rows are never committed values, and in no
    /// cache.
    let presentCells: [Bool]?
    /// The cache's clock, and what it showed when the buffer was added.
    private(set) var generationCounter: RowCacheGeneration?
    private var cacheGeneration = 0
    /// When the row cache got the rows, in nanoseconds of a clock that never goes back.
    private(set) var cachedAt: UInt64 = 0

    static func now() -> UInt64 { OperatingSystem.uptimeNanoseconds }

    /// Whether the rows were read, or saved, longer ago than an interval in seconds.
    func isOlder(than interval: TimeInterval) -> Bool { Double(Self.now() &- cachedAt) > interval * 1e9 }

    /// Whether the cache has got or lost rows since: a fault then asks whether its row is still the newest.
    @inline(__always) var mayBeSuperseded: Bool { generationCounter.map { $0.current != cacheGeneration } ?? false }

    func didAdd(to cache: RowCache, generation: Int, index: Int) {
        self.cache = cache
        generationCounter = cache.generation
        cachedAt = Self.now()
        cacheGeneration = generation
        cacheIndex = index
    }

    /// - Parameters:
    ///   - layout: the entity whose objects, or whose subentities' objects, the rows hold.
    ///   - includesSubentities: whether rows of subentities may come.
    ///   - capacity: the number of rows.
    init(
        layout: EntityLayout, includesSubentities: Bool, capacity: Int, presentCells: [Bool]? = nil,
        slice: FetchBatch.Slice? = nil
    ) {
        layouts = layout.model
        self.presentCells = presentCells
        self.slice = slice
        var cells = layout.cellCount
        var owns = !(layout.stringCells.isEmpty && layout.objectCells.isEmpty)
        if includesSubentities && layout.span > 0 {
            for number in layout.number...(layout.number + layout.span) {
                let sublayout = layout.model[number]
                cells = max(cells, sublayout.cellCount)
                owns = owns || !(sublayout.stringCells.isEmpty && sublayout.objectCells.isEmpty)
            }
        }
        stride = MemoryLayout<RowHeader>.stride + cells * MemoryLayout<Cell>.stride
        self.capacity = capacity
        ownsMemory = owns
        base = UnsafeMutableRawPointer.allocate(byteCount: stride * capacity, alignment: 16)
    }

    deinit {
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

    @inline(__always)
    subscript(index: Int) -> Row {
        Row((base + index * stride).assumingMemoryBound(to: RowHeader.self))
    }

    @inline(__always) var isFull: Bool { count == capacity }

    /// Appends a row whose cells are all nil; the caller fills them before anyone else sees the buffer.
    @inline(__always)
    func append(primaryKey: Int64, version: Int32, layout: EntityLayout) -> Row {
        let row = self[count]
        row.header.initialize(to: RowHeader(primaryKey: primaryKey, version: version, layout: layout.number))
        row.cells.initialize(repeating: .empty, count: layout.cellCount)
        count += 1
        return row
    }

    /// Appends a row without setting its cells: the caller writes every cell of the layout.
    @inline(__always)
    func appendUninitialized(primaryKey: Int64, version: Int32, layout number: UInt32) -> Row {
        let row = self[count]
        row.header.initialize(to: RowHeader(primaryKey: primaryKey, version: version, layout: number))
        count += 1
        return row
    }

    @inline(__always)
    func appendUninitialized(primaryKey: Int64, version: Int32, layout: EntityLayout) -> Row {
        appendUninitialized(primaryKey: primaryKey, version: version, layout: layout.number)
    }
}

/// A row together with the buffer that keeps it alive.
struct RetainedRow {
    let buffer: RowBuffer
    let row: Row
}

/// The rows of one result, in order.
struct RowList {
    private(set) var buffers: [RowBuffer] = []
    private(set) var count = 0
    let layout: EntityLayout
    private let includesSubentities: Bool
    private let limit: Int
    private let presentCells: [Bool]?

    /// - Parameters:
    ///   - expected: the number of rows if it is known, 0 otherwise.
    ///   - properties: positions of the properties that the rows have values for; nil for all.
    init(layout: EntityLayout, includesSubentities: Bool, expected: Int = 0, properties: Set<Int>? = nil) {
        self.layout = layout
        self.includesSubentities = includesSubentities
        limit = expected
        presentCells = properties.map { properties in
            var present = [Bool](repeating: false, count: layout.cellCount)
            for position in properties { for cell in layout.properties[position].ownCells { present[cell] = true } }
            return present
        }
    }

    /// Whether the rows have not all values of their objects.
    var isPartial: Bool { presentCells != nil }

    /// The buffer with room for one more row.
    @inline(__always)
    mutating func bufferForAppending() -> RowBuffer {
        if let last = buffers.last, !last.isFull {
            count += 1
            return last
        }
        return grow()
    }

    /// One more row was appended to the last buffer.
    @inline(__always)
    mutating func noteAppended() { count += 1 }

    @inline(never)
    private mutating func grow() -> RowBuffer {
        var capacity = min(max(16, count), 256)
        if limit > count { capacity = min(limit - count, 256) }
        let buffer = RowBuffer(
            layout: layout, includesSubentities: includesSubentities, capacity: capacity, presentCells: presentCells)
        buffers.append(buffer)
        count += 1
        return buffer
    }
}
