/// The result of a fetch request, or its count: `FETCH($request, $context, NO)`.
package struct FetchRequestNode: ExpressionNode {
    package let request: NSExpression
    package let context: NSExpression
    package let isCountOnly: Bool

    package init(request: NSExpression, context: NSExpression, isCountOnly: Bool) {
        self.request = request
        self.context = context
        self.isCountOnly = isCountOnly
    }

    package var type: NSExpression.ExpressionType { .fetchRequest }

    package var text: String { "FETCH(\(request), \(context), \(isCountOnly ? "YES" : "NO"))" }

    package var children: [NSExpression] { [request, context] }

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
                "\(text) failed: \(error). Execute the request by the context's fetch(_:), which throws, where it may fail.")
        }
    }

    package func substituting(_ variables: [String: Any]) -> any ExpressionNode {
        FetchRequestNode(
            request: request.substituting(variables), context: context.substituting(variables), isCountOnly: isCountOnly)
    }

    package func equals(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? FetchRequestNode else { return false }
        return isCountOnly == other.isCountOnly && request.structurallyEquals(other.request)
            && context.structurallyEquals(other.context)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(isCountOnly)
        hasher.combine(request.hash)
        hasher.combine(context.hash)
    }
}

/// What executes the requests of fetch request expressions: a managed object context.
package protocol FetchRequestExecuting: AnyObject {
    /// The results of a request as an array, or the number of objects as an `NSNumber`.
    ///
    /// - Parameter request: the value of the expression for the request, whatever it is.
    func value(ofFetchRequest request: Any, countOnly: Bool) throws -> Any
}
