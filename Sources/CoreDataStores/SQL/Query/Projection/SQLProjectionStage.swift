// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Translates the columns, groups and ordering of a dictionary fetch.
struct SQLProjectionStage {
    private let projection: Projection
    private let qualifier: SQLQualifier
    private let object: SQLPathObject
    private let builder: SQLSelectBuilder

    init(_ projection: Projection, qualifier: SQLQualifier, object: SQLPathObject, builder: SQLSelectBuilder) {
        self.projection = projection
        self.qualifier = qualifier
        self.object = object
        self.builder = builder
    }

    /// A value of a projection: its columns in the statement, and its stored type.
    private struct Value {
        let operand: SQLOperand
        let kind: SQLStorageKind
        /// The number of an object's actual entity.
        var entityNumber: SQLExpression?

        /// The elements of a composite attribute, which replace the operand.
        var elements: [Value] = []

        var expressions: [SQLExpression] {
            elements.isEmpty
                ? [operand.expression] + (entityNumber.map { [$0] } ?? []) : elements.map(\.operand.expression)
        }
    }

    /// The select of a projection, and the positions of the values in its rows.
    ///
    /// - Throws: `NSCoreDataError` (134060), naming the part, for parts that SQL can't express.
    func select(of query: StoreQuery) throws -> (select: SQLSelect, results: [SQLResultColumn]) {
        var expressions: [SQLExpression] = []
        var results: [SQLResultColumn] = []
        for column in projection.columns {
            let value = try value(of: column)
            results.append(
                SQLResultColumn(
                    position: expressions.count, kind: value.kind,
                    entityPosition: value.entityNumber == nil ? nil : expressions.count + 1,
                    elementKinds: value.elements.map(\.kind)))
            expressions += value.expressions
        }
        let groups = try projection.grouping.flatMap { try value(of: $0).expressions }
        let having = try projection.having.map { try qualifier.condition($0, in: scope) }
        let ordering = try ordering(groups, isDistinct: query.returnsDistinctResults)
        var select = builder.select(expressions)
        select.grouping = groups
        select.having = having ?? .constant(true)
        select.ordering = ordering
        select.isDistinct = query.returnsDistinctResults
        select.limit(to: query)
        return (select, results)
    }

    private var scope: SQLPredicateScope {
        var scope = SQLPredicateScope(object: object)
        scope.aggregatesRows = projection.isAggregated
        return scope
    }

    // MARK: Values

    private func value(of column: ProjectedColumn) throws -> Value {
        if let end = try path(column.expression) {
            switch end {
            case .object(let object):
                return Value(operand: object.operand, kind: .relationshipKey, entityNumber: object.actualEntity)
            case .operand(let operand):
                return Value(operand: operand, kind: kind(of: operand, column), elements: try elements(column))
            case .collection(let path):
                throw SQLQueryError.unsupported("the key path \(path.text)", because: "it has no single value")
            }
        }
        switch try qualifier.side(column.expression, in: scope) {
        case .operand(let operand):
            return Value(operand: operand, kind: kind(of: operand, column))
        case .constant(nil):
            return Value(operand: SQLOperand(.value(.null), .any), kind: .undefined)
        case .constant(let constant?):
            guard let (value, kind) = qualifier.constants.inferred(constant) else {
                throw SQLQualifier.unsupported(column.expression)
            }
            let operand = SQLOperand(.value(value), kind)
            return Value(operand: operand, kind: self.kind(of: operand, column))
        default:
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(column.expression)\u{201d}",
                because: "a single value is needed here, not a collection")
        }
    }

    /// The values of a composite attribute's elements, with the elements of nested composites; none for other columns.
    private func elements(_ column: ProjectedColumn) throws -> [Value] {
        guard let slot = column.natural.slot, slot.kind == .composite, let node = column.expression.node as? KeyPathNode
        else { return [] }
        let depth = KeyPathEvaluation.split(slot.keyPath).count
        return try slot.leaves.map { leaf in
            let keys = node.keys + KeyPathEvaluation.split(leaf.keyPath).dropFirst(depth)
            guard case .operand(let operand) = try SQLKeyPaths.resolve(keys[...], from: object, text: node.keyPath),
                let kind = leaf.attribute.flatMap(SQLStorageKind.init)
            else { throw SQLQueryError.unsupported("the key path \(node.keyPath)", because: "it has no single value") }
            return Value(operand: operand, kind: kind)
        }
    }

    /// The result of a key path. Unlike in a predicate it may be an object, or a value that can't be compared.
    private func path(_ expression: NSExpression) throws -> SQLPathEnd? {
        switch expression.node {
        case is EvaluatedObjectNode: .object(object)
        case let node as KeyPathNode: try SQLKeyPaths.resolve(node.keys[...], from: object, text: node.keyPath)
        default: nil
        }
    }

    /// The stored type of an attribute's value, or of a calculated value.
    private func kind(of operand: SQLOperand, _ column: ProjectedColumn) -> SQLStorageKind {
        if let attribute = column.natural.slot?.attribute, let kind = SQLStorageKind(attribute) { return kind }
        switch operand.kind {
        case .date: return .date
        case .string: return .string
        case .uri: return .uri
        case .uuid: return .uuid
        case .data: return .binary
        default: return .undefined
        }
    }

    // MARK: Order

    /// The requested ordering. Groups are ordered by their keys last, and rows by their primary keys.
    private func ordering(_ groups: [SQLExpression], isDistinct: Bool) throws -> [SQLOrderTerm] {
        var terms = try projection.ordering.map { order in
            try SQLOrdering(dialect: qualifier.dialect).term(
                order.descriptor, by: value(of: order.column).operand, key: order.column.key)
        }
        let last = projection.isAggregated ? groups : terms.isEmpty || isDistinct ? [] : [object.key]
        for expression in last where !terms.contains(where: { $0.expression == expression }) {
            terms.append(SQLOrderTerm(expression: expression, isAscending: true))
        }
        return terms
    }
}

extension SQLQualifier {
    /// An aggregate of the rows of a group: `max:(year)`.
    ///
    /// Returns nil for a to-many relationship, which is aggregated for each row, and for other functions.
    func rowAggregate(_ node: FunctionNode, in scope: SQLPredicateScope) throws -> SQLOperand? {
        guard let aggregate = Self.aggregates[node.selector] else { return nil }
        var argument = node.arguments[0]
        var isDistinct = false
        if let path = argument.node as? KeyPathNode, path.keys.first == ProjectedExpressions.distinctOperator {
            isDistinct = true
            let rest = path.keys.dropFirst().joined(separator: ".")
            argument = rest.isEmpty ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: rest)
        }
        if aggregate == .count, argument.node is EvaluatedObjectNode {
            return SQLOperand(.countRows, .integer, isOptional: false)
        }
        var inner = scope
        // The argument is a value of one row.
        inner.aggregatesRows = false
        let value: SQLOperand
        switch try side(argument, in: inner) {
        case .collection: return nil
        // Values of any kind can be counted.
        case .operand(let operand) where aggregate == .count: value = operand
        default: value = try operand(argument, in: inner)
        }
        let result = value.aggregate(aggregate, isDistinct: isDistinct)
        switch aggregate {
        case .count, .concatenation: return SQLOperand(result, .integer, isOptional: false)
        case .sum: return SQLOperand(.coalesce(result, .integer(0)), value.kind, isOptional: false)
        case .minimum, .maximum: return SQLOperand(result, value.kind)
        default: return SQLOperand(result, .real)
        }
    }
}
