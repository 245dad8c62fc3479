// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The pairs of objects in a relationship of the source, as a select of `owner`, `member` and `position`.
struct MigratedPairs {
    package let sql: String
    /// Whether the position of a member among those of its owner is known.
    package let isOrdered: Bool
    /// Whether the position of an owner among those of a member is known, as `inverse`.
    let isInverseOrdered: Bool

    /// - Parameters:
    ///   - property: a relationship of the source.
    ///   - owner: an entity that has it. Pairs of all entities that share the columns are selected.
    ///   - dialect: the texts of the store's engine.
    ///   - name: the present name of a table of the source.
    init?(
        _ property: SQLProperty?, of owner: SQLEntity, _ dialect: any SQLMigrationDialect, name: (String) -> String
    ) {
        func select(_ owner: String, _ member: String, _ position: String?, _ inverse: String?, _ table: String)
            -> String
        {
            let columns = [owner, member].map(dialect.identifier)
            return """
                SELECT \(columns[0]) AS owner, \(columns[1]) AS member, \
                \(position.map(dialect.identifier) ?? "NULL") AS position, \
                \(inverse.map(dialect.identifier) ?? "NULL") AS inverse \
                FROM \(dialect.table(name(table))) \
                WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
                """
        }
        switch property {
        case .toOne(let relationship)?:
            let numbers = owner.numbers.map(String.init).joined(separator: ", ")
            sql =
                select("Z_PK", relationship.column.name, nil, relationship.orderColumn?.name, owner.tableName)
                + " AND Z_ENT IN (\(numbers))"
            isOrdered = false
            isInverseOrdered = relationship.orderColumn != nil
        case .toMany(let relationship)?:
            switch relationship.storage {
            case .foreignKey(let key):
                sql = select(
                    key.column.name, "Z_PK", key.orderColumn?.name, nil, relationship.destination.tableName)
                isOrdered = key.orderColumn != nil
                isInverseOrdered = false
            case .join(let join):
                sql = select(
                    join.ownerColumn, join.contentColumn, join.orderColumn, join.inverseOrderColumn, join.table.name)
                isOrdered = join.orderColumn != nil
                isInverseOrdered = join.inverseOrderColumn != nil
            }
        default: return nil
        }
    }

    private init(sql: String, isOrdered: Bool, isInverseOrdered: Bool) {
        self.sql = sql
        self.isOrdered = isOrdered
        self.isInverseOrdered = isInverseOrdered
    }

    /// The pairs of the inverse.
    var swapped: MigratedPairs {
        MigratedPairs(
            sql:
                """
                SELECT member AS owner, owner AS member, inverse AS position, position AS inverse \
                FROM (\(sql)) AS pairs
                """,
            isOrdered: isInverseOrdered, isInverseOrdered: isOrdered)
    }

    /// The position of each member: the known one, otherwise in the order of the keys.
    package var position: String { isOrdered ? "position" : Self.generated(by: "owner", "member") }

    /// The position of each owner among those of a member.
    package var inverse: String { isInverseOrdered ? "inverse" : Self.generated(by: "member", "owner") }

    /// Positions with the gaps that ``OrderKeys`` leaves.
    package static func generated(by owner: String, _ member: String) -> String {
        "(ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(member)) - 1) * \(OrderKeys.step) + \(OrderKeys.first)"
    }
}
