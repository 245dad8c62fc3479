// SPDX-License-Identifier: Apache-2.0

/// The limits of attributes in source models, and the equivalent validation predicates.
///
/// Each limit is one predicate. Its warning is the error code that validation reports.
enum SourceLimits {
    static let numberTooLarge = 1610
    static let numberTooSmall = 1620
    static let dateTooLate = 1630
    static let dateTooSoon = 1640
    static let stringTooLong = 1660
    static let stringTooShort = 1670
    static let stringPatternMatching = 1680

    /// The XML attributes that contain limits.
    enum Attribute: String {
        case minValueString, maxValueString, minDateTimeInterval, maxDateTimeInterval, regularExpressionString
    }

    /// The predicates of an attribute element, in the order minimum, maximum, pattern.
    static func read(_ element: SourceElement, type: NSAttributeType) -> [(predicate: NSPredicate, code: Int)] {
        var limits: [(predicate: NSPredicate, code: Int)] = []
        func add(
            _ attribute: Attribute, _ left: NSExpression, _ order: NSComparisonPredicate.Operator, _ code: Int,
            _ value: (String) -> Any
        ) {
            guard let text = element.text(attribute.rawValue) else { return }
            limits.append((comparison(left, order, value(text)), code))
        }
        let itself = NSExpression.expressionForEvaluatedObject()
        if type.isNumber {
            add(.minValueString, itself, .greaterThanOrEqualTo, numberTooSmall) { number($0, type) }
            add(.maxValueString, itself, .lessThanOrEqualTo, numberTooLarge) { number($0, type) }
        } else if type == .stringAttributeType {
            let length = NSExpression(forKeyPath: "length")
            add(.minValueString, length, .greaterThanOrEqualTo, stringTooShort) {
                NSNumber(value: SourceText.integer($0))
            }
            add(.maxValueString, length, .lessThanOrEqualTo, stringTooLong) {
                NSNumber(value: SourceText.integer($0))
            }
            add(.regularExpressionString, itself, .matches, stringPatternMatching) { $0 }
        } else if type == .dateAttributeType {
            add(.minDateTimeInterval, itself, .greaterThanOrEqualTo, dateTooSoon) { date($0) }
            add(.maxDateTimeInterval, itself, .lessThanOrEqualTo, dateTooLate) { date($0) }
        }
        return limits
    }

    /// The XML attributes for the validation predicates of an attribute; nil if one of them is not a limit.
    static func write(_ attribute: NSAttributeDescription) -> [Attribute: String]? {
        guard attribute.validationPredicates.count == attribute.validationWarnings.count else { return nil }
        return write(
            Array(zip(attribute.validationPredicates, attribute.validationWarnings)), type: attribute.attributeType)
    }

    static func write(_ rules: [(predicate: NSPredicate, warning: Any)], type: NSAttributeType) -> [Attribute: String]?
    {
        var texts: [Attribute: String] = [:]
        for (predicate, warning) in rules {
            guard let code = (warning as? NSNumber)?.intValue, let (name, text) = limit(predicate, code, type),
                texts[name] == nil
            else { return nil }
            texts[name] = text
        }
        return texts
    }

    private static func limit(_ predicate: NSPredicate, _ code: Int, _ type: NSAttributeType) -> (Attribute, String)? {
        guard let comparison = predicate as? NSComparisonPredicate, comparison.comparisonPredicateModifier == .direct,
            comparison.options.isEmpty,
            comparison.rightExpression.expressionType == .constantValue,
            let value = comparison.rightExpression.constantValue
        else { return nil }
        let left = comparison.leftExpression
        let isOnItself = left.expressionType == .evaluatedObject
        let isOnLength = left.expressionType == .keyPath && left.keyPath == "length"
        switch (code, comparison.predicateOperatorType) {
        case (numberTooSmall, .greaterThanOrEqualTo) where type.isNumber && isOnItself:
            return numberText(value, type).map { (.minValueString, $0) }
        case (numberTooLarge, .lessThanOrEqualTo) where type.isNumber && isOnItself:
            return numberText(value, type).map { (.maxValueString, $0) }
        case (stringTooShort, .greaterThanOrEqualTo) where type == .stringAttributeType && isOnLength:
            return numberText(value, .integer64AttributeType).map { (.minValueString, $0) }
        case (stringTooLong, .lessThanOrEqualTo) where type == .stringAttributeType && isOnLength:
            return numberText(value, .integer64AttributeType).map { (.maxValueString, $0) }
        case (dateTooSoon, .greaterThanOrEqualTo) where type == .dateAttributeType && isOnItself:
            return SourceText.text(of: value, type: type).map { (.minDateTimeInterval, $0) }
        case (dateTooLate, .lessThanOrEqualTo) where type == .dateAttributeType && isOnItself:
            return SourceText.text(of: value, type: type).map { (.maxDateTimeInterval, $0) }
        case (stringPatternMatching, .matches) where type == .stringAttributeType && isOnItself:
            return (value as? String).flatMap { $0.isEmpty ? nil : (.regularExpressionString, $0) }
        default: return nil
        }
    }

    private static func comparison(_ left: NSExpression, _ order: NSComparisonPredicate.Operator, _ value: Any)
        -> NSPredicate
    {
        NSComparisonPredicate(
            leftExpression: left, rightExpression: NSExpression(forConstantValue: value), modifier: .direct,
            type: order, options: [])
    }

    /// A limit in the type of its attribute: exact for decimals, and rounded for floats as their values are, so that a
    /// value equal to the limit satisfies it.
    private static func number(_ text: String, _ type: NSAttributeType) -> Any {
        switch type {
        case .doubleAttributeType: NSNumber(value: finite(SourceText.real(text)))
        case .floatAttributeType: NSNumber(value: finite(Float(SourceText.real(text))))
        default: SourceText.value(of: text, type: type) ?? 0
        }
    }

    /// The nearest finite value.
    private static func finite<Value: BinaryFloatingPoint>(_ value: Value) -> Value {
        min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
    }

    private static func date(_ text: String) -> Date {
        Date(timeIntervalSinceReferenceDate: finite(SourceText.real(text)))
    }

    /// The text of a number; nil if the attribute's type would change it.
    private static func numberText(_ value: Any, _ type: NSAttributeType) -> String? {
        guard let number = value as? NSNumber else { return nil }
        if type.isInteger {
            let integer = number.int64Value
            return Values.equal(NSNumber(value: integer), number) ? String(integer) : nil
        }
        if type == .decimalAttributeType {
            if let decimal = value as? NSDecimalNumber {
                return decimal == NSDecimalNumber.notANumber ? nil : decimal.stringValue
            }
            let decimal = number.decimalOrNaN
            return decimal.isNaN ? nil : NSDecimalNumber(decimal: decimal).stringValue
        }
        guard number.doubleValue.isFinite else { return nil }
        return type == .floatAttributeType
            ? SourceText.shortest(finite(number.floatValue)) : SourceText.shortest(number.doubleValue)
    }
}
