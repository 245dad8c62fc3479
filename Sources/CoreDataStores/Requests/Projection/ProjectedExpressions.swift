// SPDX-License-Identifier: Apache-2.0

/// The expressions of a dictionary fetch in normalized form: values of one row, and aggregates of them over rows.
package struct ProjectedExpressions {
    let layout: EntityLayout
    /// The expressions that have one value in all rows of a group.
    package var grouping: [NSExpression] = []

    package init(layout: EntityLayout, grouping: [NSExpression] = []) {
        self.layout = layout
        self.grouping = grouping
    }

    static let distinctOperator = "@distinctUnionOfObjects"

    /// The aggregate functions, and the operators of key paths with the same meaning.
    private static let functions: Set<String> = [
        "count:", "sum:", "average:", "min:", "max:", "median:", "mode:", "stddev:",
    ]
    private static let operators = [
        "@count": "count:", "@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:",
    ]

    // MARK: Normalized form

    /// The expression in the form that ``Projection`` describes.
    ///
    /// - Parameter names: the expressions that replace names of columns and `$variables`.
    package func normalized(_ expression: NSExpression, names: [String: NSExpression] = [:]) throws -> NSExpression {
        try expression.replacing { part in
            switch part.node {
            case let node as VariableNode:
                return names[node.name]
            case let node as KeyPathNode:
                return try names[node.keyPath] ?? normalized(node)
            case let node as FunctionNode:
                guard let argument = Self.aggregatedArgument(node) else { return nil }
                return try aggregate(node.selector, of: normalized(argument, names: names))
            default:
                return nil
            }
        }
    }

    package func normalized(_ predicate: NSPredicate, names: [String: NSExpression]) throws -> NSPredicate {
        try predicate.replacingExpressions { try normalized($0, names: names) }
    }

    private func normalized(_ node: KeyPathNode) throws -> NSExpression? {
        if let function = node.keys.first.flatMap({ Self.operators[$0] }) {
            let rest = node.keys.dropFirst()
            if function == "count:" { return Self.call(function, NSExpression.expressionForEvaluatedObject()) }
            guard !rest.isEmpty else {
                throw ProjectionError.invalid(node.keyPath, layout, because: "the operator needs a key behind it")
            }
            return try aggregate(function, of: NSExpression(forKeyPath: rest.joined(separator: ".")))
        }
        // Dictionaries contain the IDs of objects, so a path to an object and a path to its ID are the same.
        var keys = node.keys
        while let last = keys.last, ["self", "SELF", "objectID"].contains(last),
            case .object? = try? ProjectedPath.follow(keys, from: layout)
        {
            keys.removeLast()
        }
        if keys.count == node.keys.count { return nil }
        return keys.isEmpty
            ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: keys.joined(separator: "."))
    }

    /// `max:(songs.year)` over a to-many relationship is `songs.@max.year`.
    private func aggregate(_ function: String, of argument: NSExpression) throws -> NSExpression {
        guard let node = argument.node as? KeyPathNode, let index = collectionIndex(node),
            let symbol = Self.operators.first(where: { $0.value == function })?.key
        else { return Self.call(function, number(argument, for: function)) }
        let isCount = function == "count:"
        let isAtEnd = index == node.keys.count - 1
        // `count:(songs.title)` counts titles, not songs.
        guard isCount == isAtEnd else { return Self.call(function, argument) }
        var keys = node.keys
        keys.insert(symbol, at: index + 1)
        return NSExpression(forKeyPath: keys.joined(separator: "."))
    }

    /// The argument of an aggregate that computes: a date counts as the seconds since the reference date, and a text as
    /// the number that it is.
    private func number(_ argument: NSExpression, for function: String) -> NSExpression {
        guard ["sum:", "average:", "median:", "stddev:"].contains(function), let type = try? type(of: argument),
            [.dateAttributeType, .stringAttributeType].contains(type.attributeType)
        else { return argument }
        return NSExpression(
            forFunction: "castObject:toType:", arguments: [argument, NSExpression(forConstantValue: "Double")])
    }

    /// The index of a to-many relationship in a key path without operators.
    private func collectionIndex(_ node: KeyPathNode) -> Int? {
        guard !node.keys.contains(where: { $0.hasPrefix("@") }),
            case .collection(let index, _)? = try? ProjectedPath.follow(node.keys, from: layout)
        else { return nil }
        return index
    }

    static func call(_ function: String, _ argument: NSExpression) -> NSExpression {
        NSExpression(forFunction: function, arguments: [argument])
    }

    /// The argument of an aggregate function; nil for other functions.
    private static func aggregatedArgument(_ node: FunctionNode) -> NSExpression? {
        node.target == nil && node.arguments.count == 1 && functions.contains(node.selector) ? node.arguments[0] : nil
    }

    // MARK: Aggregates

    /// The aggregate over rows that an expression is; nil for other expressions.
    func rowAggregate(_ expression: NSExpression) -> RowAggregate? {
        guard let node = expression.node as? FunctionNode, let argument = Self.aggregatedArgument(node),
            Self.dependsOnRow(argument), !isCollection(argument)
        else { return nil }
        if let path = argument.node as? KeyPathNode, path.keys.first == Self.distinctOperator {
            let rest = path.keys.dropFirst().joined(separator: ".")
            return RowAggregate(
                expression: expression, function: node.selector,
                argument: rest.isEmpty ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: rest),
                isDistinct: true)
        }
        return RowAggregate(expression: expression, function: node.selector, argument: argument, isDistinct: false)
    }

    /// Whether an aggregate function has a to-many relationship as its argument. Among aggregates only, it means all
    /// rows.
    package func isWrittenAsAggregate(_ expression: NSExpression) -> Bool {
        guard let node = expression.node as? FunctionNode, let argument = Self.aggregatedArgument(node) else {
            return false
        }
        return (argument.node as? KeyPathNode).flatMap(collectionIndex) != nil
    }

    package func containsRowAggregate(_ expression: NSExpression) -> Bool {
        if expression.node is SubqueryNode { return false }
        return rowAggregate(expression) != nil || expression.node.children.contains(where: containsRowAggregate)
    }

    private func isCollection(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case let node as KeyPathNode: collectionIndex(node) != nil
        case let node as FunctionNode: node.target.map(isCollection) ?? false
        default:
            expression.node is SubqueryNode || expression.node is AggregateNode || expression.node is SetOperationNode
        }
    }

    static func dependsOnRow(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case is ConstantNode, is VariableNode: false
        case is FunctionNode, is AggregateNode, is SetOperationNode:
            expression.node.children.contains(where: dependsOnRow)
        default: true
        }
    }
}

/// An aggregate over rows.
struct RowAggregate {
    /// The aggregate as part of expressions.
    let expression: NSExpression
    let function: String
    /// The value of one row that is aggregated.
    let argument: NSExpression
    /// Whether equal values count once.
    let isDistinct: Bool
}
