// SPDX-License-Identifier: Apache-2.0

/// The special types of a Swift predicate over other objects than managed ones: models of SwiftData.
package protocol PredicateTypes {
    /// The expression for a property of an object or a value.
    ///
    /// - Returns: nil for a key path of a type that isn't special.
    /// - Throws: an `UntranslatableError` for a property that isn't stored.
    func property(_ keyPath: AnyKeyPath, of root: NSExpression) throws -> NSExpression?

    /// A constant in the form in which it is compared; nil for one that isn't special.
    func constant(_ value: Any) throws -> Any?

    /// The elements of a value that is stored in several attributes, each with its key path relative to the value.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - value: the value; nil for nil.
    /// - Returns: nil for a type whose values are stored in one attribute.
    func elements(of type: any Any.Type, value: Any?) throws -> [(path: String, value: Any?)]?

    /// Whether an object is of a class; nil for types that aren't special.
    func isOfClass(_ object: NSExpression, _ type: any Any.Type) throws -> NSPredicate?

    /// Whether an optional value of a type is never nil in a store, as a to-many relationship is.
    func isAlwaysPresent(_ type: any Any.Type) -> Bool
}

extension PredicateTranslation {
    /// A constant in the form in which stores save it.
    func storedForm(_ value: Any) throws -> Any? {
        guard let types else { return PredicateConstant.storedForm(value) }
        guard let unwrapped = Values.unwrap(value) else { return nil }
        if let list = unwrapped as? any ListValue { return try list.allElements.map { try storedForm($0) ?? NSNull() } }
        return try types.constant(unwrapped) ?? PredicateConstant.storedForm(unwrapped)
    }

    /// The equality of a property that is stored in several attributes and a constant; nil for other parts.
    func equality(_ left: any PredicateExpression, _ right: any PredicateExpression) throws -> NSPredicate? {
        guard let types else { return nil }
        for (side, other) in [(left, right), (right, left)] {
            guard let constant = other as? any ConstantExpression else { continue }
            let type = Self.outputType(side)
            let value = Values.unwrap(constant.constantValue)
            if value == nil, types.isAlwaysPresent(type) { return NSPredicate(value: false) }
            guard let elements = try types.elements(of: type, value: value) else {
                continue
            }
            let expression = try self.expression(side)
            return elements.reduce(NSPredicate(value: true)) { condition, element in
                let equal = expression.appendingKeyPath(element.path).compared(
                    .equalTo, NSExpression(forConstantValue: element.value))
                if case .constant(true) = condition.kind { return equal }
                return condition.and(equal)
            }
        }
        return nil
    }

    private static func outputType<Part: PredicateExpression>(_ part: Part) -> any Any.Type { Part.Output.self }
}

/// A part of a predicate with a constant value.
protocol ConstantExpression {
    var constantValue: Any { get }
}

extension PredicateExpressions.Value: ConstantExpression {
    var constantValue: Any { value }
}

extension PredicateExpressions.NilLiteral: ConstantExpression {
    var constantValue: Any { Wrapped?.none as Any }
}
