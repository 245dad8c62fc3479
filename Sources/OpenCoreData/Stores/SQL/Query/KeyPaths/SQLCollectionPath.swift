import CoreDataPredicates
import CoreDataModel

/// What a key path across a to-many relationship reaches: values of several rows, which only a select inside can look at.
struct SQLCollectionPath {
    /// The object that has the relationship.
    let owner: SQLPathObject
    let relationship: SQLToMany
    /// The keys behind the relationship.
    var rest: ArraySlice<String>
    /// The whole path, for messages.
    let text: String
    /// Looks at each object of the relationship and says which count; for subqueries.
    var filter: ((SQLPathObject) throws -> SQLCondition)?

    /// The path with more keys behind it.
    func appending(_ keys: ArraySlice<String>) -> SQLCollectionPath {
        var longer = self
        longer.rest = rest + keys
        return longer
    }
}

extension SQLSelectBuilder {
    /// Adds the rows of a to-many relationship of one object.
    func addContent(of relationship: SQLToMany, of owner: SQLExpression) -> SQLPathObject {
        let destination = relationship.destination
        let primaryKey = destination.table.primaryKey.name
        let alias: String
        switch relationship.storage {
        case .foreignKey(let foreignKey):
            alias = add(destination.tableName) {
                .comparison(.column(alias: $0, name: foreignKey.column.name), .equal, owner)
            }
        case .join(let join) where join.table.isReflexive:
            // Apple writes each link both ways, other hands may not: both directions count, each object once.
            alias = add(destination.tableName) { row in
                let key = SQLExpression.column(alias: row, name: primaryKey)
                return .any([
                    .memberOfSelect(key, content(join.table.name, join.contentColumn, where: join.ownerColumn, is: owner)),
                    .memberOfSelect(key, content(join.table.name, join.ownerColumn, where: join.contentColumn, is: owner)),
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
        }
        return SQLPathObject(row: alias, of: destination, in: self)
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
