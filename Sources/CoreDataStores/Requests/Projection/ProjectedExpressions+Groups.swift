// SPDX-License-Identifier: Apache-2.0

extension ProjectedExpressions {
    /// The limit of nesting. Deeper expressions, built by a program or read from a file, could overflow the stack.
    private static let maximumDepth = 400

    package func checkDepth(_ expression: NSExpression, in key: String) throws {
        var level = [expression]
        var depth = 0
        while !level.isEmpty {
            depth += 1
            if depth > Self.maximumDepth {
                throw ProjectionError.invalid(
                    key, layout, because: "its expression is nested more than \(Self.maximumDepth) levels deep")
            }
            level = level.flatMap(\.node.children)
        }
    }

    private func isGrouping(_ expression: NSExpression) -> Bool {
        grouping.contains { $0.structurallyEquals(expression) }
    }

    /// The expression with the aggregates over to-many relationships aggregated again over the rows of a group: the
    /// count of a group's songs is the sum of the counts of its albums.
    package func lifted(_ expression: NSExpression) throws -> NSExpression {
        try expression.replacing { part in
            if isGrouping(part) || rowAggregate(part) != nil { return part }
            guard let node = part.node as? KeyPathNode, let symbol = node.keys.first(where: { $0.hasPrefix("@") })
            else { return nil }
            switch symbol {
            case "@count", "@sum": return Self.call("sum:", part)
            case "@min": return Self.call("min:", part)
            case "@max": return Self.call("max:", part)
            default:
                throw ProjectionError.invalid(
                    node.keyPath, layout,
                    because: """
                        \(symbol) over a to-many relationship can't be aggregated over several objects; fetch the \
                        relationship's entity
                        """
                )
            }
        }
    }

    package func lifted(_ predicate: NSPredicate) throws -> NSPredicate {
        try predicate.replacingExpressions { try lifted($0) }
    }

    /// Checks that an expression has one value for all rows of a group.
    ///
    /// - Parameter key: the column, or the part of the request, that the error names.
    package func check(_ expression: NSExpression, in key: String) throws {
        if isGrouping(expression) { return }
        if let aggregate = rowAggregate(expression) {
            if containsRowAggregate(aggregate.argument) {
                throw ProjectionError.invalid(key, layout, because: "'\(expression)' is an aggregate of an aggregate")
            }
            return
        }
        switch expression.node {
        case is KeyPathNode, is EvaluatedObjectNode, is SubqueryNode:
            throw ProjectionError.ungrouped(expression, key, layout, isGrouped: !grouping.isEmpty)
        default:
            for child in expression.node.children { try check(child, in: key) }
        }
    }
}
