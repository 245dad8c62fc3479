// SPDX-License-Identifier: Apache-2.0

/// The translation of a part of a Swift predicate: a predicate or an expression of the format language.
enum TranslatedExpression {
    case expression(NSExpression)
    case predicate(NSPredicate)
    /// A Boolean that is nil if `isPresent` is false.
    case optionalPredicate(NSPredicate, isPresent: NSPredicate)

    static func constant(_ value: Any?) -> TranslatedExpression { .expression(NSExpression(forConstantValue: value)) }

    /// A library function's value.
    static func function(_ name: String, _ arguments: NSExpression...) -> TranslatedExpression {
        .expression(NSExpression(forFunction: name, arguments: arguments))
    }

    /// As a predicate; nil is false.
    var predicate: NSPredicate {
        switch self {
        case .predicate(let predicate): return predicate
        case .optionalPredicate(let predicate, let isPresent): return isPresent.and(predicate)
        case .expression(let expression):
            if let isTrue = self.constantBoolean { return NSPredicate(value: isTrue) }
            return expression.compared(.equalTo, NSExpression(forConstantValue: NSNumber(value: true)))
        }
    }

    /// As an expression; a predicate becomes a Boolean.
    var expression: NSExpression {
        switch self {
        case .expression(let expression): return expression
        case .predicate(let predicate): return Self.booleanExpression(predicate)
        case .optionalPredicate(let predicate, let isPresent):
            return NSExpression(
                forConditional: isPresent, trueExpression: Self.booleanExpression(predicate),
                falseExpression: NSExpression(forConstantValue: nil))
        }
    }

    private static func booleanExpression(_ predicate: NSPredicate) -> NSExpression {
        NSExpression(
            forConditional: predicate, trueExpression: NSExpression(forConstantValue: NSNumber(value: true)),
            falseExpression: NSExpression(forConstantValue: NSNumber(value: false)))
    }

    /// The value of a constant Boolean.
    var constantBoolean: Bool? {
        guard case .expression(let expression) = self, let node = expression.node as? ConstantNode else { return nil }
        return (node.value as? NSNumber)?.boolValue
    }

    var isConstantNil: Bool {
        guard case .expression(let expression) = self, let node = expression.node as? ConstantNode else { return false }
        return node.value == nil
    }
}

extension NSPredicate {
    func and(_ other: NSPredicate) -> NSPredicate { Self.compound(.and, self, other) }
    func or(_ other: NSPredicate) -> NSPredicate { Self.compound(.or, self, other) }
    var negated: NSPredicate {
        if case .constant(let value) = kind { return NSPredicate(value: !value) }
        return CompoundPredicate(type: .not, subpredicates: [self])
    }

    /// Extends a compound of the same type instead of nesting it.
    private static func compound(_ type: NSCompoundPredicate.LogicalType, _ one: NSPredicate, _ two: NSPredicate)
        -> NSPredicate
    {
        if case .compound(type, let parts) = one.kind {
            return CompoundPredicate(type: type, subpredicates: parts + [two])
        }
        return CompoundPredicate(type: type, subpredicates: [one, two])
    }
}

extension NSExpression {
    func compared(
        _ type: NSComparisonPredicate.Operator, _ other: NSExpression, _ options: NSComparisonPredicate.Options = []
    ) -> NSPredicate {
        let comparison = NSComparisonPredicate(
            leftExpression: self, rightExpression: other, modifier: .direct, type: type, options: options)
        comparison.missingValues = .different
        return comparison
    }

    var isMissing: NSPredicate { compared(.equalTo, NSExpression(forConstantValue: nil)) }
    var isPresent: NSPredicate { compared(.notEqualTo, NSExpression(forConstantValue: nil)) }

    /// True if this expression contains the other one and is nil if that is nil.
    func isMissing(with other: NSExpression) -> Bool {
        if structurallyEquals(other) { return true }
        switch node {
        case let node as KeyPathNode:
            guard let start = other.node as? KeyPathNode else { return false }
            return node.keyPath.hasPrefix(start.keyPath + ".") && !node.keyPath.contains("@")
        case let node as FunctionNode:
            if let target = node.target {
                guard let path = (node.arguments.first?.node as? ConstantNode)?.value as? String, !path.contains("@")
                else { return false }
                return target.isMissing(with: other)
            }
            guard Self.functionsOfValues.contains(node.selector) else { return false }
            return node.arguments.contains { $0.isMissing(with: other) }
        default: return false
        }
    }

    /// The library functions that give nil for a nil argument.
    private static let functionsOfValues: Set<String> = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "length:", "castObject:toType:",
        "objectFrom:withIndex:",
    ]
}
