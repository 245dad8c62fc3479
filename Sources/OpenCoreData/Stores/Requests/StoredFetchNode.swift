/// A fetch request expression that a store runs inside the statement of the fetch around it.
///
/// The context has seen to it that the store's rows are the whole answer.
struct StoredFetchNode: ExpressionNode {
    /// What the rows of the fetch give.
    enum Result {
        case objects
        /// The values of the only property that is fetched.
        case values(NSExpression)
        case count
    }

    let query: StoreQuery
    let result: Result
    /// The expression as it was given.
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
