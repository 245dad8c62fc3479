// SPDX-License-Identifier: Apache-2.0

/// A constant value.
package struct ConstantNode: ExpressionNode {
    package let value: Any?
    /// Whether the constant is `NSNull`: its value is nil, its text `<null>`.
    private let isNullObject: Bool
    /// The value in the form that is fastest to compare: numbers as `NSNumber`, collections as `[Any]` of such values.
    private let prepared: Any?
    /// The hashed members of a long list.
    let members: ListMembers?

    init(_ value: Any?) {
        // The most frequent constants need no casts.
        if let value {
            let type = Swift.type(of: value)
            if type == String.self || type == NSNumber.self {
                self.value = value
                isNullObject = false
                prepared = value
                members = nil
                return
            }
        }
        self.value = Values.unwrap(value)
        isNullObject = self.value == nil && value is NSNull
        prepared = Self.prepare(self.value)
        members = Self.immutableElements(of: prepared).flatMap {
            $0.count < ListMembers.minimumCount ? nil : ListMembers($0)
        }
    }

    /// The elements of an immutable collection; nil for other values.
    private static func immutableElements(of prepared: Any?) -> [Any]? {
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
            // A mutable array may change between evaluations, so it stays as it is.
            if let array = value as? NSArray, !(array is NSMutableArray) { return array.map { $0 } }
            return value
        }
        if let list = value as? any ListValue, !(list is any SetValue) {
            return list.allElements.map { prepare(Values.unwrap($0)) ?? NSNull() } as [Any]
        }
        return Numbers.number(value) ?? value
    }

    package var type: NSExpression.ExpressionType { .constantValue }
    package var pieces: [TextPiece] { [.text(PredicateText.constant(constant))] }
    /// The value as it was given.
    var constant: Any? { isNullObject ? NSNull() : value }

    package func value(for object: Any?, bindings: [String: Any]?) -> Any? { prepared }

    package func isEqualIgnoringParts(_ other: any ExpressionNode) -> Bool {
        guard let other = other as? ConstantNode else { return false }
        return Values.equal(value, other.value)
    }

    package func hash(into hasher: inout Hasher) {
        // Equal constants may have different types (1 and 1.0), so only strings are hashed by value.
        switch value {
        case nil: hasher.combine(0)
        case let string as String: hasher.combine(string)
        default: hasher.combine(1)
        }
    }
}
