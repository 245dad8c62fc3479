// SPDX-License-Identifier: Apache-2.0

/// The keys that the process has taken from the sequences of the database and not yet used. The mutex guards them.
///
/// A small save needs no round trip for its keys. Keys that a process doesn't use are lost: keys have gaps. A crash of
/// the server, or a failover, may take back a reservation, so that another process gets the same keys. So a block is
/// used only in the run of the server that has given it.
final class PostgreSQLKeyReserve: Sendable {
    private struct Block {
        var next: Int64
        var end: Int64
        var size: Int64
        /// The run of the server in which the block was reserved; nil if the run isn't known.
        let run: String?
    }

    private static let firstSize: Int64 = 50
    private static let lastSize: Int64 = 5000

    private let blocks = Locked<[UInt32: Block]>([:])

    /// Takes consecutive keys.
    ///
    /// - Parameters:
    ///   - run: the run of the server that will get the keys, or nil if the run isn't known, as in a cluster.
    ///   - fetch: takes keys from the database.
    /// - Returns: the first key.
    func reserve(root: UInt32, count: Int64, run: String?, fetch: (Int64) throws -> Int64) throws -> Int64 {
        if let first = take(root, count, run) { return first }
        let size = max(count, blocks.withLock { $0[root].map { min($0.size * 2, Self.lastSize) } ?? Self.firstSize })
        let first = try fetch(size)
        blocks.withLock { blocks in
            let block = Block(next: first + count, end: first + size, size: min(size, Self.lastSize), run: run)
            // Another thread may have fetched a block at the same time: the block with more remaining keys is kept.
            if let known = blocks[root], known.run == run, known.end - known.next > block.end - block.next { return }
            blocks[root] = block
        }
        return first
    }

    private func take(_ root: UInt32, _ count: Int64, _ run: String?) -> Int64? {
        blocks.withLock { blocks in
            guard var block = blocks[root], block.run == run, block.end - block.next >= count else { return nil }
            let first = block.next
            block.next += count
            blocks[root] = block
            return first
        }
    }

    /// Forgets all keys, for instance after rows with greater ones were copied into the store.
    func removeAll() { blocks.withLock { $0.removeAll() } }
}

extension PostgreSQLSession {
    /// Takes consecutive keys from the sequence of an entity hierarchy.
    ///
    /// - Returns: the first key.
    func reserveKeys(_ layout: EntityLayout, count: Int64) throws -> Int64 {
        try reserveKeys(sequence: PostgreSQLDefinition.sequence(try plans.entity(layout).tableName), count: count)
    }

    /// Takes consecutive keys from a sequence.
    ///
    /// - Returns: the first key.
    func reserveKeys(sequence: String, count: Int64) throws -> Int64 {
        let text = "SELECT \(dialect.schemaText).z_reserve_keys($1::text::regclass, $2)"
        do {
            return try integer(text, [.text(dialect.table(sequence)), .integer(count)]) ?? 0
        } catch let failure as PostgreSQLFailure where failure.sqlState == PostgreSQLFailure.State.queryCanceled {
            // The function of an older version of this library keeps its lock. So may this version's function, if a
            // second cancellation interrupts it.
            connection.mayKeepLock = true
            throw failure
        }
    }
}
