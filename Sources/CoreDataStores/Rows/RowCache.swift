// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The generation of a row cache: counts the saved and evicted rows, but no fetched ones.
@usableFromInline package final class RowCacheGeneration: Sendable {
    @usableFromInline let count = Atomic<Int>(0)

    @inlinable @inline(__always) package var current: Int { count.load(ordering: .relaxed) }
    func advance() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// The newest rows that objects of any context use, by primary key. A fault whose row is cached costs no statement.
///
/// The cache retains no row. It stores addresses of row buffers, and a buffer removes itself in its `deinit`. An added
/// buffer is pending at first; the first lookup in its entity hierarchy enters its rows into the table. Fetched objects
/// have their rows already, so most fetches never pay for the tables.
///
/// Invariants (see ``checkInvariants()``):
/// - A pending buffer has its index in its table's list of pending buffers as its `cacheIndex`; any other one has -1.
/// - `removedCount` is the number of a table's pending buffers that were freed. The list is emptied when all of its
///   buffers were freed.
/// - A header in a table belongs to a row with the same key, in the same hierarchy, in the buffer beside it.
/// - Cached rows have all their cells, and no buffer is a placeholder for a batch.
///
/// The lock guards everything.
@usableFromInline package final class RowCache: @unchecked Sendable {
    package init() {}

    private struct State {
        /// By the number of the root entity's layout.
        var tables: [UInt32: RowTable] = [:]
        /// The table that was used last.
        var lastTable: (root: UInt32, table: RowTable)?
        var recentChanges = RecentRowChanges()
    }

    /// The rows of one entity hierarchy: the addresses of their headers by key, each with the address of its buffer.
    fileprivate final class RowTable {
        // Unchecked: the cache's lock guards them.
        @exclusivity(unchecked) var rows = KeyTable<UnsafeRawPointer?>(freeCompanion: nil)
        /// The generation of the rows that were entered at once, before older pending ones.
        @exclusivity(unchecked) var savedGeneration = Int.min
        /// Buffers whose rows are not entered yet, oldest first; nil for a freed buffer.
        @exclusivity(unchecked) var pending: [MemoryAddress?] = []
        @exclusivity(unchecked) var removedCount = 0
        /// The keys of saved rows that were freed while buffers were pending. These may have older rows.
        @exclusivity(unchecked) var supersededKeys: Set<Int64> = []
    }

    private let state = Locked(State())
    @usableFromInline package let generation = RowCacheGeneration()

    /// Adds fetched rows, or rows of new objects.
    ///
    /// - Parameter readGeneration: the generation of the cache before the rows were read, if a save may have written
    ///   newer rows during the read. The cache then keeps no buffer with rows that may have changed since this
    ///   generation.
    package func add(_ buffers: [RowBuffer], readIn readGeneration: Int? = nil) {
        guard !buffers.isEmpty else { return }
        state.withLock { state in
            for buffer in buffers {
                guard let root = Self.root(of: buffer) else { continue }
                if let readGeneration,
                    state.recentChanges.mayContain(buffer.primaryKeys, root: root, after: readGeneration)
                {
                    buffer.didAdd(to: self, generation: readGeneration, index: -1)
                    continue
                }
                let table = Self.table(&state, root)
                buffer.didAdd(to: self, generation: generation.current, index: table.pending.count)
                table.pending.append(MemoryAddress(buffer))
            }
        }
    }

    /// Adds the row that a fault has fetched, but no other row of its buffer. The fault has looked for it here, so it
    /// enters the table at once.
    func add(_ fetched: RetainedRow, readIn readGeneration: Int?) {
        let buffer = fetched.buffer
        let address = MemoryAddress(fetched.row)
        var retained: [RowBuffer] = []
        let isEntered = state.withLock { state in
            let row = Row(address)
            let root = buffer.layouts[row.layoutNumber].root
            if let readGeneration,
                state.recentChanges.mayContain(row.primaryKey, root: root, after: readGeneration)
            {
                return false
            }
            let table = Self.table(&state, root)
            // Pending rows would replace the new one.
            table.enterPending(retaining: &retained)
            if buffer.cache == nil { buffer.didAdd(to: self, generation: generation.current, index: -1) }
            table.enter(row, of: buffer, isPending: false)
            return true
        }
        if !isEntered { add([buffer], readIn: readGeneration) }
    }

    /// Adds rows that a save has written.
    ///
    /// - Parameters:
    ///   - replacing: whether the cache may have older rows of the same keys.
    ///   - saveGeneration: the generation of the cache before the save. A row that was evicted since may have been
    ///     deleted, or changed by another process, after the save has committed. It isn't kept.
    package func addSaved(_ buffers: [RowBuffer], replacing: Bool, savedIn saveGeneration: Int) {
        for buffer in buffers { buffer.isSaved = true }
        if replacing { replace(buffers, saveGeneration) } else { add(buffers, readIn: saveGeneration) }
    }

    /// Enters updated rows into the tables at once. As pending rows they would not replace the older rows of their keys
    /// before the next lookup. Pending rows of earlier generations don't replace them when they are entered.
    private func replace(_ buffers: [RowBuffer], _ saveGeneration: Int) {
        guard !buffers.isEmpty else { return }
        state.withLock { state in
            let newGeneration = generation.advance()
            var outdated: [UInt32: [Int64]] = [:]
            for buffer in buffers {
                buffer.didAdd(to: self, generation: newGeneration, index: -1)
                guard let root = Self.root(of: buffer) else { continue }
                let table = Self.table(&state, root)
                for index in 0..<buffer.count {
                    let row = buffer[index]
                    // A newer row, or none, may be in the store since this one was committed.
                    if table.rows[row.primaryKey] == nil,
                        state.recentChanges.mayHaveNewer(than: row, root: root, savedIn: saveGeneration)
                    {
                        table.supersede(row.primaryKey, in: newGeneration)
                        outdated[root, default: []].append(row.primaryKey)
                    } else {
                        table.enter(row, of: buffer, isPending: false)
                    }
                }
            }
            for buffer in buffers {
                guard let root = Self.root(of: buffer) else { continue }
                state.recentChanges.add(buffer, root: root, generation: newGeneration)
            }
            guard !outdated.isEmpty else { return }
            // Faults of the objects that use these rows look for newer ones.
            let evictedGeneration = generation.advance()
            for (root, keys) in outdated {
                state.recentChanges.add(keys, root: root, generation: evictedGeneration)
            }
        }
    }

    /// The row of a key, nil if no object uses one.
    ///
    /// - Parameter layout: the entity of the row, or a superentity. A row of another entity isn't found.
    package func row(_ layout: EntityLayout, key: Int64) -> RetainedRow? {
        var retained: [RowBuffer] = []
        // The block captures numbers: an object would be retained.
        let (root, number, span) = (layout.root, layout.number, layout.span)
        return state.withLock { state in
            guard let table = Self.knownTable(&state, root) else { return nil }
            table.enterPending(retaining: &retained)
            guard let (header, address) = table.rows[entry: key], Row(header).layoutNumber &- number <= span,
                let address, let buffer = tryRetain(MemoryAddress(address), as: RowBuffer.self)
            else { return nil }
            return RetainedRow(buffer: buffer, row: Row(header))
        }
    }

    /// Whether a row may have been saved or evicted after a generation.
    func mayHaveChanged(_ key: Int64, root: UInt32, after generation: Int) -> Bool {
        state.withLock { $0.recentChanges.mayContain(key, root: root, after: generation) }
    }

    /// Removes rows of an entity hierarchy, so that the next faults of their objects are fetched.
    package func evict(root: UInt32, keys: [Int64]) {
        var retained: [RowBuffer] = []
        state.withLock { state in
            let newGeneration = generation.advance()
            state.recentChanges.add(keys, root: root, generation: newGeneration)
            guard let table = Self.knownTable(&state, root) else { return }
            table.enterPending(retaining: &retained)
            for key in keys { table.rows.remove(key) }
        }
    }

    /// Removes the rows of an entity hierarchy.
    package func evictAll(root: UInt32) {
        var retained: [RowBuffer] = []
        state.withLock { state in
            state.recentChanges.removeAll(generation: generation.advance())
            state.tables[root]?.enterPending(retaining: &retained)
            state.tables[root] = nil
            state.lastTable = nil
        }
    }

    package func removeAll() {
        var retained: [RowBuffer] = []
        state.withLock { state in
            state.recentChanges.removeAll(generation: generation.advance())
            for table in state.tables.values { table.enterPending(retaining: &retained) }
            state.tables.removeAll()
            state.lastTable = nil
        }
    }

    /// Removes the rows of a buffer, but not newer rows that have replaced them. Called by the buffer's `deinit`.
    package func remove(_ buffer: RowBuffer) {
        state.withLock { state in
            guard let root = Self.root(of: buffer), let table = Self.knownTable(&state, root) else { return }
            let index = buffer.cacheIndex
            if table.pending.indices.contains(index), table.pending[index] == MemoryAddress(buffer) {
                table.removePending(at: index)
                return
            }
            let mayHaveOlderRows = buffer.isSaved && !table.pending.isEmpty
            for index in 0..<buffer.count {
                let row = buffer[index]
                table.rows.remove(row.primaryKey, ifHolding: MemoryAddress(row))
                if mayHaveOlderRows { table.supersededKeys.insert(row.primaryKey) }
            }
        }
    }

    /// The hierarchy of a buffer's rows: its root's layout number. Nil for a buffer without rows.
    @inline(__always)
    private static func root(of buffer: RowBuffer) -> UInt32? {
        buffer.firstLayout?.root
    }

    private static func knownTable(_ state: inout State, _ root: UInt32) -> RowTable? {
        if let last = state.lastTable, last.root == root { return last.table }
        guard let table = state.tables[root] else { return nil }
        state.lastTable = (root, table)
        return table
    }

    private static func table(_ state: inout State, _ root: UInt32) -> RowTable {
        if let table = knownTable(&state, root) { return table }
        let table = RowTable()
        state.tables[root] = table
        return table
    }
}

extension RowCache.RowTable {
    /// - Parameter retained: gets the pending buffers. The caller releases them after the lock: the `deinit` of a
    ///   buffer takes it.
    fileprivate func enterPending(retaining retained: inout [RowBuffer]) {
        guard !pending.isEmpty else { return }
        let first = retained.count
        var rowCount = 0
        for address in pending {
            // A buffer whose deinit has begun can't be retained. It waits for the lock to remove itself.
            guard let address, let buffer = tryRetain(address, as: RowBuffer.self) else { continue }
            retained.append(buffer)
            rowCount += buffer.count
        }
        // The table grows once.
        rows.reserve(rows.count + rowCount)
        for buffer in retained[first...] {
            buffer.cacheIndex = -1
            for index in 0..<buffer.count { enter(buffer[index], of: buffer, isPending: true) }
        }
        forgetPending()
    }

    fileprivate func removePending(at index: Int) {
        pending[index] = nil
        removedCount += 1
        if removedCount == pending.count { forgetPending() }
    }

    private func forgetPending() {
        pending.removeAll(keepingCapacity: true)
        removedCount = 0
        if !supersededKeys.isEmpty { supersededKeys = [] }
    }

    /// Keeps older pending rows of a key from being entered.
    fileprivate func supersede(_ key: Int64, in generation: Int) {
        savedGeneration = generation
        if !pending.isEmpty { supersededKeys.insert(key) }
    }

    @inline(__always)
    fileprivate func enter(_ row: Row, of buffer: RowBuffer, isPending: Bool) {
        if isPending {
            if buffer.cacheGeneration < savedGeneration, isSuperseded(row.primaryKey, in: buffer) { return }
        } else {
            savedGeneration = buffer.cacheGeneration
        }
        // Saves of several contexts may add their rows in another order than they were committed.
        if buffer.isSaved, let cached = rows[row.primaryKey], row.isOlder(than: Row(cached).version) { return }
        rows.set(MemoryAddress(row), MemoryAddress(buffer).pointer, for: row.primaryKey)
    }

    /// Whether there is, or was, a row of a key of a later generation than a buffer.
    fileprivate func isSuperseded(_ key: Int64, in buffer: RowBuffer) -> Bool {
        guard let address = rows[entry: key]?.companion else { return supersededKeys.contains(key) }
        // The deinit of a buffer waits for the lock to remove its rows, so its memory is allocated.
        return Unmanaged<RowBuffer>.fromOpaque(address)._withUnsafeGuaranteedRef {
            $0.cacheGeneration > buffer.cacheGeneration
        }
    }
}

extension MemoryAddress {
    fileprivate init(_ row: Row) { self.init(UnsafeRawPointer(row.header)) }
}

extension Row {
    fileprivate init(_ address: MemoryAddress) {
        self.init(UnsafeMutableRawPointer(mutating: address.pointer).assumingMemoryBound(to: RowHeader.self))
    }
}

// MARK: - Invariants

extension RowCache {
    /// Checks the invariants in the comment of ``RowCache``, for tests. The time grows with the cached rows. The cache
    /// does not change.
    ///
    /// - Returns: a sentence for each violation.
    package func checkInvariants() -> [String] {
        var violations: [String] = []
        var retained: [RowBuffer] = []
        state.withLock { state in
            for (root, table) in state.tables {
                let removed = table.pending.count(where: { $0 == nil })
                if removed != table.removedCount {
                    violations.append(
                        "\(removed) pending buffers were freed, but removedCount is \(table.removedCount).")
                }
                if removed == table.pending.count && removed > 0 {
                    violations.append("All \(removed) pending buffers were freed, but the list isn't empty.")
                }
                for (index, address) in table.pending.enumerated() {
                    guard let address, let buffer = tryRetain(address, as: RowBuffer.self) else { continue }
                    retained.append(buffer)
                    if buffer.cacheIndex != index {
                        violations.append("The pending buffer \(index) has the cacheIndex \(buffer.cacheIndex).")
                    }
                    violations += check(buffer)
                }
                table.rows.forEachEntry { key, header, address in
                    guard let address else {
                        violations.append("The row \(key) of hierarchy \(root) has no buffer.")
                        return
                    }
                    // A buffer whose deinit has begun can't be retained.
                    guard let buffer = tryRetain(MemoryAddress(address), as: RowBuffer.self) else { return }
                    retained.append(buffer)
                    violations += check(buffer) + check(buffer, root, key, header)
                }
            }
        }
        return violations
    }

    private func check(_ buffer: RowBuffer) -> [String] {
        var violations: [String] = []
        if buffer.cache !== self { violations.append("A cached buffer names another row cache.") }
        if buffer.availableCells != nil { violations.append("A cached buffer has incomplete rows.") }
        if buffer.slice != nil { violations.append("A cached buffer is a placeholder for a batch.") }
        return violations
    }

    /// Checks an entry of a table.
    private func check(_ buffer: RowBuffer, _ root: UInt32, _ key: Int64, _ header: MemoryAddress) -> [String] {
        var violations: [String] = []
        if buffer.cacheIndex != -1 {
            violations.append("The row \(key) of hierarchy \(root) is in a pending buffer.")
        }
        guard let row = (0..<buffer.count).lazy.map({ buffer[$0] }).first(where: { MemoryAddress($0) == header })
        else {
            return violations + ["The row \(key) of hierarchy \(root) is not in its buffer."]
        }
        if row.primaryKey != key {
            violations.append("The row \(key) of hierarchy \(root) has the key \(row.primaryKey).")
        }
        if buffer.layouts[row.layoutNumber].root != root {
            violations.append("The row \(key) of hierarchy \(root) is of another hierarchy.")
        }
        return violations
    }
}
