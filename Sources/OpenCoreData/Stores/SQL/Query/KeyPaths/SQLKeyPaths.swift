import CoreDataPredicates
import CoreDataModel

/// What a key path reaches.
enum SQLPathEnd {
    case operand(SQLOperand)
    case object(SQLPathObject)
    case collection(SQLCollectionPath)
}

/// Follows key paths through the schema.
enum SQLKeyPaths {
    /// Follows keys from an object.
    ///
    /// - Parameters:
    ///   - keys: the keys to follow.
    ///   - text: the whole path, for messages.
    /// - Throws: `NSCoreDataError` (134060) for a key that the store has no value for.
    static func follow(_ keys: ArraySlice<String>, from start: SQLPathObject, text: String) throws -> SQLPathEnd {
        var object = start
        var rest = keys
        while let key = rest.popFirst() {
            if let special = special(key, of: object) {
                guard case .object = special else { return try finish(special, rest, object.entity, text) }
                continue
            }
            switch try object.entity.storedProperty(key, in: text) {
            case .attribute(let attribute):
                let operand = SQLOperand(object.column(attribute.column), SQLValueKind(attribute.column))
                return try finish(.operand(operand), rest, object.entity, text)
            case .toOne(let relationship):
                object = object.object(at: relationship)
            case .toMany(let relationship):
                let path = SQLCollectionPath(owner: object, relationship: relationship, rest: rest, text: text)
                return try gathered(path).map(SQLPathEnd.operand) ?? .collection(path)
            }
        }
        return .object(object)
    }

    /// The keys that every object has, unless its entity has a property of that name.
    private static func special(_ key: String, of object: SQLPathObject) -> SQLPathEnd? {
        guard object.entity.entity.property(named: key) == nil else { return nil }
        switch key {
        case "self", "SELF": return .object(object)
        case "objectID": return .operand(object.operand)
        case "entity": return .operand(object.entityNumber)
        default: return nil
        }
    }

    /// The keys that may follow an attribute: those of a text.
    private static func finish(
        _ end: SQLPathEnd, _ rest: ArraySlice<String>, _ entity: SQLEntity, _ text: String
    ) throws -> SQLPathEnd {
        guard let key = rest.first else { return end }
        guard rest.count == 1, case .operand(let operand) = end, case .string = operand.kind else {
            throw SQLQueryError.unknownKey(key, in: text, of: entity)
        }
        switch key {
        case "length": return .operand(SQLOperand(.call(.length, [operand.expression]), .integer))
        case "lowercaseString": return .operand(SQLOperand(.call(.lowercase, [operand.expression]), .string))
        case "uppercaseString": return .operand(SQLOperand(.call(.uppercase, [operand.expression]), .string))
        case "self": return end
        default: throw SQLQueryError.unknownKey(key, in: text, of: entity)
        }
    }

    // MARK: Collections

    /// Goes through a collection in a select of its own.
    ///
    /// - Parameter crossing: whether to go through the collections further along the path too.
    /// - Returns: the select in the making, and what the path reaches in its rows.
    static func open(
        _ path: SQLCollectionPath, crossing: Bool = true
    ) throws -> (builder: SQLSelectBuilder, end: SQLPathEnd) {
        let builder = SQLSelectBuilder(aliases: path.owner.aliases)
        var element = builder.addContent(of: path.relationship, of: path.owner.key)
        if let filter = path.filter { builder.filter(try filter(element)) }
        var rest = path.rest
        while true {
            let end = try follow(rest, from: element, text: path.text)
            guard crossing, case .collection(let next) = end else { return (builder, end) }
            element = builder.addContent(of: next.relationship, of: next.owner.key)
            rest = next.rest
        }
    }

    /// The value of a path with a collection operator right behind its relationship; `nil` if the path has none.
    ///
    /// - Throws: `NSCoreDataError` (134060) for an operator elsewhere, or one that SQL has none for.
    static func gathered(_ path: SQLCollectionPath) throws -> SQLOperand? {
        guard let place = path.rest.firstIndex(where: { $0.hasPrefix("@") }) else { return nil }
        let name = String(path.rest[place].dropFirst())
        guard place == path.rest.startIndex else {
            throw SQLQueryError.unsupported(
                "the key path \(path.text)", because: "@\(name) must stand right behind a to-many relationship")
        }
        let aggregates: [String: SQLAggregate] = [
            "count": .count, "sum": .sum, "avg": .average, "min": .minimum, "max": .maximum,
        ]
        guard let aggregate = aggregates[name] else {
            throw SQLQueryError.unsupported("the key path \(path.text)", because: "SQL has no @\(name)")
        }
        var inner = path
        inner.rest = path.rest.dropFirst()
        if aggregate == .count { inner.rest = [] }
        return try gather(inner, aggregate, distinct: false)
    }

    /// The value that a collection's values give together.
    static func gather(_ path: SQLCollectionPath, _ aggregate: SQLAggregate, distinct: Bool) throws -> SQLOperand {
        let (builder, end) = try open(path, crossing: false)
        if aggregate == .count, !distinct {
            return SQLOperand(.select(builder.select([.countRows])), .integer, isOptional: false)
        }
        let value: SQLOperand
        switch end {
        case .operand(let operand): value = operand
        case .object(let object): value = object.operand
        case .collection:
            throw SQLQueryError.unsupported("the key path \(path.text)", because: "it crosses two to-many relationships")
        }
        let select = builder.select([.aggregate(aggregate, value.expression, distinct: distinct)])
        switch aggregate {
        case .count:
            return SQLOperand(.select(select), .integer, isOptional: false)
        case .sum, .average:
            guard value.kind.isNumber else {
                throw SQLQueryError.unsupported("the key path \(path.text)", because: "its values are no numbers")
            }
            if aggregate == .average { return SQLOperand(.select(select), .real) }
            return SQLOperand(.coalesce(.select(select), .integer(0)), value.kind, isOptional: false)
        case .minimum, .maximum:
            guard value.kind.isOrdered else {
                throw SQLQueryError.unsupported("the key path \(path.text)", because: "its values have no order")
            }
            return SQLOperand(.select(select), value.kind)
        }
    }
}
