// SPDX-License-Identifier: Apache-2.0

/// A source of a store's rows: the store itself, with the newest rows, or one of its query generations. Every method
/// may be called on any thread.
package protocol SnapshotSource: AnyObject, Sendable {
    /// The identity of the store.
    var identity: StoreIdentity { get }
    /// Whether predicates may contain fetches of the same store (``StoredFetchNode``).
    var runsFetchesInPredicates: Bool { get }
    /// Whether the program answers, with the context that asks: on the context's queue, and with faults, not rows.
    var isContextBound: Bool { get }
    /// The rows of a query, in order.
    func rows(_ query: StoreQuery) throws -> RowList
    /// The rows of a query as they come; nil for a source that gives them together.
    func rowStream(_ query: StoreQuery) throws -> (any RowStream)?
    /// The keys of a query, in order.
    func references(_ query: StoreQuery) throws -> [ObjectReference]
    /// The values of a query with a projection, in order.
    func values(_ query: StoreQuery) throws -> ProjectedRows
    /// The number of objects, or of results of a projection.
    func count(_ query: StoreQuery) throws -> Int
    /// The row of one object; nil if there is none. The row cache comes first.
    func snapshot(layout: EntityLayout, key: Int64) throws -> RetainedRow?
    /// The members of a to-many relationship, in order if it is ordered.
    func destinations(of slot: PropertySlot, ownerLayout: EntityLayout, key: Int64) throws -> [ObjectReference]
    /// The rows of objects of an entity or its subentities by key, in no order. A key without a row has no result.
    ///
    /// - Parameter properties: the positions of the properties to read; nil for all.
    func rows(layout: EntityLayout, keys: [Int64], properties: Set<Int>?) throws -> RowList
    /// The members of a to-many relationship of many owners, with their rows.
    func contents(of slot: PropertySlot, ownerLayout: EntityLayout, keys: [Int64]) throws -> StoreContents
}

extension SnapshotSource {
    package var runsFetchesInPredicates: Bool { false }
    package var isContextBound: Bool { false }
    package func rowStream(_ query: StoreQuery) throws -> (any RowStream)? { nil }
}
