// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension SQLQualifier {
    /// The condition that a collection contains a value, or that a text contains another text. No collection contains a
    /// missing value.
    func contains(_ test: SQLComparisonTest, container: SQLSide, value: SQLSide) throws -> SQLCondition {
        if case .constant(nil) = value { return .constant(false) }
        switch container {
        case .collection:
            return .conjunction([
                try isPresent(value, test), try anyElement(of: container) { try equal(test, $0, value) },
            ])
        case .list(let sides):
            return .conjunction([
                try isPresent(value, test), .disjunction(try sides.map { try equal(test, $0, value) }),
            ])
        case .constant(let constant):
            guard let elements = Values.elements(of: constant) else {
                return try text(test, .contains, container, value)
            }
            return try member(test, value, of: elements)
        case .operand:
            return try text(test, .contains, container, value)
        case .fetched(let rows):
            return try member(test, value, of: rows)
        case .operation(let operation, let left, let right):
            return .conjunction([
                try isPresent(value, test), try anyElement(of: operation, left, right) { try equal(test, $0, value) },
            ])
        }
    }

    // MARK: Set operations

    /// The condition that another condition holds for an element of a set operation's result. The result contains no
    /// missing value.
    func anyElement(
        of operation: SetOperationNode.Operation, _ left: SQLSide, _ right: SQLSide,
        _ condition: (SQLSide) throws -> SQLCondition
    ) throws -> SQLCondition {
        let left = Self.elements(of: left)
        let right = Self.elements(of: right)
        // The options of a comparison with the result don't apply to the operation itself.
        let exact = SQLComparisonTest(
            NSComparisonPredicate(
                leftExpression: .expressionForEvaluatedObject(), rightExpression: .expressionForEvaluatedObject(),
                modifier: .direct, type: .in))
        func present(_ element: SQLSide) throws -> SQLCondition {
            .conjunction([try isPresent(element, exact), try condition(element)])
        }
        switch operation {
        case .union:
            return .disjunction([try anyElement(of: left, present), try anyElement(of: right, present)])
        case .intersect:
            return try anyElement(of: left) {
                .conjunction([try present($0), try contains(exact, container: right, value: $0)])
            }
        case .minus:
            return try anyElement(of: left) {
                .conjunction([try present($0), try contains(exact, container: right, value: $0).negated])
            }
        }
    }

    /// A side as a set. A value that is no collection has no elements.
    private static func elements(of side: SQLSide) -> SQLSide {
        switch side {
        case .operand: .list([])
        case .constant(let value): .list((Values.elements(of: value) ?? []).map { .constant(Values.unwrap($0)) })
        case .collection, .list, .operation, .fetched: side
        }
    }

    private func member(_ test: SQLComparisonTest, _ value: SQLSide, of elements: [Any]) throws -> SQLCondition {
        let elements = elements.compactMap(Values.unwrap)
        switch value {
        case .operand(let operand):
            return try member(test, operand, of: elements)
        case .constant:
            return .disjunction(try elements.map { try equal(test, .constant($0), value) })
        case .collection, .list, .operation, .fetched:
            throw Self.collectionError(test)
        }
    }

    private func member(_ test: SQLComparisonTest, _ operand: SQLOperand, of elements: [Any]) throws -> SQLCondition {
        if case .opaque(let reason) = operand.kind { throw test.unsupported(reason) }
        var values = elements.compactMap { constants.value($0, as: operand.kind) }
        var expression = operand.expression
        if case .string = operand.kind, !test.options.isEmpty {
            values = values.map { value in
                if case .text(let text) = value { return .text(Strings.fold(text, test.options)) }
                return value
            }
            expression = .call(.fold(test.options), [expression])
        }
        if values.isEmpty { return .constant(false) }
        if values.count == 1 { return .comparison(expression, .equal, .value(values[0])) }
        let member = SQLCondition.inValues(expression, values)
        // A list encodes bytes in such a way that NULL equals empty bytes.
        if case .data = operand.kind { return .conjunction([operand.isPresent, member]) }
        return member
    }

    /// The condition that a single value isn't missing.
    private func isPresent(_ side: SQLSide, _ test: SQLComparisonTest) throws -> SQLCondition {
        switch side {
        case .operand(let operand): operand.isPresent
        case .constant(let value): .constant(value != nil)
        case .list, .collection, .operation, .fetched: throw Self.collectionError(test)
        }
    }
}
