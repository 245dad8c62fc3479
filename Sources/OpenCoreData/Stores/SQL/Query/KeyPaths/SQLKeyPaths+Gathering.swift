import CoreDataModel
import CoreDataPredicates

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

    /// What a path reaches when its first collection operator has gathered the collection before it.
    ///
    /// - Throws: `NSCoreDataError` (134060) for an operator that SQL has none for.
    static func gathered(_ path: SQLCollectionPath) throws -> SQLPathEnd {
        guard let place = path.rest.firstIndex(where: { $0.hasPrefix("@") }) else { return .collection(path) }
        let name = path.rest[place]
        var before = path
        before.rest = path.rest[..<place]
        let behind = path.rest[(place + 1)...]
        if let union = unions[name] {
            var values = before.elements(rest: behind)
            values.union = union
            return .collection(values)
        }
        guard let aggregate = aggregates[name] else {
            throw SQLQueryError.unsupported("the key path \(path.text)", because: "SQL has no \(name)")
        }
        if aggregate == .count { return .operand(try count(before)) }
        if behind.isEmpty || Array(behind) == ["self"] { return .operand(try gather(before, aggregate)) }
        let values = before.elements(rest: behind)
        let (builder, end) = try open(values, crossing: false)
        return .operand(try gathered(end, of: builder, aggregate, isDistinct: false, text: path.text))
    }

    // MARK: Aggregates

    /// The value that a collection's values give together: equal ones of a set count once.
    static func gather(_ path: SQLCollectionPath, _ aggregate: SQLAggregate) throws -> SQLOperand {
        if aggregate == .count { return try count(path) }
        let (builder, end) = try open(path, crossing: path.union?.isFlat == true)
        return try gathered(end, of: builder, aggregate, isDistinct: isDistinct(path), text: path.text)
    }

    private static func isDistinct(_ path: SQLCollectionPath) -> Bool {
        path.union?.isDistinct ?? (path.container != .array && !path.rest.isEmpty)
    }

    private static func gathered(
        _ end: SQLPathEnd, of builder: SQLSelectBuilder, _ aggregate: SQLAggregate, isDistinct: Bool, text: String
    ) throws -> SQLOperand {
        let value: SQLOperand
        switch end {
        case .operand(let operand): value = operand
        case .object(let object): value = object.operand
        case .collection:
            throw SQLQueryError.unsupported("the key path \(text)", because: "it crosses two to-many relationships")
        }
        // The least of several values is that of the different ones.
        let isDistinct = isDistinct && aggregate != .minimum && aggregate != .maximum
        let select = builder.select([.aggregate(aggregate, value.expression, distinct: isDistinct)])
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
        case .count, .list:
            return SQLOperand(.select(select), .integer, isOptional: false)
        }
    }

    // MARK: Counts

    /// The number of values in a collection.
    private static func count(_ path: SQLCollectionPath) throws -> SQLOperand {
        let (builder, end) = try open(path, crossing: path.union?.isFlat == true)
        let select: SQLSelect
        if isDistinct(path) {
            let value = try identity(of: end, text: path.text)
            var count = SQLExpression.aggregate(.count, value, distinct: true)
            if path.union == nil, path.container == .orderedSet {
                // A missing value is in an ordered set once.
                let isMissing = SQLExpression.conditional(.missing(value, isNegated: false), .integer(1), .integer(0))
                count = .operation(
                    count, .add, .coalesce(.aggregate(.maximum, isMissing, distinct: false), .integer(0)))
            }
            select = builder.select([count])
        } else {
            select = builder.select([.countRows])
        }
        return SQLOperand(.select(select), .integer, isOptional: false)
    }

    /// What tells the values at the end of a path apart.
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

    /// Collections are equal if they hold the same objects, and ordered ones in the same order: the list of their keys.
    private static func identity(of path: SQLCollectionPath) throws -> SQLExpression {
        let builder = SQLSelectBuilder(aliases: path.owner.aliases)
        guard path.rest.isEmpty, path.segments.isEmpty, path.union == nil else {
            throw SQLQueryError.unsupported(
                "the key path \(path.text)", because: "it counts collections of values; use SUBQUERY")
        }
        let element = builder.addContent(of: path.relationship, of: path.owner.key)
        var keys = builder.select([element.key])
        keys.ordering = [element.place, element.key].compactMap { $0 }.map {
            SQLOrderTerm(expression: $0, isAscending: true)
        }
        let alias = path.owner.aliases.next()
        var list = SQLSelect(source: .select(keys, alias: alias))
        let key = SQLExpression.column(alias: alias, name: element.entity.table.primaryKey.name)
        list.columns = [.aggregate(.list, key, distinct: false)]
        let content = SQLExpression.coalesce(.select(list), .value(.text("")))
        guard path.owner.isOptional else { return content }
        return .conditional(path.owner.operand.isMissing, .value(.null), content)
    }
}
