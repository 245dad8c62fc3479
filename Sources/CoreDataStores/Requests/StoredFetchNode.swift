// SPDX-License-Identifier: Apache-2.0

/// A fetch request expression that a store runs inside the statement of the fetch around it.
///
/// Used only if no unsaved change of the context affects the result.
package struct StoredFetchNode: ExpressionNode {
    /// The form of the result.
    package enum Result {
        case objects
        /// The values of the only fetched property.
        case values(NSExpression)
        case count
    }

    let query: StoreQuery
    let result: Result
    /// The original expression.
    let original: FetchRequestNode

    package init(query: StoreQuery, result: Result, original: FetchRequestNode) {
        self.query = query
        self.result = result
        self.original = original
    }

    package var type: NSExpression.ExpressionType { original.type }
    package var pieces: [TextPiece] { original.pieces }
    package var parts: [TreePart] { [] }
    package var depth: TreeDepth { original.depth }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        original.value(for: object, bindings: bindings)
    }
    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? StoredFetchNode else { return false }
        return NSExpression.expression(of: original).structurallyEquals(NSExpression.expression(of: other.original))
    }
    package func hash(into hasher: inout Hasher) { original.hash(into: &hasher) }
}
