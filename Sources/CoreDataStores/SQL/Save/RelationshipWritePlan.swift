// SPDX-License-Identifier: Apache-2.0

/// The statements that write the changes of one to-many relationship.
///
/// Immutable. An open store makes one for each relationship and reuses it in every save.
package final class RelationshipWritePlan {
    /// Rows of a join table.
    struct Join {
        /// Parameters: the owner's key and the member's.
        let insertText: String
        let deleteText: String
        /// A relationship that is its own inverse has a row for each direction.
        let isReflexive: Bool
    }

    /// Foreign keys in the rows of the members. Of a relationship without inverse only its owner writes them; otherwise
    /// the rows of the members are updated with their to-one relationship.
    struct ForeignKeys {
        /// Parameters: the owner's key, its entity number if ``hasEntityColumn`` is set, the member's key.
        let setText: String
        let hasEntityColumn: Bool
        /// Parameters: the member's key and the owner's.
        let clearText: String
    }

    /// Positions of the members of an ordered relationship.
    package struct Order {
        /// Selects the key and the position of each member. Parameter: the owner's key.
        let readText: String
        /// Selects the owner's key, the key and the position of each member of many owners. Parameter: the owners'
        /// keys.
        package let readAllText: String
        /// Selects the key and the position of a member. Parameters: the owner's key, and the member's, or a list of
        /// the members' keys for an engine that binds lists.
        package let readMemberText: String
        /// Parameters: the position, the member's key, the owner's key.
        let writeText: String
    }

    let ownerEntityNumber: Int64
    let join: Join?
    let foreignKeys: ForeignKeys?
    let order: Order?

    init(_ relationship: SQLToMany, owner: SQLEntity, dialect: any SQLDialect) {
        let statements = SQLWriteStatements(dialect: dialect)
        ownerEntityNumber = Int64(owner.number)
        switch relationship.storage {
        case .foreignKey(let key):
            let table = relationship.destination.tableName
            join = nil
            foreignKeys = key.isWithoutInverse ? ForeignKeys(key, table, statements) : nil
            order = key.orderColumn.map {
                Order(
                    statements, table: table, position: $0.name, member: "Z_PK", owner: key.column.name)
            }
        case .join(let join):
            let table = join.table.name
            let columns = [join.ownerColumn, join.contentColumn]
            self.join = Join(
                insertText: statements.insertKeysIfAbsent(into: table, columns: columns),
                deleteText: statements.deleteKeys(from: table, where: columns), isReflexive: join.table.isReflexive)
            foreignKeys = nil
            order = join.orderColumn.map {
                Order(
                    statements, table: table, position: $0, member: join.contentColumn, owner: join.ownerColumn)
            }
        }
    }
}

extension RelationshipWritePlan.ForeignKeys {
    fileprivate init(_ key: SQLForeignKey, _ table: String, _ statements: SQLWriteStatements) {
        let written = [key.column] + (key.entityColumn.map { [$0] } ?? [])
        setText = statements.updateKeys(table, written.map { .parameter($0.name) }, where: ["Z_PK"])
        hasEntityColumn = key.entityColumn != nil
        clearText = statements.updateKeys(table, key.columns.map { .null($0.name) }, where: ["Z_PK", key.column.name])
    }
}

extension RelationshipWritePlan.Order {
    fileprivate init(
        _ statements: SQLWriteStatements, table: String, position: String, member: String, owner: String
    ) {
        readText = statements.select([member, position], from: table, where: [owner])
        readAllText = statements.select([owner, member, position], from: table, whereKeys: owner)
        readMemberText = statements.select([member, position], from: table, where: owner, keys: member)
        writeText = statements.updateKeys(table, [.parameter(position)], where: [member, owner])
    }
}
