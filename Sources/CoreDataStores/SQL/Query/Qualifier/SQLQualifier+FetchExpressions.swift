// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The results of a fetch expression in a predicate.
struct SQLFetchedRows {
    /// Makes a builder of a select of the rows, and the value of each row.
    let makeSelect: () throws -> (builder: SQLSelectBuilder, element: SQLSide)
}

extension SQLQualifier {
    /// The results of a fetch expression: its rows, or their count.
    func side(_ node: StoredFetchNode, in scope: SQLPredicateScope) throws -> SQLSide {
        let aliases = scope.object.aliases
        switch node.result {
        case .objects:
            return .fetched(
                SQLFetchedRows { [self] in
                    let (builder, object) = try rows(of: node.query, aliases)
                    return (builder, .operand(object.operand))
                })
        case .values(let expression):
            return .fetched(
                SQLFetchedRows { [self] in
                    let (builder, object) = try rows(of: node.query, aliases)
                    return (builder, try side(expression, in: SQLPredicateScope(object: object)))
                })
        case .count:
            let (builder, _) = try rows(of: node.query, aliases)
            return .operand(SQLOperand(.select(builder.select([.countRows])), .integer, isOptional: false))
        }
    }

    private func rows(of query: StoreQuery, _ aliases: SQLAliases) throws -> (
        builder: SQLSelectBuilder, object: SQLPathObject
    ) {
        guard let entity = constants.schema.entity(for: query.layout.entity) else {
            throw SQLQueryError.unknownEntity(query.layout.name)
        }
        let builder = SQLSelectBuilder(aliases: aliases)
        let alias = builder.add(entity.tableName) {
            entity.restriction(includesSubentities: query.includesSubentities, alias: $0)
        }
        let object = SQLPathObject(row: alias, of: entity, in: builder)
        if let predicate = query.predicate {
            builder.filter(try condition(predicate, in: SQLPredicateScope(object: object)))
        }
        guard query.limit > 0 || query.offset > 0 else { return (builder, object) }
        let ordering = try SQLOrdering(dialect: dialect).terms(query.sortDescriptors, from: object)
        var keys = builder.select([object.key])
        keys.ordering = ordering
        keys.limit(to: query)
        let limited = SQLSelectBuilder(aliases: aliases)
        let row = limited.add(entity.tableName) {
            .inSelect(.column(alias: $0, name: entity.table.primaryKey.name), keys)
        }
        return (limited, SQLPathObject(row: row, of: entity, in: limited))
    }

    /// The condition that a value is among the results of a fetch expression.
    func member(_ test: SQLComparisonTest, _ value: SQLSide, of rows: SQLFetchedRows) throws -> SQLCondition {
        guard case .operand(let operand) = value, test.options.isEmpty else {
            return try anyElement(of: .fetched(rows)) { try equal(test, $0, value) }
        }
        let (builder, element) = try rows.makeSelect()
        guard case .operand(let result) = element else {
            return try anyElement(of: .fetched(rows)) { try equal(test, $0, value) }
        }
        for case .opaque(let reason) in [operand.kind, result.kind] { throw test.unsupported(reason) }
        guard operand.kind.isComparable(with: result.kind) else { return .constant(false) }
        builder.filter(result.isPresent)
        return .inSelect(operand.expression, builder.select([result.expression]))
    }
}

extension SQLEntity {
    /// The condition that a row belongs to the entity; always true if the table contains no rows of other entities.
    func restriction(includesSubentities: Bool, alias: String) -> SQLCondition {
        let column = SQLExpression.column(alias: alias, name: table.entityNumber.name)
        let included = includesSubentities ? numbers : [number]
        if included == root.numbers { return .constant(true) }
        if included.count == 1 { return .comparison(column, .equal, .integer(Int64(included[0]))) }
        return .inValues(column, included.map { .integer(Int64($0)) })
    }
}
