// SPDX-License-Identifier: Apache-2.0

/// The rows that were saved or evicted most recently, each with the generation of the row cache in which that happened.
///
/// Rows that were read before a change of other rows are as good as rows that were read after it. Most reads during the
/// saves of other contexts find such rows.
struct RecentRowChanges {
    private static let capacity = 256

    private struct Change {
        let generation: Int
        let root: UInt32
        let key: Int64
        /// The version of a saved row; nil for an evicted one.
        let version: Int32?
    }

    /// In the order of their generations.
    private var changes: [Change] = []
    /// The list has all changes of later generations.
    private var start = 0

    /// Adds rows that were evicted.
    ///
    /// - Parameter root: the hierarchy of the rows.
    mutating func add(_ keys: [Int64], root: UInt32, generation: Int) {
        add(keys.lazy.map { Change(generation: generation, root: root, key: $0, version: nil) }, keys.count, generation)
    }

    /// Adds the rows of a buffer, which were saved.
    mutating func add(_ saved: RowBuffer, root: UInt32, generation: Int) {
        let changes = (0..<saved.count).lazy.map { index in
            let row = saved[index]
            return Change(generation: generation, root: root, key: row.primaryKey, version: row.version)
        }
        add(changes, saved.count, generation)
    }

    private mutating func add(_ added: some Sequence<Change>, _ count: Int, _ generation: Int) {
        if count > Self.capacity / 2 { return removeAll(generation: generation) }
        if changes.count + count > Self.capacity {
            start = changes[Self.capacity / 2 - 1].generation
            changes.removeFirst(Self.capacity / 2)
        }
        changes.append(contentsOf: added)
    }

    /// Whether a newer version of a row may have been saved, or the row evicted, since a save began that wrote it.
    ///
    /// - Parameter generation: the generation before that save.
    func mayHaveNewer(than row: Row, root: UInt32, savedIn generation: Int) -> Bool {
        if generation < start { return true }
        for change in changes.reversed() {
            if change.generation <= generation { break }
            if change.key == row.primaryKey && change.root == root {
                return change.version.map { row.isOlder(than: $0) } ?? true
            }
        }
        return false
    }

    /// Forgets the changes: rows of all keys may have changed in a generation.
    mutating func removeAll(generation: Int) {
        changes.removeAll(keepingCapacity: true)
        start = generation
    }

    /// Whether a row may have changed after a generation.
    func mayContain(_ key: Int64, root: UInt32, after generation: Int) -> Bool {
        if generation < start { return true }
        for change in changes.reversed() {
            if change.generation <= generation { break }
            if change.key == key && change.root == root { return true }
        }
        return false
    }

    /// Whether one of some rows may have changed after a generation.
    func mayContain(_ keys: some Sequence<Int64>, root: UInt32, after generation: Int) -> Bool {
        if generation < start { return true }
        var changed: Set<Int64> = []
        for change in changes.reversed() {
            if change.generation <= generation { break }
            if change.root == root { changed.insert(change.key) }
        }
        return !changed.isEmpty && keys.contains { changed.contains($0) }
    }
}
