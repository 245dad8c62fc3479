// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Collection operators: `@count`, `@max`, `@unionOfObjects`.
extension SQLKeyPaths {
    private static let aggregates: [String: SQLAggregate] = [
        "@count": .count, "@sum": .sum, "@avg": .average, "@min": .minimum, "@max": .maximum,
    ]

    private static let unions: [String: SQLCollectionPath.Union] = [
        "@unionOfObjects": .init(isDistinct: false, isFlat: false),
        "@distinctUnionOfObjects": .init(isDistinct: true, isFlat: false),
        "@unionOfArrays": .init(isDistinct: false, isFlat: true),
        "@distinctUnionOfArrays": .init(isDistinct: true, isFlat: true),
        "@unionOfSets": .init(isDistinct: true, isFlat: true),
        "@distinctUnionOfSets": .init(isDistinct: true, isFlat: true),
    ]

    /// The result of a path whose first collection operator is applied to the collection before it.
    ///
    /// - Throws: `NSCoreDataError` (134060) for an operator that SQL doesn't have.
    static func result(of path: SQLCollectionPath) throws -> SQLPathEnd {
        guard let index = path.rest.firstIndex(where: { $0.hasPrefix("@") }) else { return .collection(path) }
        let name = path.rest[index]
        var before = path
        before.rest = path.rest[..<index]
        let following = path.rest[(index + 1)...]
        if let union = unions[name] {
            var values = before.elements(rest: following)
            values.union = union
            return .collection(values)
        }
        guard let aggregate = aggregates[name] else {
            throw SQLQueryError.unsupported("the key path \(path.text)", because: "SQL has no \(name)")
        }
        if aggregate == .count { return .operand(try count(before)) }
        if following.isEmpty || Array(following) == ["self"] {
            return .operand(try self.aggregate(aggregate, of: before))
        }
        let values = before.elements(rest: following)
        let (builder, end) = try makeSelect(values, crossing: false)
        return .operand(try self.aggregate(aggregate, of: end, in: builder, isDistinct: false, text: path.text))
    }

    // MARK: Aggregates

    /// The aggregate of a collection's values. Equal values of a set count once.
    static func aggregate(_ aggregate: SQLAggregate, of path: SQLCollectionPath) throws -> SQLOperand {
        if aggregate == .count { return try count(path) }
        let (builder, end) = try makeSelect(path, crossing: path.union?.isFlat == true)
        return try self.aggregate(aggregate, of: end, in: builder, isDistinct: isDistinct(path), text: path.text)
    }

    private static func isDistinct(_ path: SQLCollectionPath) -> Bool {
        path.union?.isDistinct ?? (path.container != .array && !path.rest.isEmpty)
    }

    private static func aggregate(
        _ aggregate: SQLAggregate, of end: SQLPathEnd, in builder: SQLSelectBuilder, isDistinct: Bool, text: String
    ) throws -> SQLOperand {
        let value: SQLOperand
        switch end {
        case .operand(let operand): value = operand
        case .object(let object): value = object.operand
        case .collection:
            throw SQLQueryError.unsupported("the key path \(text)", because: "it crosses two to-many relationships")
        }
        // Duplicates don't change a minimum or maximum.
        let isDistinct = isDistinct && aggregate != .minimum && aggregate != .maximum
        let select = builder.select([value.aggregate(aggregate, isDistinct: isDistinct)])
        switch aggregate {
        case .minimum, .maximum:
            guard value.kind.isOrdered else {
                throw SQLQueryError.unsupported("the key path \(text)", because: "its values have no order")
            }
            return SQLOperand(.select(select), value.kind)
        case .sum, .average, .median, .standardDeviation:
            guard value.kind.isNumber else {
                throw SQLQueryError.unsupported("the key path \(text)", because: "its values are no numbers")
            }
            if aggregate != .sum {
                return SQLOperand(.select(select), value.kind.isDecimal && aggregate == .average ? .decimal : .real)
            }
            return SQLOperand(.coalesce(.select(select), .integer(0)), value.kind, isOptional: false)
        case .count, .concatenation:
            return SQLOperand(.select(select), .integer, isOptional: false)
        }
    }

    // MARK: Counts

    /// The number of values in a collection.
    private static func count(_ path: SQLCollectionPath) throws -> SQLOperand {
        let (builder, end) = try makeSelect(path, crossing: path.union?.isFlat == true)
        let select: SQLSelect
        if isDistinct(path) {
            let value = try identity(of: end, text: path.text)
            var count = SQLExpression.aggregate(.count, value, distinct: true)
            if path.union == nil, path.container == .orderedSet {
                // An ordered set contains a missing value once.
                let isMissing = SQLExpression.conditional(.isNull(value, isNegated: false), .integer(1), .integer(0))
                count = .operation(
                    count, .add, .coalesce(.aggregate(.maximum, isMissing, distinct: false), .integer(0)))
            }
            select = builder.select([count])
        } else {
            select = builder.select([.countRows])
        }
        return SQLOperand(.select(select), .integer, isOptional: false)
    }

    /// The expression by which the values at the end of a path are equal or different.
    private static func identity(of end: SQLPathEnd, text: String) throws -> SQLExpression {
        switch end {
        case .operand(let operand):
            if case .opaque(let reason) = operand.kind {
                throw SQLQueryError.unsupported("the key path \(text)", because: reason)
            }
            return operand.expression
        case .object(let object): return object.key
        case .collection(let next): return try identity(of: next)
        }
    }

    /// The list of the members' keys: collections are equal if they contain the same objects, in the same order if they
    /// are ordered.
    private static func identity(of path: SQLCollectionPath) throws -> SQLExpression {
        let builder = SQLSelectBuilder(aliases: path.owner.aliases)
        guard path.rest.isEmpty, path.segments.isEmpty, path.union == nil else {
            throw SQLQueryError.unsupported(
                "the key path \(path.text)", because: "it counts collections of values; use SUBQUERY")
        }
        let element = builder.addContent(of: path.relationship, of: path.owner.key)
        var keys = builder.select([element.key])
        keys.ordering = [element.orderKey, element.key].compactMap { $0 }.map {
            SQLOrderTerm(expression: $0, isAscending: true)
        }
        let alias = path.owner.aliases.next()
        var list = SQLSelect(source: .select(keys, alias: alias))
        let key = SQLExpression.column(alias: alias, name: element.entity.table.primaryKey.name)
        list.columns = [.aggregate(.concatenation, key, distinct: false)]
        let content = SQLExpression.coalesce(.select(list), .value(.text("")))
        guard path.owner.isOptional else { return content }
        return .conditional(path.owner.operand.isMissing, .value(.null), content)
    }
}
