/// The limits of attributes in source models, and the validation predicates that stand for them in a model.
///
/// Each limit is one predicate; its warning is the error code that validation reports.
enum SourceLimits {
    static let numberTooLarge = 1610
    static let numberTooSmall = 1620
    static let dateTooLate = 1630
    static let dateTooSoon = 1640
    static let stringTooLong = 1660
    static let stringTooShort = 1670
    static let stringPatternMatching = 1680

    /// The attributes of an element that hold limits.
    enum Attribute: String {
        case minValueString, maxValueString, minDateTimeInterval, maxDateTimeInterval, regularExpressionString
    }

    /// The predicates of an attribute element, in the order minimum, maximum, pattern.
    static func read(_ element: SourceElement, type: NSAttributeType) -> [(predicate: NSPredicate, code: Int)] {
        var limits: [(predicate: NSPredicate, code: Int)] = []
        func add(_ attribute: Attribute, _ left: NSExpression, _ order: NSComparisonPredicate.Operator, _ code: Int, _ value: (String) -> Any) {
            guard let text = element.text(attribute.rawValue) else { return }
            limits.append((comparison(left, order, value(text)), code))
        }
        let itself = NSExpression.expressionForEvaluatedObject()
        if type.isNumber {
            add(.minValueString, itself, .greaterThanOrEqualTo, numberTooSmall) { number($0, type) }
            add(.maxValueString, itself, .lessThanOrEqualTo, numberTooLarge) { number($0, type) }
        } else if type == .stringAttributeType {
            let length = NSExpression(forKeyPath: "length")
            add(.minValueString, length, .greaterThanOrEqualTo, stringTooShort) { NSNumber(value: SourceNumber.integer($0)) }
            add(.maxValueString, length, .lessThanOrEqualTo, stringTooLong) { NSNumber(value: SourceNumber.integer($0)) }
            add(.regularExpressionString, itself, .matches, stringPatternMatching) { $0 }
        } else if type == .dateAttributeType {
            add(.minDateTimeInterval, itself, .greaterThanOrEqualTo, dateTooSoon) { date($0) }
            add(.maxDateTimeInterval, itself, .lessThanOrEqualTo, dateTooLate) { date($0) }
        }
        return limits
    }

    /// The attributes that say an attribute's validation predicates; nil if one of them is more than a limit.
    static func write(_ attribute: NSAttributeDescription) -> [Attribute: String]? {
        write(Array(zip(attribute.validationPredicates, attribute.validationWarnings)))
    }

    static func write(_ rules: [(predicate: NSPredicate, warning: Any)]) -> [Attribute: String]? {
        var texts: [Attribute: String] = [:]
        for (predicate, warning) in rules {
            guard let (name, text) = limit(predicate, (warning as? NSNumber)?.intValue), texts[name] == nil else { return nil }
            texts[name] = text
        }
        return texts
    }

    private static func limit(_ predicate: NSPredicate, _ code: Int?) -> (Attribute, String)? {
        guard let comparison = predicate as? NSComparisonPredicate, let code,
            comparison.rightExpression.expressionType == .constantValue,
            let value = comparison.rightExpression.constantValue
        else { return nil }
        let isMinimum = comparison.predicateOperatorType == .greaterThanOrEqualTo
        let isMaximum = comparison.predicateOperatorType == .lessThanOrEqualTo
        switch code {
        case numberTooSmall where isMinimum: return numberText(value).map { (.minValueString, $0) }
        case numberTooLarge where isMaximum: return numberText(value).map { (.maxValueString, $0) }
        case stringTooShort where isMinimum: return numberText(value).map { (.minValueString, $0) }
        case stringTooLong where isMaximum: return numberText(value).map { (.maxValueString, $0) }
        case dateTooSoon where isMinimum: return dateText(value).map { (.minDateTimeInterval, $0) }
        case dateTooLate where isMaximum: return dateText(value).map { (.maxDateTimeInterval, $0) }
        case stringPatternMatching where comparison.predicateOperatorType == .matches:
            return (value as? String).map { (.regularExpressionString, $0) }
        default: return nil
        }
    }

    private static func comparison(_ left: NSExpression, _ order: NSComparisonPredicate.Operator, _ value: Any) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: left, rightExpression: NSExpression(forConstantValue: value), modifier: .direct, type: order, options: [])
    }

    /// A limit in the type of its attribute; the limits of decimals stay exact.
    private static func number(_ text: String, _ type: NSAttributeType) -> Any {
        if type.isInteger { return NSNumber(value: SourceNumber.integer(text)) }
        if type == .decimalAttributeType { return SourceNumber.decimal(text) }
        return NSNumber(value: SourceNumber.real(text))
    }

    private static func date(_ text: String) -> Date { Date(timeIntervalSinceReferenceDate: SourceNumber.real(text)) }

    private static func numberText(_ value: Any) -> String? { (value as? NSNumber)?.stringValue }

    private static func dateText(_ value: Any) -> String? {
        (value as? Date).map { SourceText.real($0.timeIntervalSinceReferenceDate) }
    }
}
