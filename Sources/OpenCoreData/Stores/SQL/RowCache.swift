import Synchronization

/// Counts the changes of rows that a row cache hears of: what saves replace and forget, not what fetches bring.
final class RowCacheGeneration: Sendable {
    private let count = Atomic<Int>(0)

    @inline(__always) var current: Int { count.load(ordering: .relaxed) }
    func advance() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// The newest rows that living objects of any context hold, by primary key: a fault that finds its row here costs no
/// statement.
///
/// Lists addresses of buffers that are alive: a buffer takes itself off in its `deinit`. New buffers are only noted;
/// their rows are listed by key when the first look-up comes, since objects that were fetched have their rows already.
/// The lock guards everything.
final class RowCache: @unchecked Sendable {
    private struct State: ~Copyable {
        /// One table a root entity, by the root layout's number.
        var tables: [UInt32: RowTable] = [:]
        /// Buffers whose rows are not listed yet, oldest first; nil where a buffer has gone.
        var noted: [KeyTable.Address?] = []
        var removedCount = 0
    }

    /// A row's address and its buffer's, by key.
    private final class RowTable {
        var headers = KeyTable()
        var buffers = KeyTable()
    }

    private let state = Mutex(State())
    let generation = RowCacheGeneration()

    /// Notes rows that were read, or are new.
    func add(_ buffers: [RowBuffer]) {
        guard !buffers.isEmpty else { return }
        state.withLock { state in
            for buffer in buffers {
                buffer.didAdd(to: self, generation: generation.current, index: state.noted.count)
                state.noted.append(KeyTable.Address(buffer))
            }
        }
    }

    /// Lists rows that a save has written.
    ///
    /// - Parameter replacing: whether older rows of the same keys may be there.
    func addSaved(_ buffers: [RowBuffer], replacing: Bool) {
        for buffer in buffers { buffer.isSaved = true }
        if replacing { replace(buffers) } else { add(buffers) }
    }

    /// Lists rows that a save has changed, at once: should they go unlisted, the older rows of their keys would be
    /// taken for the newest.
    private func replace(_ buffers: [RowBuffer]) {
        guard !buffers.isEmpty else { return }
        var alive: [RowBuffer] = []
        state.withLock { state in
            Self.listNoted(&state, keeping: &alive)
            let newGeneration = generation.advance()
            for buffer in buffers {
                buffer.didAdd(to: self, generation: newGeneration, index: -1)
                Self.list(buffer, &state)
            }
        }
    }

    /// The row of a key, nil if no living object holds one.
    func row(root: UInt32, key: Int64) -> RetainedRow? {
        var alive: [RowBuffer] = []
        return state.withLock { state in
            Self.listNoted(&state, keeping: &alive)
            guard let table = state.tables[root], let header = table.headers[key], let address = table.buffers[key],
                let buffer = tryRetain(address, as: RowBuffer.self)
            else { return nil }
            return RetainedRow(
                buffer: buffer,
                row: Row(UnsafeMutableRawPointer(mutating: header.pointer).assumingMemoryBound(to: RowHeader.self)))
        }
    }

    /// Forgets a row, so that the next fault reads the store.
    func forget(root: UInt32, key: Int64) {
        var alive: [RowBuffer] = []
        state.withLock { state in
            Self.listNoted(&state, keeping: &alive)
            _ = generation.advance()
            guard let table = state.tables[root] else { return }
            table.headers.remove(key)
            table.buffers.remove(key)
        }
    }

    func removeAll() {
        var alive: [RowBuffer] = []
        state.withLock { state in
            Self.listNoted(&state, keeping: &alive)
            state.tables.removeAll()
        }
    }

    /// Takes a buffer's rows off the list, unless newer ones have replaced them: called by the buffer's `deinit`.
    func remove(_ buffer: RowBuffer) {
        state.withLock { state in
            if buffer.cacheIndex >= 0, buffer.cacheIndex < state.noted.count,
                state.noted[buffer.cacheIndex] == KeyTable.Address(buffer)
            {
                state.noted[buffer.cacheIndex] = nil
                state.removedCount += 1
                if state.removedCount == state.noted.count {
                    state.noted.removeAll(keepingCapacity: true)
                    state.removedCount = 0
                }
                return
            }
            for index in 0..<buffer.count {
                let row = buffer[index]
                guard let table = state.tables[buffer.layouts[row.layoutNumber].root] else { continue }
                if table.headers[row.primaryKey] == KeyTable.Address(UnsafeRawPointer(row.header)) {
                    table.headers.remove(row.primaryKey)
                    table.buffers.remove(row.primaryKey)
                }
            }
        }
    }

    /// - Parameter alive: takes the buffers that were touched; the last reference to one must not go under the lock,
    ///   which its `deinit` takes.
    private static func listNoted(_ state: inout State, keeping alive: inout [RowBuffer]) {
        guard !state.noted.isEmpty else { return }
        for address in state.noted {
            // A buffer whose deinit has begun waits for the lock to take itself off: it is left out here.
            guard let address, let buffer = tryRetain(address, as: RowBuffer.self) else { continue }
            alive.append(buffer)
            buffer.cacheIndex = -1
            list(buffer, &state)
        }
        state.noted.removeAll(keepingCapacity: true)
        state.removedCount = 0
    }

    private static func list(_ buffer: RowBuffer, _ state: inout State) {
        let address = KeyTable.Address(buffer)
        for index in 0..<buffer.count {
            let row = buffer[index]
            let table = table(&state, buffer.layouts[row.layoutNumber].root)
            if buffer.isSaved, let present = table.headers[row.primaryKey], Self.isOlder(row, than: present) {
                continue
            }
            table.headers.set(KeyTable.Address(UnsafeRawPointer(row.header)), for: row.primaryKey)
            table.buffers.set(address, for: row.primaryKey)
        }
    }

    /// Versions count up, and over.
    private static func isOlder(_ row: Row, than present: KeyTable.Address) -> Bool {
        let version = present.pointer.assumingMemoryBound(to: RowHeader.self).pointee.version
        return row.version &- version < 0
    }

    private static func table(_ state: inout State, _ root: UInt32) -> RowTable {
        if let table = state.tables[root] { return table }
        let table = RowTable()
        state.tables[root] = table
        return table
    }
}
