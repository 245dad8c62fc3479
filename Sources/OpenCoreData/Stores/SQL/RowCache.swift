import Synchronization

/// The newest rows that living objects of any context hold, by primary key: a fault that finds its row here costs no statement.
///
/// Lists addresses of buffers that are alive: a buffer removes its rows in its `deinit`. The lock guards everything.
final class RowCache: @unchecked Sendable {
    private struct Tables: ~Copyable {
        /// One table a root entity, by the root's position in the model.
        var rows: [UInt32: RowTable] = [:]
    }

    /// A row's address and its buffer's, by key.
    private final class RowTable {
        var headers = KeyTable()
        var buffers = KeyTable()
    }

    private let tables = Mutex(Tables())

    /// Lists all rows of the buffers, replacing older rows of the same keys.
    func add(_ buffers: [RowBuffer], root: UInt32) {
        guard !buffers.isEmpty else { return }
        tables.withLock { tables in
            let table = Self.table(&tables, root)
            for buffer in buffers {
                buffer.cache = self
                let address = KeyTable.Address(buffer)
                for index in 0..<buffer.count {
                    let row = buffer[index]
                    Self.noteSuperseded(table, key: row.primaryKey, by: row)
                    table.headers.set(KeyTable.Address(UnsafeRawPointer(row.header)), for: row.primaryKey)
                    table.buffers.set(address, for: row.primaryKey)
                }
            }
        }
    }

    /// The row of a key, nil if no living object holds one.
    func row(root: UInt32, key: Int64) -> RetainedRow? {
        tables.withLock { tables in
            guard let table = tables.rows[root], let header = table.headers[key], let address = table.buffers[key],
                let buffer = tryRetain(address, as: RowBuffer.self) else { return nil }
            return RetainedRow(buffer: buffer, row: Row(UnsafeMutableRawPointer(mutating: header.pointer).assumingMemoryBound(to: RowHeader.self)))
        }
    }

    /// Forgets a row, so that the next fault reads the store.
    func forget(root: UInt32, key: Int64) {
        tables.withLock { tables in
            guard let table = tables.rows[root] else { return }
            Self.noteSuperseded(table, key: key, by: nil)
            table.headers.remove(key)
            table.buffers.remove(key)
        }
    }

    func removeAll() {
        tables.withLock { $0.rows.removeAll() }
    }

    /// Takes a buffer's rows off the list, unless newer ones have replaced them: called by the buffer's `deinit`.
    func remove(_ buffer: RowBuffer) {
        tables.withLock { tables in
            for index in 0..<buffer.count {
                let row = buffer[index]
                let root = buffer.layouts[row.layoutNumber].root
                guard let table = tables.rows[root] else { continue }
                let header = KeyTable.Address(UnsafeRawPointer(row.header))
                if table.headers[row.primaryKey] == header {
                    table.headers.remove(row.primaryKey)
                    table.buffers.remove(row.primaryKey)
                }
            }
        }
    }

    /// Tells the buffer of an older row that a fault must not use it any more. The buffer is alive as long as it is listed.
    @inline(__always)
    private static func noteSuperseded(_ table: RowTable, key: Int64, by row: Row?) {
        guard let header = table.headers[key], let buffer = table.buffers[key] else { return }
        let old = header.pointer.assumingMemoryBound(to: RowHeader.self).pointee.version
        if let row, row.version == old { return }
        Unmanaged<RowBuffer>.fromOpaque(buffer.pointer)._withUnsafeGuaranteedRef { $0.hasSupersededRows.store(true, ordering: .relaxed) }
    }

    private static func table(_ tables: inout Tables, _ root: UInt32) -> RowTable {
        if let table = tables.rows[root] { return table }
        let table = RowTable()
        tables.rows[root] = table
        return table
    }
}
