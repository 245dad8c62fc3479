// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The pairs of objects in a relationship of the source, as a select of `owner`, `member`, `position` and `inverse`.
struct MigratedPairs {
    let sql: String
    /// Whether the position of a member among the members of its owner is known.
    let isOrdered: Bool
    /// Whether the position of an owner among the owners of a member is known. ``inverse`` has it.
    let isInverseOrdered: Bool
    /// Whether some pairs lack a position that other pairs have.
    private var isUnion = false

    /// - Parameters:
    ///   - property: a relationship of the source.
    ///   - owner: the entity that declares it.
    ///   - owners: the numbers of the entities whose pairs are selected; nil for all.
    ///   - members: the numbers of the entities of members that are selected; nil for all.
    ///   - dialect: the texts of the store's engine.
    ///   - names: the present names of the source's tables and columns.
    init?(
        _ property: SQLProperty, of owner: SQLEntity, owners: Set<Int>?, members: Set<Int>?,
        _ dialect: any SQLMigrationDialect, _ names: any SourceNames
    ) {
        func select(_ owner: String, _ member: String, _ position: String?, _ inverse: String?, _ table: String)
            -> String
        {
            let columns = [owner, member].map(dialect.identifier)
            return """
                SELECT \(columns[0]) AS owner, \(columns[1]) AS member, \
                \(position.map(dialect.identifier) ?? Self.unknown) AS position, \
                \(inverse.map(dialect.identifier) ?? Self.unknown) AS inverse \
                FROM \(dialect.table(table)) \
                WHERE \(columns[0]) IS NOT NULL AND \(columns[1]) IS NOT NULL
                """
        }
        /// Keys of objects of some entities.
        func restriction(_ key: String, _ numbers: Set<Int>?, of entity: SQLEntity) -> String {
            guard let numbers else { return "" }
            return """
                 AND \(dialect.identifier(key)) IN (SELECT Z_PK FROM \
                \(dialect.table(names.name(of: entity.tableName))) WHERE Z_ENT IN (\(Self.list(numbers))))
                """
        }
        switch property {
        case .toOne(let relationship):
            func name(_ column: SQLColumn) -> String { names.name(of: column.name, in: owner.table) }
            let key = name(relationship.column)
            sql =
                select(
                    "Z_PK", key, nil, relationship.orderColumn.map(name), names.name(of: owner.tableName))
                + " AND Z_ENT IN (\(Self.list(owners ?? Set(owner.numbers))))"
                + restriction(key, members, of: relationship.destination)
            isOrdered = false
            isInverseOrdered = relationship.orderColumn != nil
        case .toMany(let relationship):
            switch relationship.storage {
            case .foreignKey(let key):
                let table = relationship.destination.table
                func name(_ column: SQLColumn) -> String { names.name(of: column.name, in: table) }
                sql =
                    select(
                        name(key.column), "Z_PK", key.orderColumn.map(name), nil, names.name(of: table.name))
                    + restriction(name(key.column), owners, of: owner)
                    + (members.map { " AND Z_ENT IN (\(Self.list($0)))" } ?? "")
                isOrdered = key.orderColumn != nil
                isInverseOrdered = false
            case .join(let join):
                sql =
                    select(
                        join.ownerColumn, join.contentColumn, join.orderColumn, join.inverseOrderColumn,
                        names.name(of: join.table.name))
                    + restriction(join.ownerColumn, owners, of: owner)
                    + restriction(join.contentColumn, members, of: relationship.destination)
                isOrdered = join.orderColumn != nil
                isInverseOrdered = join.inverseOrderColumn != nil
            }
        case .attribute, .composite: return nil
        }
    }

    /// The pairs of several relationships, each once; nil without any.
    init?(union pairs: [MigratedPairs]) {
        guard let first = pairs.first else { return nil }
        guard pairs.count > 1 else {
            self = first
            return
        }
        self.init(
            sql: """
                SELECT owner, member, MIN(position) AS position, MIN(inverse) AS inverse \
                FROM (\(pairs.map(\.sql).joined(separator: " UNION ALL "))) AS pairs GROUP BY owner, member
                """,
            isOrdered: pairs.contains(where: \.isOrdered), isInverseOrdered: pairs.contains(where: \.isInverseOrdered))
        isUnion = true
    }

    private init(sql: String, isOrdered: Bool, isInverseOrdered: Bool) {
        self.sql = sql
        self.isOrdered = isOrdered
        self.isInverseOrdered = isInverseOrdered
    }

    /// A position that isn't known, with the type of one.
    private static let unknown = "CAST(NULL AS BIGINT)"

    private static func list(_ numbers: Set<Int>) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    /// The pairs of the inverse.
    var swapped: MigratedPairs {
        var pairs = MigratedPairs(
            sql:
                """
                SELECT member AS owner, owner AS member, inverse AS position, position AS inverse \
                FROM (\(sql)) AS pairs
                """,
            isOrdered: isInverseOrdered, isInverseOrdered: isOrdered)
        pairs.isUnion = isUnion
        return pairs
    }

    /// The position of each member: the known one, otherwise in the order of the keys.
    var position: String {
        guard isOrdered else { return Self.generated(by: "owner", "member") }
        return isUnion ? Self.generated(by: "owner", "position IS NULL, position, member") : "position"
    }

    /// The position of each owner among the owners of a member.
    var inverse: String {
        guard isInverseOrdered else { return Self.generated(by: "member", "owner") }
        return isUnion ? Self.generated(by: "member", "inverse IS NULL, inverse, owner") : "inverse"
    }

    /// Positions with the gaps that ``OrderKeys`` leaves.
    static func generated(by owner: String, _ order: String) -> String {
        "(ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(order)) - 1) * \(OrderKeys.step) + \(OrderKeys.first)"
    }
}
