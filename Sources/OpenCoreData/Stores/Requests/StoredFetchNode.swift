/// A fetch request expression that a store runs inside the statement of the fetch around it.
///
/// Used only if no unsaved change of the context affects the result.
struct StoredFetchNode: ExpressionNode {
    /// The form of the result.
    enum Result {
        case objects
        /// The values of the only fetched property.
        case values(NSExpression)
        case count
    }

    let query: StoreQuery
    let result: Result
    /// The original expression.
    let original: FetchRequestNode

    var type: NSExpression.ExpressionType { original.type }
    var pieces: [TextPiece] { original.pieces }
    var parts: [TreePart] { [] }
    var depth: TreeDepth { original.depth }

    func value(for object: Any?, bindings: [String: Any]?) -> Any? { original.value(for: object, bindings: bindings) }
    func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? StoredFetchNode else { return false }
        return NSExpression.expression(of: original).structurallyEquals(NSExpression.expression(of: other.original))
    }
    func hash(into hasher: inout Hasher) { original.hash(into: &hasher) }
}
