// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// One side of a comparison.
indirect enum SQLSide {
    case constant(Any?)
    case operand(SQLOperand)
    /// The values of a key path across a to-many relationship.
    case collection(SQLCollectionPath)
    /// A list whose elements depend on the row.
    case list([SQLSide])
    /// The union, intersection or difference of two collections.
    case operation(SetOperationNode.Operation, SQLSide, SQLSide)
    /// The results of a fetch expression.
    case fetched(SQLFetchedRows)
}

extension SQLQualifier {
    static func side(_ end: SQLPathEnd) -> SQLSide {
        switch end {
        case .operand(let operand): .operand(operand)
        case .object(let object): .operand(object.operand)
        case .collection(let path): .collection(path)
        }
    }

    func side(_ expression: NSExpression, in scope: SQLPredicateScope) throws -> SQLSide {
        try nested {
            if Self.isConstant(expression) { return .constant(expression.value(for: nil, bindings: nil)) }
            if let end = try pathEnd(expression, in: scope) { return Self.side(end) }
            switch expression.node {
            case let node as AggregateNode:
                return .list(try node.elements.map { try side($0, in: scope) })
            case let node as StoredFetchNode:
                return try side(node, in: scope)
            case let node as SetOperationNode:
                return .operation(node.operation, try side(node.left, in: scope), try side(node.right, in: scope))
            case let node as FunctionNode:
                return .operand(try function(node, expression, in: scope))
            case let node as ConditionalNode:
                return .operand(try conditional(node, expression, in: scope))
            default:
                throw Self.unsupported(expression)
            }
        }
    }

    /// The result of an expression that is a path; nil for other expressions.
    private func pathEnd(_ expression: NSExpression, in scope: SQLPredicateScope) throws -> SQLPathEnd? {
        switch expression.node {
        case is EvaluatedObjectNode:
            return .object(scope.object)
        case let node as KeyPathNode:
            return try SQLKeyPaths.resolve(node.keys[...], from: scope.object, text: node.keyPath)
        case let node as VariableNode:
            guard let object = scope.variables[node.name] else {
                throw SQLQueryError.unsupported(
                    "the variable $\(node.name)",
                    because: "it has no value; give it one by withSubstitutionVariables(_:)")
            }
            return .object(object)
        case let node as SubqueryNode:
            return try subquery(node, expression, in: scope)
        case let node as FunctionNode where node.target != nil:
            return try keyedValue(node, expression, in: scope)
        case let node as FunctionNode where node.selector == "objectFrom:withIndex:":
            return try element(node, expression, in: scope)
        default:
            return nil
        }
    }

    /// Keys that follow an expression: `$song.title`, `SUBQUERY(…).@count`.
    private func keyedValue(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLPathEnd {
        guard let target = node.target, node.selector == "valueForKeyPath:" || node.selector == "valueForKey:",
            node.arguments.count == 1, let path = (node.arguments[0].node as? ConstantNode)?.value as? String
        else { throw Self.unsupported(expression) }
        let keys = (node.selector == "valueForKey:" ? [path] : KeyPathEvaluation.split(path))[...]
        switch try pathEnd(target, in: scope) {
        case .object(let object)?:
            return try SQLKeyPaths.resolve(keys, from: object, text: "\(target).\(path)")
        case .collection(let collection)? where collection.union == nil:
            return try SQLKeyPaths.result(of: collection.appending(keys))
        case .collection?:
            throw Self.unsupported(expression)
        case .operand(let operand)?:
            guard let value = SQLKeyPaths.value(of: operand, for: keys) else { throw Self.unsupported(expression) }
            return .operand(value)
        case nil:
            guard let value = SQLKeyPaths.value(of: try operand(target, in: scope), for: keys) else {
                throw Self.unsupported(expression)
            }
            return .operand(value)
        }
    }

    /// `songs[0]`, `songs[LAST]`, `songs[SIZE]`
    private func element(
        _ node: FunctionNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLPathEnd {
        guard case .collection(let path)? = try pathEnd(node.arguments[0], in: scope) else {
            throw Self.unsupported(expression)
        }
        let constant = Self.isConstant(node.arguments[1]) ? node.arguments[1].value(for: nil, bindings: nil) : nil
        switch constant {
        case let symbol as CollectionIndex:
            switch symbol {
            case .first: return try SQLKeyPaths.element(of: path, at: 0)
            case .last: return try SQLKeyPaths.element(of: path, at: -1)
            case .size: return .operand(try SQLKeyPaths.aggregate(.count, of: path))
            }
        default:
            guard let index = Numbers.number(constant)?.intValue else {
                throw SQLQueryError.unsupported(
                    "the expression \u{201c}\(expression)\u{201d}", because: "the index must be a constant number")
            }
            // No element has a negative index, as none has the maximum.
            return try SQLKeyPaths.element(of: path, at: index < 0 ? .max : index)
        }
    }

    private func subquery(
        _ node: SubqueryNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLPathEnd {
        guard case .collection(let path)? = try pathEnd(node.collection, in: scope), path.union == nil else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "the collection of a SUBQUERY must be a key path or another SUBQUERY")
        }
        return .collection(
            path.filtered { [self] element in
                var inner = scope
                inner.variables[node.variable] = element
                return try condition(node.predicate, in: inner)
            })
    }

    static let aggregates: [String: SQLAggregate] = [
        "count:": .count, "sum:": .sum, "average:": .average, "min:": .minimum, "max:": .maximum, "median:": .median,
        "stddev:": .standardDeviation,
    ]

    /// `count:(songs)`, `max:(songs.year)`. As in memory, equal values of a set count once.
    func aggregate(
        _ aggregate: SQLAggregate, _ argument: NSExpression, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        guard case .collection(let path) = try side(argument, in: scope) else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "the argument must be a key path across a to-many relationship")
        }
        return try SQLKeyPaths.aggregate(aggregate, of: path)
    }

    private func conditional(
        _ node: ConditionalNode, _ expression: NSExpression, in scope: SQLPredicateScope
    ) throws -> SQLOperand {
        let test = try condition(node.predicate, in: scope)
        let whenTrue = try operand(node.whenTrue, in: scope)
        let whenFalse = try operand(node.whenFalse, in: scope)
        let kind: SQLValueKind
        if case .value(.null) = whenTrue.expression {
            kind = whenFalse.kind
        } else if case .value(.null) = whenFalse.expression {
            kind = whenTrue.kind
        } else if case .integer = whenTrue.kind, whenFalse.kind.isNumber {
            kind = whenFalse.kind
        } else if whenTrue.kind.isComparable(with: whenFalse.kind) {
            kind = whenTrue.kind
        } else {
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}", because: "its two values are of different kinds")
        }
        return SQLOperand(.conditional(test, whenTrue.expression, whenFalse.expression), kind)
    }

    /// An expression as a value of one row.
    func operand(_ expression: NSExpression, in scope: SQLPredicateScope) throws -> SQLOperand {
        switch try side(expression, in: scope) {
        case .operand(let operand):
            if case .opaque(let reason) = operand.kind {
                throw SQLQueryError.unsupported("the expression \u{201c}\(expression)\u{201d}", because: reason)
            }
            return operand
        case .constant(nil):
            return SQLOperand(.value(.null), .any)
        case .constant(let constant?):
            guard let (value, kind) = constants.inferred(constant) else { throw Self.unsupported(expression) }
            return SQLOperand(.value(value), kind, isOptional: false)
        case .collection, .list, .operation, .fetched:
            throw SQLQueryError.unsupported(
                "the expression \u{201c}\(expression)\u{201d}",
                because: "a single value is needed here, not a collection")
        }
    }

    static func unsupported(_ expression: NSExpression) -> NSError {
        SQLQueryError.unsupported("the expression \u{201c}\(expression)\u{201d}", because: "SQL has nothing like it")
    }

    /// Whether the value depends neither on the row nor on variables.
    static func isConstant(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case is ConstantNode:
            return true
        case let node as FunctionNode:
            guard !node.selector.hasPrefix("random"), node.children.allSatisfy(isConstant) else { return false }
            // An object that doesn't implement the method would stop the program.
            return node.target.map { target in
                Message.isSupported(
                    by: target.value(for: nil, bindings: nil), node.selector,
                    node.arguments.map { $0.value(for: nil, bindings: nil) })
            } ?? true
        case is AggregateNode, is SetOperationNode:
            return expression.node.children.allSatisfy(isConstant)
        default:
            return false
        }
    }
}
