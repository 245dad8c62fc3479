// SPDX-License-Identifier: Apache-2.0

/// Evaluates one comparison for two values. Defines the meaning of every operator.
struct Comparison {
    let type: NSComparisonPredicate.Operator
    let options: NSComparisonPredicate.Options
    let modifier: NSComparisonPredicate.Modifier
    let predicate: NSComparisonPredicate

    init(_ predicate: NSComparisonPredicate) {
        self.predicate = predicate
        type = predicate.predicateOperatorType
        options = predicate.options
        modifier = predicate.comparisonPredicateModifier
    }

    /// The result for two values. `ANY` and `ALL` test the elements of the left value.
    func evaluate(left: Any?, right: Any?) -> Bool {
        switch modifier {
        case .direct: return test(left, right)
        case .any: return Self.leaves(of: left).contains { test($0, right) }
        case .all: return Self.leaves(of: left).allSatisfy { test($0, right) }
        }
    }

    /// The result of `ANY` or `ALL` for the values at the end of a key path.
    func evaluate(leaves: [Any?], right: Any?) -> Bool {
        modifier == .any ? leaves.contains { test($0, right) } : leaves.allSatisfy { test($0, right) }
    }

    /// The elements of nested collections. A single value is its own element; a missing value has no elements.
    static func leaves(of value: Any?) -> [Any?] {
        guard let value = Values.unwrap(value) else { return [] }
        guard let elements = Values.elements(of: value) else { return [value] }
        return elements.flatMap { element -> [Any?] in
            Values.elements(of: element) == nil ? [Values.unwrap(element)] : leaves(of: element)
        }
    }

    func test(_ left: Any?, _ right: Any?) -> Bool {
        switch type {
        case .equalTo: return equal(left, right)
        case .notEqualTo: return !equal(left, right)
        case .lessThan: return order(left, right) == .orderedAscending
        case .lessThanOrEqualTo: return order(left, right).map { $0 != .orderedDescending } ?? false
        case .greaterThan: return order(left, right) == .orderedDescending
        case .greaterThanOrEqualTo: return order(left, right).map { $0 != .orderedAscending } ?? false
        case .beginsWith: return strings(left, right) { Strings.begins($0, with: $1, options) }
        case .endsWith: return strings(left, right) { Strings.ends($0, with: $1, options) }
        case .like: return strings(left, right) { Strings.like($0, $1, options) }
        case .matches: return strings(left, right, matches)
        case .in: return contains(right, left, predicate.rightExpression)
        case .contains: return contains(left, right, predicate.leftExpression)
        case .between: return between(left, right)
        }
    }

    private func equal(_ one: Any?, _ two: Any?) -> Bool {
        if !options.isEmpty, let one = one as? String, let two = two as? String {
            return Strings.equal(one, two, options)
        }
        return Values.equal(one, two)
    }

    func order(_ one: Any?, _ two: Any?) -> ComparisonResult? {
        if !options.isEmpty, let one = one as? String, let two = two as? String {
            return Strings.order(one, two, options)
        }
        return Values.order(one, two)
    }

    private func strings(_ left: Any?, _ right: Any?, _ test: (String, String) -> Bool) -> Bool {
        guard let left = Self.string(left), let right = Self.string(right) else { return false }
        return test(left, right)
    }

    /// The value as a string. Stores save URLs and UUIDs as text, so both compare as strings.
    private static func string(_ value: Any?) -> String? {
        switch value {
        case let string as String: string
        case let url as URL: url.absoluteString
        case let uuid as UUID: uuid.uuidString
        default: nil
        }
    }

    private func matches(_ string: String, _ pattern: String) -> Bool {
        do {
            return try Strings.matches(string, pattern, options)
        } catch {
            programmingError("MATCHES: \"\(pattern)\" isn't a regular expression. Correct the pattern, or use LIKE.")
        }
    }

    /// True if a collection contains the value, or a string contains the other string. Nothing contains a missing
    /// value.
    private func contains(_ container: Any?, _ value: Any?, _ expression: NSExpression) -> Bool {
        guard let value = Values.unwrap(value) else { return false }
        if options.isEmpty, let found = expression.listMembers?.contains(value) { return found }
        guard let elements = Values.elements(of: container) else {
            return strings(container, value) { Strings.contains($0, $1, options) }
        }
        if elements.contains(where: { equal($0, value) }) { return true }
        // A path across several collections gives the values at its end, in SQL as well.
        guard expression.hasMultipleKeys, Values.elements(of: value) == nil else { return false }
        return Self.leaves(of: elements).contains { equal($0, value) }
    }

    private func between(_ value: Any?, _ bounds: Any?) -> Bool {
        guard let bounds = Values.elements(of: bounds), bounds.count == 2,
            let low = order(bounds[0], value), let high = order(value, bounds[1])
        else { return false }
        return low != .orderedDescending && high != .orderedDescending
    }
}
