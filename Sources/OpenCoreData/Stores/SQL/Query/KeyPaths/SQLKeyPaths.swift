import CoreDataModel
import CoreDataPredicates

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
            case .composite(let composite):
                return try element(of: composite, rest, object, text)
            case .toOne(let relationship):
                object = object.object(at: relationship)
            case .toMany(let relationship):
                let path = SQLCollectionPath(owner: object, relationship: relationship, rest: rest, text: text)
                return try gathered(path)
            }
        }
        return .object(object)
    }

    /// What keys reach in a composite attribute. All of it can only be asked whether it is missing.
    private static func element(
        of composite: SQLComposite, _ rest: ArraySlice<String>, _ object: SQLPathObject, _ text: String
    ) throws -> SQLPathEnd {
        guard let key = rest.first, key != "self" || rest.count > 1 else {
            let columns = composite.attributes.map { object.column($0.column) }
            return .operand(
                SQLOperand(
                    columns.first ?? .value(.null), .opaque("it is a composite attribute; name one of its elements"),
                    missingWhere: .conjunction(columns.map { .missing($0, isNegated: false) })))
        }
        switch composite.element(key) {
        case .attribute(let attribute)?:
            let operand = SQLOperand(object.column(attribute.column), SQLValueKind(attribute.column))
            return try finish(.operand(operand), rest.dropFirst(), object.entity, text)
        case .composite(let inner)?:
            return try element(of: inner, rest.dropFirst(), object, text)
        default:
            throw SQLQueryError.unknownKey(key, in: text, of: object.entity)
        }
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
        guard case .operand(let operand) = end, let value = value(of: operand, for: rest) else {
            throw SQLQueryError.unknownKey(key, in: text, of: entity)
        }
        return .operand(value)
    }

    /// What an attribute's value answers to keys; `nil` if it doesn't know them.
    static func value(of operand: SQLOperand, for keys: ArraySlice<String>) -> SQLOperand? {
        guard let key = keys.first else { return operand }
        if key == "self" { return value(of: operand, for: keys.dropFirst()) }
        guard case .string = operand.kind else { return nil }
        func made(_ kind: SQLValueKind, _ function: SQLFunction, _ arguments: [SQLExpression] = []) -> SQLOperand {
            SQLOperand(.call(function, [operand.expression] + arguments), kind, isOptional: operand.isOptional)
        }
        let answer: SQLOperand
        switch key {
        case "length": answer = made(.integer, .length)
        case "lowercaseString": answer = made(.string, .lowercase)
        case "uppercaseString": answer = made(.string, .uppercase)
        case "capitalizedString": answer = made(.string, .stringKey, [.value(.text(key))])
        case "intValue", "integerValue", "boolValue": answer = made(.integer, .stringKey, [.value(.text(key))])
        case "doubleValue", "floatValue": answer = made(.real, .stringKey, [.value(.text(key))])
        default: return nil
        }
        return value(of: answer, for: keys.dropFirst())
    }
}
