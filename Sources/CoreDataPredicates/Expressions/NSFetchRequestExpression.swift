// SPDX-License-Identifier: Apache-2.0

/// The type of fetch request expressions, 50 in Apple's headers.
public let NSFetchRequestExpressionType: NSExpression.ExpressionType = .fetchRequest

/// An expression whose value is the result of a fetch request: the array of the fetched objects, or their count.
///
/// In the format language it is `FETCH(request, context, countOnly)`, for example `FETCH($request, $context, YES)`.
/// Its evaluation executes the request and must happen on the context's queue. An expression can't throw, so a fetch
/// that fails stops the program. Instances are immutable.
nonisolated open class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
    /// Creates an expression that executes a fetch request.
    ///
    /// - Parameters:
    ///   - fetch: the expression for the `NSFetchRequest`.
    ///   - context: the expression for the `NSManagedObjectContext` that executes it.
    ///   - countFlag: true for the number of objects, false for the objects.
    /// - Returns: an `NSFetchRequestExpression`.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(node: FetchRequestNode(request: fetch, context: context, isCountOnly: countFlag))
    }

    /// The expression for the fetch request.
    open var requestExpression: NSExpression { fetchNode.request }

    /// The expression for the context.
    open var contextExpression: NSExpression { fetchNode.context }

    /// Whether the value is a count instead of the objects.
    open var isCountOnlyRequest: Bool { fetchNode.isCountOnly }

    private var fetchNode: FetchRequestNode {
        guard let node = node as? FetchRequestNode else {
            programmingError(
                """
                The expression \(self) of type \(expressionType) is no fetch request expression. Make one with \
                NSFetchRequestExpression.expression(forFetch:context:countOnly:).
                """)
        }
        return node
    }
}

/// The result of a fetch request, or its count: `FETCH($request, $context, NO)`.
package struct FetchRequestNode: ExpressionNode {
    package let request: NSExpression
    package let context: NSExpression
    package let isCountOnly: Bool
    package let depth: TreeDepth

    init(request: NSExpression, context: NSExpression, isCountOnly: Bool) {
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
        // A nil request gives nil, like a nil argument of a function.
        guard let request = Values.unwrap(request.value(for: object, bindings: bindings)) else { return nil }
        let target = Values.unwrap(context.value(for: object, bindings: bindings))
        guard let executor = target as? any FetchRequestExecuting else {
            let found = target.map { Wording.withArticle(Swift.type(of: $0)) } ?? "nil"
            programmingError(
                "\(text): the value of the context expression is \(found). It must be an NSManagedObjectContext.")
        }
        do {
            return try executor.value(ofFetchRequest: request, countOnly: isCountOnly)
        } catch {
            // An expression can't throw, and an empty result would hide the error.
            programmingError(
                """
                \(text) failed: \(error). To handle errors, execute the request with the context's fetch(_:), \
                which throws.
                """
            )
        }
    }

    package func with(parts: [TreePart]) -> any ExpressionNode {
        FetchRequestNode(request: parts.expression(0), context: parts.expression(1), isCountOnly: isCountOnly)
    }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        (other as? FetchRequestNode)?.isCountOnly == isCountOnly
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(isCountOnly) }
}

/// Executes the requests of fetch request expressions. Managed object contexts conform.
package protocol FetchRequestExecuting: AnyObject {
    /// The results of a request as an array, or the number of objects as an `NSNumber`.
    ///
    /// - Parameters:
    ///   - request: the value of the request expression, of any type.
    ///   - countOnly: true for the number of objects.
    /// - Throws: the error of the fetch.
    func value(ofFetchRequest request: Any, countOnly: Bool) throws -> Any
}
