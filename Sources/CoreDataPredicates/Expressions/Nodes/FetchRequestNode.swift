/// The result of a fetch request, or its count: `FETCH($request, $context, NO)`.
package struct FetchRequestNode: ExpressionNode {
    package let request: NSExpression
    package let context: NSExpression
    package let isCountOnly: Bool
    package let depth: TreeDepth

    package init(request: NSExpression, context: NSExpression, isCountOnly: Bool) {
        self.request = request
        self.context = context
        self.isCountOnly = isCountOnly
        depth = .above([.expression(request), .expression(context)])
    }

    package var type: NSExpression.ExpressionType { .fetchRequest }

    package var pieces: [TextPiece] {
        [.text("FETCH("), .part(request), .text(", "), .part(context), .text(isCountOnly ? ", YES)" : ", NO)")]
    }

    package var parts: [TreePart] { [.expression(request), .expression(context)] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? {
        // A missing request has no result, as a missing argument of a function has none.
        guard let request = Values.unwrap(request.value(for: object, bindings: bindings)) else { return nil }
        let target = Values.unwrap(context.value(for: object, bindings: bindings))
        guard let executor = target as? any FetchRequestExecuting else {
            let found = target.map { "a \(Swift.type(of: $0))" } ?? "nil"
            programmingError(
                "\(text): the context expression gives \(found). Let it give an NSManagedObjectContext.")
        }
        do {
            return try executor.value(ofFetchRequest: request, countOnly: isCountOnly)
        } catch {
            // An expression can't throw, and a fetch that failed is not an empty one.
            programmingError(
                """
                \(text) failed: \(error). Execute the request by the context's fetch(_:), which throws, where it \
                may fail.
                """
            )
        }
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        FetchRequestNode(request: parts.expression(0), context: parts.expression(1), isCountOnly: isCountOnly)
    }

    package func isAlike(_ other: any ExpressionNode) -> Bool {
        (other as? FetchRequestNode)?.isCountOnly == isCountOnly
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(isCountOnly) }
}

/// What executes the requests of fetch request expressions: a managed object context.
package protocol FetchRequestExecuting: AnyObject {
    /// The results of a request as an array, or the number of objects as an `NSNumber`.
    ///
    /// - Parameter request: the value of the expression for the request, whatever it is.
    func value(ofFetchRequest request: Any, countOnly: Bool) throws -> Any
}
