// SPDX-License-Identifier: Apache-2.0

/// Reads the rows beside the row that a fault asks for, if faults ask for neighbours.
///
/// Rows with adjacent keys are adjacent in the file, so that reading the next row costs a fraction of a statement. The
/// rows come from one read transaction. They are used only while this transaction is open, and while the row cache has
/// replaced and discarded nothing. So a fault gets the row that a separate statement would read.
///
/// The owner of the connection guards it.
final class SQLiteReadAhead {
    /// The origin of rows: a read transaction, and a generation of the row cache.
    struct Snapshot: Equatable {
        let transaction: Int
        let cacheGeneration: Int
    }

    enum Result {
        case row(RetainedRow)
        /// No row has the key.
        case none
        /// The key's row was not read.
        case unknown
    }

    private let statement: SQLiteStatement
    private let reader: SQLiteRowReader
    /// The lowest bits of a key are its position within a block, the next bits are the position of the block in this
    /// array.
    private let blocks = [Block(), Block(), Block(), Block()]
    // Unchecked: the owner of the connection is on one thread, and no access contains another one.
    @exclusivity(unchecked) private var lastKey: Int64 = .min
    /// The number of requests that have followed each other at a short distance.
    @exclusivity(unchecked) private var closeRequests = 0
    /// The number of coming requests that don't read ahead, since few of the rows that were read ahead have been used.
    @exclusivity(unchecked) private var pause = 0
    @exclusivity(unchecked) private var lastPause = 0

    private static let requestsBeforeReading = 4
    private static let longestPause = 4096

    /// - Parameter range: the statement that reads the rows of a range of keys. Nil for an entity with values that may
    ///   be large, and for a plan that doesn't read all rows of its table.
    init?(_ range: SQLKeyedStatement, reader: SQLiteRowReader, on connection: SQLiteConnection) {
        let plan = reader.plan
        guard plan.layout.superlayout == nil, !plan.hasObjects, range.bindings(for: [0, 1]).count == 2,
            let statement = try? SQLiteStatement(range.text, on: connection, persistent: true)
        else { return nil }
        self.statement = statement
        self.reader = reader
    }

    /// Finds a row among the rows that were read, or reads the rows around it.
    @inline(__always)
    func find(_ key: Int64, in current: Snapshot) -> Result {
        let block = blocks[Int(truncatingIfNeeded: key / Block.size) & 3]
        if block.contains(key), block.snapshot == current, let rows = block.link?.object {
            lastKey = key
            return block.find(key, among: rows)
        }
        return read(key, into: block, in: current)
    }

    @inline(never)
    private func read(_ key: Int64, into block: Block, in current: Snapshot) -> Result {
        let distance = key.subtractingReportingOverflow(lastKey)
        let isClose = !distance.overflow && distance.partialValue.magnitude < UInt64(Block.size)
        closeRequests = isClose ? closeRequests + 1 : 0
        lastKey = key
        // The end of a transaction says nothing about the use of its rows.
        if !(block.contains(key) && block.snapshot.transaction != current.transaction) { considerUse(of: block) }
        block.clear()
        if pause > 0 {
            pause -= 1
            return .unknown
        }
        guard closeRequests >= Self.requestsBeforeReading, key > 0, key < Int64.max - Block.size else {
            return .unknown
        }
        guard let rows = try? readBlock(key) else {
            // The statement for the single row may succeed, or reports its own error.
            closeRequests = 0
            return .unknown
        }
        block.fill(rows, containing: key, current)
        return block.find(key, among: rows)
    }

    /// Stops reading ahead for some time if faults have used few of a block's rows.
    private func considerUse(of block: Block) {
        guard block.rowCount > 0 else { return }
        if block.usedCount * 3 < block.rowCount {
            lastPause = min(max(lastPause * 2, 64), Self.longestPause)
            pause = lastPause
        } else if block.usedCount * 3 > block.rowCount * 2 {
            lastPause = 0
        }
    }

    /// Reads the rows of the block of keys to which a key belongs.
    ///
    /// - Returns: nil for rows without order, which the search needs.
    private func readBlock(_ key: Int64) throws -> RowBuffer? {
        let keys = Block.keys(around: key)
        statement.observeIfNeeded()
        try statement.bind(keys.lowerBound, at: 1)
        try statement.bind(keys.upperBound, at: 2)
        let list = try reader.readAll(statement, expected: Int(Block.size))
        guard list.buffers.count == 1, let rows = list.buffers.first else { return nil }
        for position in 1..<max(rows.count, 1) where rows[position].primaryKey <= rows[position - 1].primaryKey {
            return nil
        }
        return rows
    }
}

extension SQLiteReadAhead {
    /// The rows of consecutive keys that were read at once.
    fileprivate final class Block {
        /// The number of keys: a power of two.
        static let size: Int64 = 32

        // Unchecked, as the state of the owner.
        @exclusivity(unchecked) private var firstKey: Int64 = 0
        @exclusivity(unchecked) private var lastKey: Int64 = -1
        /// Doesn't retain the rows, so that the row cache has only rows that an object uses.
        @exclusivity(unchecked) private(set) var link: ObjectLink<RowBuffer>?
        @exclusivity(unchecked) private(set) var snapshot = Snapshot(transaction: -1, cacheGeneration: -1)
        /// The position after the row that was found last.
        @exclusivity(unchecked) private var next = 0
        @exclusivity(unchecked) private(set) var rowCount = 0
        /// How many of the rows were asked for.
        @exclusivity(unchecked) private(set) var usedCount = 0

        /// The keys of the block to which a key belongs.
        static func keys(around key: Int64) -> ClosedRange<Int64> {
            let first = key & ~(size - 1)
            return first...(first + size - 1)
        }

        @inline(__always)
        func contains(_ key: Int64) -> Bool { key >= firstKey && key <= lastKey }

        func fill(_ rows: RowBuffer, containing key: Int64, _ snapshot: Snapshot) {
            let keys = Self.keys(around: key)
            (firstKey, lastKey) = (keys.lowerBound, keys.upperBound)
            let link = ObjectLink<RowBuffer>()
            link.refer(to: rows)
            rows.link = link
            self.link = link
            self.snapshot = snapshot
            rowCount = rows.count
        }

        func clear() {
            (firstKey, lastKey) = (0, -1)
            link = nil
            (next, rowCount, usedCount) = (0, 0, 0)
        }

        @inline(__always)
        func find(_ key: Int64, among rows: RowBuffer) -> Result {
            var position = next
            if position >= rows.count || rows[position].primaryKey != key {
                position = firstPosition(from: key, among: rows)
                guard position < rows.count, rows[position].primaryKey == key else { return .none }
            }
            next = position + 1
            usedCount += 1
            return .row(RetainedRow(buffer: rows, row: rows[position]))
        }

        /// The position of the first row whose key isn't less than a key.
        private func firstPosition(from key: Int64, among rows: RowBuffer) -> Int {
            var (low, high) = (0, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if rows[middle].primaryKey < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
