/// A value that was known when the expression was made.
package struct ConstantNode: ExpressionNode {
    package let value: Any?
    /// The value in the form that is compared fastest: numbers as `NSNumber`, collections as `[Any]` of such.
    private let prepared: Any?
    /// The members of a long list.
    let members: ListMembers?

    package init(_ value: Any?) {
        self.value = Values.unwrap(value)
        prepared = Self.prepare(self.value)
        members = Self.lastingElements(of: prepared).flatMap { $0.count < ListMembers.least ? nil : ListMembers($0) }
    }

    /// The elements of a collection that can't change any more; nil for anything else.
    private static func lastingElements(of prepared: Any?) -> [Any]? {
        guard let prepared else { return nil }
        if Swift.type(of: prepared) is AnyClass {
            guard let set = prepared as? NSSet, !(set is NSMutableSet) else { return nil }
            return set.allObjects
        }
        if let set = prepared as? any SetValue { return set.allElements.map { prepare(Values.unwrap($0)) ?? NSNull() } }
        return prepared as? [Any]
    }

    private static func prepare(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if Swift.type(of: value) is AnyClass {
            // A list that may still change is asked each time.
            if let array = value as? NSArray, !(array is NSMutableArray) { return array.map { $0 } }
            return value
        }
        if let list = value as? any ListValue, !(list is any SetValue) {
            return list.allElements.map { prepare(Values.unwrap($0)) ?? NSNull() } as [Any]
        }
        return Numbers.number(value) ?? value
    }

    package var type: NSExpression.ExpressionType { .constantValue }
    package var pieces: [TextPiece] { [.text(PredicateText.constant(value))] }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? { prepared }

    package func isAlike(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? ConstantNode else { return false }
        return Values.equal(value, other.value)
    }

    package func hash(into hasher: inout Hasher) {
        // Equal constants may be of different types (1 and 1.0, "a" and NSString), so only the kind is hashed.
        switch value {
        case nil: hasher.combine(0)
        case let string as String: hasher.combine(string)
        default: hasher.combine(1)
        }
    }
}
