/// The type of fetch request expressions, 50 in Apple's headers.
public let NSFetchRequestExpressionType: NSExpression.ExpressionType = .fetchRequest

/// An expression whose value is the result of a fetch request: an array of what the request finds, or its count.
///
/// In the format language it is `FETCH(request, context, countOnly)`, for example `FETCH($request, $context, YES)`.
/// Evaluating it executes the request on the context, on the context's queue; a fetch that fails stops the program, as
/// an expression can't throw. Instances are immutable.
public final class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
    /// Creates an expression that executes a fetch request.
    ///
    /// - Parameters:
    ///   - fetch: gives the `NSFetchRequest`.
    ///   - context: gives the `NSManagedObjectContext` that executes it.
    ///   - countFlag: whether the value is the number of objects instead of the objects.
    /// - Returns: an `NSFetchRequestExpression`.
    public class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(node: FetchRequestNode(request: fetch, context: context, isCountOnly: countFlag))
    }

    /// The expression that gives the fetch request.
    public var requestExpression: NSExpression { fetchNode.request }

    /// The expression that gives the context.
    public var contextExpression: NSExpression { fetchNode.context }

    /// Whether the value is a count instead of the objects.
    public var isCountOnlyRequest: Bool { fetchNode.isCountOnly }

    private var fetchNode: FetchRequestNode {
        guard let node = node as? FetchRequestNode else {
            programmingError(
                """
                The expression \(self) of type \(expressionType) is no fetch request expression; make one with \
                NSFetchRequestExpression.expression(forFetch:context:countOnly:).
                """)
        }
        return node
    }
}
