// SPDX-License-Identifier: Apache-2.0

/// The primary keys of the rows that one save inserts, by which references to new objects are written.
package final class PermanentKeys {
    /// Reserves consecutive keys for rows of an entity hierarchy, given by its root layout's number, and returns the
    /// first one.
    package typealias Reservation = (_ root: UInt32, _ count: Int64) throws -> Int64

    /// The key of each inserted row, in the order of the rows.
    package let inserted: [Int64]
    private let rows: [StoreChanges.InsertedRow]
    /// Made at the first reference to a new object: most saves of new objects have no such reference.
    private lazy var permanentKeys = Dictionary(
        zip(rows.map(\.key), inserted), uniquingKeysWith: { first, _ in first })

    /// - Parameter reserve: called once for each hierarchy with new objects.
    init(_ rows: [StoreChanges.InsertedRow], reserve: Reservation) throws {
        self.rows = rows
        inserted = try Self.keys(rows, reserve)
    }

    /// The permanent key of an object.
    ///
    /// - Parameter key: the temporary or the permanent key.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) for a temporary key of an object that this save
    ///   doesn't insert.
    package func permanentKey(_ key: Int64) throws -> Int64 {
        if key >= 0 { return key }
        guard let permanent = permanentKeys[key] else { throw StoreChanges.unknownReference }
        return permanent
    }

    /// One new key for each layout, in their order.
    package static func allocate(_ layouts: [EntityLayout], reserve: Reservation) throws -> [Int64] {
        var counts: [UInt32: Int64] = [:]
        for layout in layouts { counts[layout.root, default: 0] += 1 }
        var next: [UInt32: Int64] = [:]
        // All processes reserve in the same order, so that they can't wait for each other in a circle.
        for (root, count) in counts.sorted(by: { $0.key < $1.key }) { next[root] = try reserve(root, count) }
        return layouts.map { layout in
            let key = next[layout.root]!
            next[layout.root] = key + 1
            return key
        }
    }

    /// An object that is inserted again keeps its key. All other objects get new keys.
    private static func keys(_ rows: [StoreChanges.InsertedRow], _ reserve: Reservation) throws -> [Int64] {
        // New objects of one hierarchy: the common case needs no lists.
        if let root = rows.first?.layout.root, rows.allSatisfy({ $0.key < 0 && $0.layout.root == root }) {
            let first = try reserve(root, Int64(rows.count))
            return Array(first..<first + Int64(rows.count))
        }
        var keys = try allocate(rows.filter { $0.key < 0 }.map(\.layout), reserve: reserve)[...]
        return rows.map { $0.key < 0 ? keys.popFirst()! : $0.key }
    }
}
