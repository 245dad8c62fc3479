// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// A statement that updates or deletes the rows of a query.
package struct SQLBatchStatement {
    package let text: String
    /// The values of the parameters, in order. The constants are NULL here, and the key list is missing.
    package let bindings: [SQLValue]
    /// The numbers of the parameters that are constants, in the order of the assignments.
    package let constants: [Int32]

    /// The number of the last parameter, the key list, in a statement for rows by key.
    var keyListParameter: Int32 { Int32(bindings.count + 1) }
}

/// A column that a batch update sets.
struct SQLBatchAssignment {
    enum Value {
        /// A parameter that the caller binds.
        case constant
        case null
        /// The value of an expression for the row before the update.
        case expression(NSExpression)
    }

    let column: String
    let kind: SQLStorageKind
    let value: Value
}

/// The statements of batch requests: the predicate is the qualifier that fetches use.
extension SQLQueryTranslator {
    /// The rows that a statement changes.
    enum BatchRows {
        /// The rows of the query.
        case matching
        /// The rows with the keys of a list, which each run of the statement binds.
        case keys
    }

    /// A statement that sets columns, and increases the version of each row.
    ///
    /// - Throws: `NSCoreDataError` (134060), naming the part, for parts that SQL can't express.
    func update(_ query: StoreQuery, _ assignments: [SQLBatchAssignment], _ rows: BatchRows) throws
        -> SQLBatchStatement
    {
        let target = try batchTarget(query, rows)
        let qualifier = SQLQualifier(constants: constants, dialect: dialect)
        let scope = SQLPredicateScope(object: target.object)
        var generator = SQLGenerator(dialect: dialect)
        var parameters: [Int32] = []
        generator.write("UPDATE \(dialect.table(target.entity.tableName)) AS \(target.alias) SET ")
        for assignment in assignments {
            generator.write(SQLGenerator.identifier(assignment.column) + " = ")
            switch assignment.value {
            case .constant:
                // Each constant becomes a separate parameter, which the caller binds.
                generator.write(generator.addConstant())
                parameters.append(Int32(generator.bindings.count))
            case .null: generator.append(.value(.null))
            case .expression(let expression):
                generator.append(try qualifier.value(of: expression, for: assignment, in: scope))
            }
            generator.write(", ")
        }
        let version = SQLExpression.column(alias: target.alias, name: target.entity.table.version.name)
        generator.write(target.entity.table.version.name + " = ")
        generator.append(.operation(version, .add, .integer(1)))
        guard target.builder.select().joins.isEmpty else {
            throw SQLQueryError.unsupported(
                "an expression of a batch update", because: "it reads attributes of other objects")
        }
        return try finish(&generator, target, parameters)
    }

    /// A statement that deletes rows.
    ///
    /// - Throws: `NSCoreDataError` (134060), naming the part, for parts that SQL can't express.
    func delete(_ query: StoreQuery, _ rows: BatchRows) throws -> SQLBatchStatement {
        let target = try batchTarget(query, rows)
        var generator = SQLGenerator(dialect: dialect)
        generator.write("DELETE FROM \(dialect.table(target.entity.tableName)) AS \(target.alias)")
        return try finish(&generator, target, [])
    }

    private func finish(_ generator: inout SQLGenerator, _ target: BatchTarget, _ constants: [Int32]) throws
        -> SQLBatchStatement
    {
        if target.condition != .constant(true) {
            generator.write(" WHERE ")
            generator.append(target.condition)
        }
        if let lacking = generator.lacking { throw lacking }
        guard generator.bindings.count < dialect.maximumParameterCount else {
            throw SQLQueryError.unsupported(
                "a request with \(generator.bindings.count) values",
                because: "a statement takes fewer than \(dialect.maximumParameterCount); divide the request")
        }
        return SQLBatchStatement(text: generator.text, bindings: generator.bindings, constants: constants)
    }

    /// The table that a statement changes, and the condition of the rows.
    private struct BatchTarget {
        let entity: SQLEntity
        let alias: String
        /// The row, for expressions.
        let object: SQLPathObject
        let builder: SQLSelectBuilder
        let condition: SQLCondition
    }

    private func batchTarget(_ query: StoreQuery, _ rows: BatchRows) throws -> BatchTarget {
        guard let entity = schema.entity(for: query.layout.entity) else {
            throw SQLQueryError.unknownEntity(query.layout.name)
        }
        let aliases = SQLAliases()
        let builder = SQLSelectBuilder(aliases: aliases)
        func target(_ alias: String, _ builder: SQLSelectBuilder, _ condition: SQLCondition) -> BatchTarget {
            BatchTarget(
                entity: entity, alias: alias, object: SQLPathObject(row: alias, of: entity, in: builder),
                builder: builder, condition: condition)
        }
        if case .keys = rows {
            let alias = builder.add(entity.tableName) { _ in .constant(true) }
            return target(alias, builder, .inKeys(.column(alias: alias, name: entity.table.primaryKey.name)))
        }
        let alias = builder.add(entity.tableName) {
            entity.restriction(includesSubentities: query.includesSubentities, alias: $0)
        }
        let object = SQLPathObject(row: alias, of: entity, in: builder)
        if let predicate = query.predicate {
            let qualifier = SQLQualifier(constants: constants, dialect: dialect)
            builder.filter(try qualifier.condition(predicate, in: SQLPredicateScope(object: object)))
        }
        let isLimited = query.limit > 0 || query.offset > 0
        let ordering =
            isLimited ? try SQLOrdering(dialect: dialect).terms(query.sortDescriptors, from: object) : []
        var select = builder.select([object.key])
        guard isLimited || !select.joins.isEmpty else { return target(alias, builder, select.condition) }
        select.ordering = ordering
        select.limit(to: query)
        let outer = SQLSelectBuilder(aliases: aliases)
        let outerAlias = outer.add(entity.tableName) { _ in .constant(true) }
        return target(
            outerAlias, outer, .inSelect(.column(alias: outerAlias, name: entity.table.primaryKey.name), select))
    }
}

extension SQLQualifier {
    /// The value of an expression, as a value of the column that an assignment sets.
    fileprivate func value(
        of expression: NSExpression, for assignment: SQLBatchAssignment, in scope: SQLPredicateScope
    ) throws -> SQLExpression {
        let operand = try operand(expression, in: scope)
        func refusal(_ reason: String) -> NSError {
            SQLQueryError.unsupported("the expression \u{201c}\(expression)\u{201d}", because: reason)
        }
        let fits: Bool =
            switch assignment.kind {
            case .boolean, .integer16, .integer32, .integer64, .double, .float, .decimal: operand.kind.isNumber
            case .date: operand.kind.isDate
            case .string: if case .string = operand.kind { true } else { operand.kind.isAny }
            case .uri: if case .uri = operand.kind { true } else { operand.kind.isAny }
            case .uuid: if case .uuid = operand.kind { true } else { operand.kind.isAny }
            case .binary: if case .data = operand.kind { true } else { operand.kind.isAny }
            case .undefined: true
            default: false
            }
        guard fits else { throw refusal("its value has another type than the attribute") }
        switch assignment.kind {
        case .integer16, .integer32, .integer64:
            // A column of integers would store a fraction as it is.
            return operand.kind.isInteger
                ? operand.expression : .call(.library("trunc:"), [.real(operand.expression)])
        default: return operand.expression
        }
    }
}

extension SQLValueKind {
    fileprivate var isAny: Bool { if case .any = self { true } else { false } }
}
