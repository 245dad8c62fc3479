// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Makes the statements that a store runs for keys: rows by key, and the contents of to-many relationships.
///
/// Their text depends on the schema only, so a store makes each once and retains it.
struct SQLKeyedStatements: Sendable {
    private let dialect: any SQLDialect

    init(dialect: any SQLDialect) {
        self.dialect = dialect
    }

    /// Rows of a table: its header columns, then the columns.
    func rows(
        of table: SQLTable, columns: [SQLColumn], keys: SQLKeyedStatement.Keys
    ) -> SQLKeyedStatement {
        var select = SQLSelect(source: .table(table.name, alias: "t0"))
        select.columns = (table.headerColumns + columns).map { Self.column("t0", $0.name) }
        select.condition = matches(Self.column("t0", table.primaryKey.name), keys)
        return SQLKeyedStatement(select, keys: keys, dialect: dialect)
    }

    /// The members of a to-many relationship.
    ///
    /// For one owner a row has the member's `Z_PK`, and `Z_ENT` unless the table has one entity: the index of the
    /// owner's column is enough then. For many owners the owner's key precedes both, and the rows of one owner follow
    /// one another. Rows are in the relationship's order, or in the order of the keys if the relationship isn't
    /// ordered.
    func content(of relationship: SQLToMany, keys: SQLKeyedStatement.Keys) -> SQLKeyedStatement {
        content(of: relationship, ContentSelection(keys: keys, columns: nil))
    }

    /// The members of a to-many relationship of many owners with their rows: the header columns of their table, the
    /// columns, then the owner's key.
    ///
    /// The rows of one owner follow one another, in the relationship's order, or in the order of the keys.
    func content(
        of relationship: SQLToMany, columns: [SQLColumn], keys: SQLKeyedStatement.Keys = .many
    ) -> SQLKeyedStatement {
        content(of: relationship, ContentSelection(keys: keys, columns: columns))
    }

    private struct ContentSelection {
        let keys: SQLKeyedStatement.Keys
        /// The columns of the members' rows; nil for keys only.
        let columns: [SQLColumn]?
    }

    private func content(of relationship: SQLToMany, _ selection: ContentSelection) -> SQLKeyedStatement {
        switch relationship.storage {
        case .foreignKey(let foreignKey):
            return content(of: relationship.destination.table, by: foreignKey, selection)
        case .join(let join) where join.table.isReflexive:
            return content(of: relationship.destination.table, reflexive: join, selection)
        case .join(let join):
            return content(of: relationship.destination.table, by: join, selection)
        }
    }

    private func content(
        of table: SQLTable, by foreignKey: SQLForeignKey, _ selection: ContentSelection
    ) -> SQLKeyedStatement {
        var select = SQLSelect(source: .table(table.name, alias: "t0"))
        let owner = Self.column("t0", foreignKey.column.name)
        select.condition = matches(owner, selection.keys)
        return finish(
            select, owner: owner, table: table, alias: "t0",
            order: foreignKey.orderColumn.map { Self.column("t0", $0.name) }, selection)
    }

    private func content(of table: SQLTable, by join: SQLJoin, _ selection: ContentSelection) -> SQLKeyedStatement {
        var select = SQLSelect(source: .table(join.table.name, alias: "t0"))
        let owner = Self.column("t0", join.ownerColumn)
        select.joins = [
            SQLTableJoin(
                kind: .inner, table: table.name, alias: "t1",
                condition: .comparison(
                    Self.column("t1", table.primaryKey.name), .equal, Self.column("t0", join.contentColumn)))
        ]
        select.condition = matches(owner, selection.keys)
        return finish(
            select, owner: owner, table: table, alias: "t1", order: join.orderColumn.map { Self.column("t0", $0) },
            selection)
    }

    /// Both columns of a relationship that is its own inverse are read, and their links united: another program than
    /// Apple's may have written a link in one direction only.
    private func content(
        of table: SQLTable, reflexive join: SQLJoin, _ selection: ContentSelection
    ) -> SQLKeyedStatement {
        let links = SQLSelect.Source.union(
            [
                links(join.table.name, from: join.ownerColumn, to: join.contentColumn, alias: "t2", selection.keys),
                links(join.table.name, from: join.contentColumn, to: join.ownerColumn, alias: "t3", selection.keys),
            ], alias: "t0")
        let owner = Self.column("t0", join.ownerColumn)
        let content = Self.column("t0", join.contentColumn)
        var select = SQLSelect(source: links)
        select.joins = [
            SQLTableJoin(
                kind: .inner, table: table.name, alias: "t1",
                condition: .comparison(Self.column("t1", table.primaryKey.name), .equal, content))
        ]
        if join.orderColumn != nil {
            let sameLink = SQLCondition.and([
                .comparison(Self.column("t4", join.ownerColumn), .equal, owner),
                .comparison(Self.column("t4", join.contentColumn), .equal, content),
            ])
            select.joins.append(
                SQLTableJoin(kind: .leftOuter, table: join.table.name, alias: "t4", condition: sameLink))
        }
        return finish(
            select, owner: owner, table: table, alias: "t1", order: join.orderColumn.map { Self.column("t4", $0) },
            selection)
    }

    private func links(
        _ table: String, from owner: String, to content: String, alias: String, _ keys: SQLKeyedStatement.Keys
    ) -> SQLSelect {
        var select = SQLSelect(source: .table(table, alias: alias))
        select.columns = [Self.column(alias, owner), Self.column(alias, content)]
        select.condition = matches(Self.column(alias, owner), keys)
        return select
    }

    private func finish(
        _ unfinished: SQLSelect, owner: SQLExpression, table: SQLTable, alias: String, order: SQLExpression?,
        _ selection: ContentSelection
    ) -> SQLKeyedStatement {
        var select = unfinished
        let keys = selection.keys
        let primaryKey = Self.column(alias, table.primaryKey.name)
        let ownerColumns = keys == .one ? [] : [owner]
        if let columns = selection.columns {
            select.columns = (table.headerColumns + columns).map { Self.column(alias, $0.name) } + ownerColumns
        } else {
            select.columns = ownerColumns + [primaryKey]
            if keys != .one || !table.hasOneEntity {
                select.columns.append(Self.column(alias, table.entityNumber.name))
            }
        }
        select.ordering = (ownerColumns + [order, primaryKey].compactMap { $0 }).map {
            SQLOrderTerm(expression: $0, isAscending: true)
        }
        return SQLKeyedStatement(select, keys: keys, dialect: dialect)
    }

    private func matches(_ expression: SQLExpression, _ keys: SQLKeyedStatement.Keys) -> SQLCondition {
        switch keys {
        case .one: .comparison(expression, .equal, .keyParameter)
        case .many: .inKeys(expression)
        case .range:
            .and([
                .comparison(expression, .greaterOrEqual, .keyParameter),
                .comparison(expression, .lessOrEqual, .keyParameter),
            ])
        }
    }

    private static func column(_ alias: String, _ name: String) -> SQLExpression {
        .column(alias: alias, name: name)
    }
}
