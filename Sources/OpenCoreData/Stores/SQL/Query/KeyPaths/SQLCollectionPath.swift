import CoreDataModel
import CoreDataPredicates

/// What a key path across a to-many relationship reaches: values of several rows, which only a select inside can look
/// at.
struct SQLCollectionPath {
    typealias Filter = (SQLPathObject) throws -> SQLCondition

    /// What holds the values in memory: it decides whether equal and missing ones count.
    enum Container {
        /// Each value once, no missing one.
        case set
        /// Each value once, also a missing one.
        case orderedSet
        /// Every value.
        case array
    }

    /// A part of the way to the elements: keys to follow, at whose end each object counts once, and a filter on these.
    struct Segment {
        let keys: ArraySlice<String>
        let filter: Filter?
        /// True where each way to an object counts, unless the keys cross a further collection.
        var keepsAll = false
    }

    /// What `@unionOfObjects` and the like gather: the values that are there.
    struct Union {
        let isDistinct: Bool
        /// Whether a value that is a collection gives its elements.
        let isFlat: Bool
    }

    /// The object that has the relationship.
    let owner: SQLPathObject
    let relationship: SQLToMany
    /// The way from the relationship's objects to the elements.
    private(set) var segments: [Segment] = []
    /// The keys behind the elements.
    var rest: ArraySlice<String>
    /// The whole path, for messages.
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

    /// The path with more keys behind it.
    func appending(_ keys: ArraySlice<String>) -> SQLCollectionPath {
        var longer = self
        longer.rest = rest + keys
        return longer
    }

    /// The elements for which a subquery's predicate holds: an array.
    func filtered(_ filter: @escaping Filter) -> SQLCollectionPath {
        var path = self
        path.segments.append(Segment(keys: rest, filter: filter, keepsAll: container == .array))
        path.rest = []
        path.container = .array
        return path
    }

    /// The path whose elements are what this one reaches, with other keys behind them. Sets hold each object once.
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
    /// Adds the rows of a to-many relationship of one object.
    func addContent(of relationship: SQLToMany, of owner: SQLExpression) -> SQLPathObject {
        let destination = relationship.destination
        let primaryKey = destination.table.primaryKey.name
        let alias: String
        var place: SQLExpression?
        switch relationship.storage {
        case .foreignKey(let foreignKey):
            alias = add(destination.tableName) {
                .comparison(.column(alias: $0, name: foreignKey.column.name), .equal, owner)
            }
            place = foreignKey.orderColumn.map { .column(alias: alias, name: $0.name) }
        case .join(let join) where join.table.isReflexive:
            // Apple writes each link both ways, other hands may not: both directions count, each object once.
            alias = add(destination.tableName) { row in
                let key = SQLExpression.column(alias: row, name: primaryKey)
                return .any([
                    .memberOfSelect(
                        key, content(join.table.name, join.contentColumn, where: join.ownerColumn, is: owner)),
                    .memberOfSelect(
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
            place = join.orderColumn.map { .column(alias: link, name: $0) }
        }
        return SQLPathObject(row: alias, of: destination, in: self, place: place)
    }

    /// The keys in one column of a join table for the key in the other.
    private func content(_ table: String, _ column: String, where other: String, is key: SQLExpression) -> SQLSelect {
        let builder = inner()
        let alias = builder.add(table) { .comparison(.column(alias: $0, name: other), .equal, key) }
        return builder.select([.column(alias: alias, name: column)])
    }

    /// A builder for a select inside this one.
    func inner() -> SQLSelectBuilder {
        SQLSelectBuilder(aliases: aliases)
    }
}
