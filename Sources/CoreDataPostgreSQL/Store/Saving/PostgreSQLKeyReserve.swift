// SPDX-License-Identifier: Apache-2.0

/// The keys that the process has taken from the sequences of the database and not yet used. The mutex guards them.
///
/// A small save needs no round trip for its keys. Keys that a process doesn't use are lost: keys have gaps.
final class PostgreSQLKeyReserve: Sendable {
    private struct Block {
        var next: Int64
        var end: Int64
        var size: Int64
    }

    private static let firstSize: Int64 = 50
    private static let lastSize: Int64 = 5000

    private let blocks = Locked<[UInt32: Block]>([:])

    /// Takes consecutive keys.
    ///
    /// - Parameter fetch: takes keys from the database.
    /// - Returns: the first key.
    func reserve(root: UInt32, count: Int64, fetch: (Int64) throws -> Int64) throws -> Int64 {
        if let first = take(root, count) { return first }
        let size = max(count, blocks.withLock { $0[root].map { min($0.size * 2, Self.lastSize) } ?? Self.firstSize })
        let first = try fetch(size)
        blocks.withLock { blocks in
            let block = Block(next: first + count, end: first + size, size: min(size, Self.lastSize))
            // Another thread may have fetched a block meanwhile: the larger rest is kept.
            if let known = blocks[root], known.end - known.next > block.end - block.next { return }
            blocks[root] = block
        }
        return first
    }

    private func take(_ root: UInt32, _ count: Int64) -> Int64? {
        blocks.withLock { blocks in
            guard var block = blocks[root], block.end - block.next >= count else { return nil }
            let first = block.next
            block.next += count
            blocks[root] = block
            return first
        }
    }

    /// Forgets all keys, for instance after rows with greater ones were copied into the store.
    func removeAll() { blocks.withLock { $0.removeAll() } }
}
