// SPDX-License-Identifier: Apache-2.0

/// The names of the statements that a connection has prepared. Of more than 256 the least recently used goes.
final class PostgreSQLStatementCache {
    /// The same text with parameters of other types is another statement.
    struct Key: Hashable {
        let text: String
        let types: [UInt32]

        /// The texts are long, and few: their length tells most of them apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(text.utf8.count)
            hasher.combine(types.count)
        }
    }

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    static let capacity = 256
    /// How many statements are deallocated in one round trip.
    private static let deallocationCount = 16

    private var entries: [Key: Entry] = [:]
    private var useCount = 0
    private var nameCount = 0
    private var dropped: [String] = []
    /// The selects without parameters that had few rows when they were executed last.
    private var small = BoundedDictionary<String, Void>(capacity: PostgreSQLStatementCache.capacity)

    func name(for key: Key) -> String? {
        useCount += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = useCount
        return entries.values[index].name
    }

    func nextName() -> String {
        nameCount += 1
        return "coredata_\(nameCount)"
    }

    func insert(_ key: Key, name: String) {
        if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            remove(oldest.key, isKnownToServer: true)
        }
        entries[key] = Entry(name: name, lastUse: useCount)
    }

    func remove(_ key: Key, isKnownToServer: Bool) {
        guard let entry = entries.removeValue(forKey: key), isKnownToServer else { return }
        dropped.append(entry.name)
    }

    func isSmall(_ select: String) -> Bool { small[select] != nil }

    func setSmall(_ select: String, _ isSmall: Bool) {
        small[select] = isSmall ? () : nil
    }

    /// The statement that removes dropped statements from the server, when there are enough of them.
    func takeDeallocation() -> String? {
        guard dropped.count >= Self.deallocationCount else { return nil }
        defer { dropped.removeAll(keepingCapacity: true) }
        return dropped.map { "DEALLOCATE \($0)" }.joined(separator: ";")
    }
}
