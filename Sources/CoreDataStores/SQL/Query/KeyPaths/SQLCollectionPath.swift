// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The result of a key path across a to-many relationship: values of several rows, which an inner select reads.
struct SQLCollectionPath {
    typealias Filter = (SQLPathObject) throws -> SQLCondition

    /// The collection that contains the values in memory. It decides whether equal and missing values count.
    enum Container {
        /// Each value once, without missing values.
        case set
        /// Each value once, including a missing value.
        case orderedSet
        /// Every value.
        case array
    }

    /// A part of the path: keys, and a filter of the objects at their end. Each object counts once.
    struct Segment {
        let keys: ArraySlice<String>
        let filter: Filter?
        /// Whether an object counts once for each path that leads to it, unless the keys cross another collection.
        var preservesDuplicates = false
    }

    /// The result of a union operator such as `@unionOfObjects`: the values without missing ones.
    struct Union {
        let isDistinct: Bool
        /// Whether a value that is a collection is replaced by its elements.
        let isFlat: Bool
    }

    /// The owner of the relationship.
    let owner: SQLPathObject
    let relationship: SQLToMany
    /// The parts of the path from the members of the relationship to the elements.
    private(set) var segments: [Segment] = []
    /// The keys that follow the elements.
    var rest: ArraySlice<String>
    /// The complete path, for messages.
    let text: String
    private(set) var container: Container
    var union: Union?

    init(owner: SQLPathObject, relationship: SQLToMany, rest: ArraySlice<String>, text: String) {
        self.owner = owner
        self.relationship = relationship
        self.rest = rest
        self.text = text
        container = relationship.isOrdered ? .orderedSet : .set
    }

    /// The path with more keys at its end.
    func appending(_ keys: ArraySlice<String>) -> SQLCollectionPath {
        var longer = self
        longer.rest = rest + keys
        return longer
    }

    /// The elements that match a subquery's predicate, as an array.
    func filtered(_ filter: @escaping Filter) -> SQLCollectionPath {
        var path = self
        path.segments.append(Segment(keys: rest, filter: filter, preservesDuplicates: container == .array))
        path.rest = []
        path.container = .array
        return path
    }

    /// The path whose elements are the results of this one, followed by other keys. Sets contain each object once.
    func elements(rest keys: ArraySlice<String>) -> SQLCollectionPath {
        var path = self
        if rest.isEmpty || container == .array {
            path.rest = rest + keys
        } else {
            path.segments.append(Segment(keys: rest, filter: nil))
            path.rest = keys
        }
        return path
    }
}

extension SQLSelectBuilder {
    /// Adds the rows of the members of a to-many relationship of one object.
    func addContent(of relationship: SQLToMany, of owner: SQLExpression) -> SQLPathObject {
        let destination = relationship.destination
        let primaryKey = destination.table.primaryKey.name
        let alias: String
        var orderKey: SQLExpression?
        switch relationship.storage {
        case .foreignKey(let foreignKey):
            alias = add(destination.tableName) {
                .comparison(.column(alias: $0, name: foreignKey.column.name), .equal, owner)
            }
            orderKey = foreignKey.orderColumn.map { .column(alias: alias, name: $0.name) }
        case .join(let join) where join.table.isReflexive:
            // Apple's framework writes each link in both directions, other programs may not. Both directions are read,
            // and each object counts once.
            alias = add(destination.tableName) { row in
                let key = SQLExpression.column(alias: row, name: primaryKey)
                return .or([
                    .inSelect(
                        key, content(join.table.name, join.contentColumn, where: join.ownerColumn, is: owner)),
                    .inSelect(
                        key, content(join.table.name, join.ownerColumn, where: join.contentColumn, is: owner)),
                ])
            }
        case .join(let join):
            let link = add(join.table.name) {
                .comparison(.column(alias: $0, name: join.ownerColumn), .equal, owner)
            }
            alias = add(destination.tableName) {
                .comparison(
                    .column(alias: $0, name: primaryKey), .equal, .column(alias: link, name: join.contentColumn))
            }
            orderKey = join.orderColumn.map { .column(alias: link, name: $0) }
        }
        return SQLPathObject(row: alias, of: destination, in: self, orderKey: orderKey)
    }

    /// The keys in one column of a join table, for a key in the other column.
    private func content(_ table: String, _ column: String, where other: String, is key: SQLExpression) -> SQLSelect {
        let builder = inner()
        let alias = builder.add(table) { .comparison(.column(alias: $0, name: other), .equal, key) }
        return builder.select([.column(alias: alias, name: column)])
    }

    /// A builder of an inner select.
    func inner() -> SQLSelectBuilder {
        SQLSelectBuilder(aliases: aliases)
    }
}
