// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// A comparison without its modifier: operator and options, and the predicate for messages.
struct SQLComparisonTest {
    let type: NSComparisonPredicate.Operator
    let options: NSComparisonPredicate.Options
    let predicate: NSComparisonPredicate

    /// Whether a missing value counts as a value that differs from each other value; otherwise a comparison with it is
    /// unknown.
    var hasDifferentMissingValues: Bool { predicate.missingValues == .different }

    init(_ predicate: NSComparisonPredicate) {
        self.predicate = predicate
        type = predicate.predicateOperatorType
        // Normalized texts are compared byte by byte. The option for the locale alone folds nothing.
        let given = predicate.options
        options = given.contains(.normalized) || given == .localeSensitive ? [] : given
    }

    func unsupported(_ reason: String) -> NSError {
        SQLQueryError.unsupported("the predicate \u{201c}\(predicate.description)\u{201d}", because: reason)
    }
}

extension SQLQualifier {
    func condition(
        _ predicate: NSComparisonPredicate, in scope: SQLPredicateScope, isNegated: Bool
    ) throws -> SQLCondition {
        let test = SQLComparisonTest(predicate)
        let left = try side(predicate.leftExpression, in: scope)
        let right = try side(predicate.rightExpression, in: scope)
        let condition: SQLCondition
        switch predicate.comparisonPredicateModifier {
        case .direct:
            return isNegated ? try fails(test, left, right) : try holds(test, left, right)
        // ANY and ALL are never unknown: they ask for which elements the comparison holds.
        case .any:
            condition = try anyElement(of: left) { try holds(test, $0, right) }
        case .all:
            condition = try anyElement(of: left) { try holds(test, $0, right).negated }.negated
        }
        return isNegated ? condition.negated : condition
    }

    /// The condition that another condition holds for at least one element of a side.
    func anyElement(of side: SQLSide, _ condition: (SQLSide) throws -> SQLCondition) throws -> SQLCondition {
        switch side {
        case .collection(let path):
            let (builder, end) = try SQLKeyPaths.makeSelect(path)
            builder.filter(try condition(Self.side(end)))
            let select = builder.select()
            return select.condition == .constant(false) ? .constant(false) : exists(select)
        case .operand(let operand):
            // A single value is its own element; a missing value has none.
            return .conjunction([operand.isPresent, try condition(side)])
        case .constant(let value):
            guard let value else { return .constant(false) }
            let elements = Values.elements(of: value) ?? [value]
            return .disjunction(try elements.map { try condition(.constant(Values.unwrap($0))) })
        case .list(let sides):
            return .disjunction(try sides.map(condition))
        case .fetched(let rows):
            let (builder, element) = try rows.makeSelect()
            builder.filter(try condition(element))
            return .exists(builder.select(), isNegated: false)
        case .operation(let operation, let left, let right):
            return try anyElement(of: operation, left, right, condition)
        }
    }

    /// The condition that a comparison holds for two sides as they are.
    func holds(_ test: SQLComparisonTest, _ left: SQLSide, _ right: SQLSide) throws -> SQLCondition {
        switch test.type {
        case .equalTo: return try equal(test, left, right)
        case .notEqualTo: return try refuted(test, left, right, try equal(test, left, right))
        case .lessThan: return try ordered(test, left, .less, right)
        case .lessThanOrEqualTo: return try ordered(test, left, .lessOrEqual, right)
        case .greaterThan: return try ordered(test, left, .greater, right)
        case .greaterThanOrEqualTo: return try ordered(test, left, .greaterOrEqual, right)
        case .beginsWith: return try text(test, .beginsWith, left, right)
        case .endsWith: return try text(test, .endsWith, left, right)
        case .like: return try text(test, .like, left, right)
        case .matches: return try text(test, .matches, left, right)
        case .in: return try contains(test, container: right, value: left)
        case .contains: return try contains(test, container: left, value: right)
        case .between: return try between(test, left, right)
        }
    }

    /// The condition that a comparison is false for two sides, and not unknown.
    private func fails(_ test: SQLComparisonTest, _ left: SQLSide, _ right: SQLSide) throws -> SQLCondition {
        if test.type != .notEqualTo { return try refuted(test, left, right, try holds(test, left, right)) }
        return try equal(test, left, right)
    }

    /// The condition that another condition is false for two sides, and not unknown because a side is missing.
    private func refuted(
        _ test: SQLComparisonTest, _ left: SQLSide, _ right: SQLSide, _ condition: SQLCondition
    ) throws -> SQLCondition {
        if test.hasDifferentMissingValues { return condition.negated }
        let isEquality = test.type == .equalTo || test.type == .notEqualTo
        let sides = [left, right]
        // A comparison with the constant nil asks whether the value is missing.
        if isEquality, sides.contains(where: \.isConstantNil) { return condition.negated }
        if sides.contains(where: \.isConstantNil) { return .constant(false) }
        let present = sides.compactMap(\.optionalValue)
        // No element of a list is equal to a missing element, so that leaves nothing unknown.
        let isMembership = (test.type == .in || test.type == .contains) && !condition.isSearch
        let refuted = (isMembership ? condition.negated : condition.refuted).assuming(present: present)
        return .conjunction(
            present.filter { !refuted.requires($0) }.map { .isNull($0, isNegated: true) } + [refuted])
    }

    // MARK: Equality

    func equal(_ test: SQLComparisonTest, _ left: SQLSide, _ right: SQLSide) throws -> SQLCondition {
        switch (left, right) {
        case (.operand(let one), .operand(let two)): return try equal(test, one, two)
        case (.operand(let operand), .constant(let constant)), (.constant(let constant), .operand(let operand)):
            return try equal(test, operand, constant)
        case (.constant(let one), .constant(let two)):
            if let one = one as? String, let two = two as? String {
                return .constant(Strings.equal(one, two, test.options))
            }
            return .constant(Values.equal(one, two))
        default:
            throw Self.collectionError(test)
        }
    }

    private func equal(_ test: SQLComparisonTest, _ operand: SQLOperand, _ constant: Any?) throws -> SQLCondition {
        guard let constant else { return operand.isMissing }
        if case .opaque(let reason) = operand.kind { throw test.unsupported(reason) }
        guard let value = constants.value(constant, as: operand.kind) else { return .constant(false) }
        if !test.options.isEmpty, constant is String {
            return .text(.equal, operand.expression, .value(value), test.options, isNegated: false)
        }
        if case .integer(0) = value, let select = operand.countedRows {
            return .exists(rows(of: select), isNegated: true)
        }
        return .comparison(operand.expression, .equal, .value(value))
    }

    private func equal(_ test: SQLComparisonTest, _ one: SQLOperand, _ two: SQLOperand) throws -> SQLCondition {
        for case .opaque(let reason) in [one.kind, two.kind] { throw test.unsupported(reason) }
        guard one.kind.isComparable(with: two.kind) else {
            return test.hasDifferentMissingValues
                ? .conjunction([one.isMissing, two.isMissing]) : .constant(false)
        }
        if !test.options.isEmpty, case .string = one.kind, case .string = two.kind {
            let equal = SQLCondition.text(.equal, one.expression, two.expression, test.options, isNegated: false)
            return test.hasDifferentMissingValues ? equal : .conjunction([one.isPresent, equal])
        }
        guard test.hasDifferentMissingValues else { return .comparison(one.expression, .equal, two.expression) }
        if one.mayBeNaN || two.mayBeNaN {
            return .disjunction([
                .comparison(one.expression, .equal, two.expression), .conjunction([one.isMissing, two.isMissing]),
            ])
        }
        if one.isOptional, two.isOptional { return .nullSafeEqual(one.expression, two.expression, isNegated: false) }
        return .comparison(one.expression, .equal, two.expression)
    }

    // MARK: Order

    func ordered(
        _ test: SQLComparisonTest, _ left: SQLSide, _ comparison: SQLComparison, _ right: SQLSide
    ) throws -> SQLCondition {
        switch (left, right) {
        case (.operand(let one), .operand(let two)):
            return try ordered(test, one, comparison, two)
        case (.operand(let operand), .constant(let constant)):
            return try ordered(test, operand, comparison, constant)
        case (.constant(let constant), .operand(let operand)):
            return try ordered(test, operand, comparison.mirrored, constant)
        case (.constant(let one), .constant(let two)):
            let order: ComparisonResult?
            if let one = one as? String, let two = two as? String {
                order = Strings.order(one, two, test.options)
            } else {
                order = Values.order(one, two)
            }
            return .constant(order.map(comparison.orders.contains) ?? false)
        default:
            throw Self.collectionError(test)
        }
    }

    private func ordered(
        _ test: SQLComparisonTest, _ operand: SQLOperand, _ comparison: SQLComparison, _ constant: Any?
    ) throws -> SQLCondition {
        if case .opaque(let reason) = operand.kind { throw test.unsupported(reason) }
        guard let constant, operand.kind.isOrdered, let value = constants.value(constant, as: operand.kind) else {
            return .constant(false)
        }
        if case .string = operand.kind, !test.options.isEmpty {
            let order = SQLExpression.call(.order(test.options), [operand.expression, .value(value)])
            return .comparison(order, comparison, .integer(0))
        }
        if let select = operand.countedRows {
            switch (comparison, value) {
            case (.greater, .integer(0)), (.greaterOrEqual, .integer(1)):
                return .exists(rows(of: select), isNegated: false)
            case (.less, .integer(1)), (.lessOrEqual, .integer(0)):
                return .exists(rows(of: select), isNegated: true)
            default: break
            }
        }
        return .comparison(operand.expression, comparison, .value(value))
    }

    private func ordered(
        _ test: SQLComparisonTest, _ one: SQLOperand, _ comparison: SQLComparison, _ two: SQLOperand
    ) throws -> SQLCondition {
        for case .opaque(let reason) in [one.kind, two.kind] { throw test.unsupported(reason) }
        guard one.kind.isOrdered, one.kind.isComparable(with: two.kind) else { return .constant(false) }
        if case .string = one.kind, case .string = two.kind, !test.options.isEmpty {
            let order = SQLExpression.call(.order(test.options), [one.expression, two.expression])
            return .comparison(order, comparison, .integer(0))
        }
        return .comparison(one.expression, comparison, two.expression)
    }

    private func between(_ test: SQLComparisonTest, _ value: SQLSide, _ bounds: SQLSide) throws -> SQLCondition {
        let sides: [SQLSide]
        switch bounds {
        case .constant(let constant): sides = (Values.elements(of: constant) ?? []).map { .constant(Values.unwrap($0)) }
        case .list(let elements): sides = elements
        case .operand, .collection, .operation, .fetched: throw test.unsupported("BETWEEN needs a list of two values")
        }
        guard sides.count == 2 else { return .constant(false) }
        return .conjunction([
            try ordered(test, value, .greaterOrEqual, sides[0]), try ordered(test, value, .lessOrEqual, sides[1]),
        ])
    }

    /// The counted rows, for EXISTS.
    private func rows(of select: SQLSelect) -> SQLSelect {
        var rows = select
        rows.columns = []
        return rows
    }

    static func collectionError(_ test: SQLComparisonTest) -> NSError {
        test.unsupported("a to-many key path or a list isn\u{2019}t allowed here; use ANY, ALL, NONE, IN or @count")
    }
}

extension SQLComparison {
    /// The orders of two values for which the comparison holds.
    fileprivate var orders: [ComparisonResult] {
        switch self {
        case .equal: [.orderedSame]
        case .notEqual: [.orderedAscending, .orderedDescending]
        case .less: [.orderedAscending]
        case .lessOrEqual: [.orderedAscending, .orderedSame]
        case .greater: [.orderedDescending]
        case .greaterOrEqual: [.orderedDescending, .orderedSame]
        }
    }
}

extension SQLCondition {
    /// Whether the condition searches a text in another one.
    fileprivate var isSearch: Bool {
        if case .comparison(.call(.position, _), _, _) = self { true } else { false }
    }
}

extension SQLSide {
    fileprivate var isConstantNil: Bool { if case .constant(nil) = self { true } else { false } }

    /// The value that may be NULL: the value of the side, or the owner of its collection; nil if there is none.
    fileprivate var optionalValue: SQLExpression? {
        switch self {
        case .operand(let operand): operand.isOptional ? operand.expression : nil
        case .collection(let path): path.owner.isOptional ? path.owner.key : nil
        case .constant, .list, .operation, .fetched: nil
        }
    }
}
