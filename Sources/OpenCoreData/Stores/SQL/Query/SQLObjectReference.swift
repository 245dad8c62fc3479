/// What an object in a predicate is to one store.
package struct SQLObjectReference: Sendable, Equatable {
    package let entityName: String
    /// The primary key; `nil` for an object that isn't in this store, which equals none of its rows: it is not saved
    /// yet, or lies in another store.
    package let key: Int64?

    package init(entityName: String, key: Int64?) {
        self.entityName = entityName
        self.key = key
    }

    /// Finds what a constant of a predicate refers to; `nil` for anything but an object ID.
    /// Objects are asked for their IDs before.
    package typealias Resolver = (Any) -> SQLObjectReference?
}
