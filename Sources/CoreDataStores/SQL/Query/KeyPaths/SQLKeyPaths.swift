// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The result of a key path.
enum SQLPathEnd {
    case operand(SQLOperand)
    case object(SQLPathObject)
    case collection(SQLCollectionPath)
}

/// Resolves key paths in the schema of a store.
enum SQLKeyPaths {
    /// Resolves keys, starting with an object.
    ///
    /// - Parameters:
    ///   - keys: the keys of the path.
    ///   - start: the object whose key the first one is.
    ///   - text: the complete path, for messages.
    /// - Throws: `NSCoreDataError` (134060) for a key that the store has no value for.
    static func resolve(_ keys: ArraySlice<String>, from start: SQLPathObject, text: String) throws
        -> SQLPathEnd
    {
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
                return try result(of: path)
            }
        }
        return .object(object)
    }

    /// The element of a composite attribute that keys name. The composite itself can only be compared with nil.
    private static func element(
        of composite: SQLComposite, _ rest: ArraySlice<String>, _ object: SQLPathObject, _ text: String
    ) throws -> SQLPathEnd {
        guard let key = rest.first, key != "self" || rest.count > 1 else {
            let columns = composite.attributes.map { object.column($0.column) }
            return .operand(
                SQLOperand(
                    columns.first ?? .value(.null), .opaque("it is a composite attribute; name one of its elements"),
                    missingWhere: .conjunction(columns.map { .isNull($0, isNegated: false) })))
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

    /// The result of a key of every object, unless its entity has a property of that name.
    private static func special(_ key: String, of object: SQLPathObject) -> SQLPathEnd? {
        guard object.entity.entity.property(named: key) == nil else { return nil }
        switch key {
        case "self", "SELF": return .object(object)
        case "objectID": return .operand(object.operand)
        case "entity": return .operand(object.entityNumber)
        default: return nil
        }
    }

    /// Resolves the keys that follow an attribute: only texts have some.
    private static func finish(
        _ end: SQLPathEnd, _ rest: ArraySlice<String>, _ entity: SQLEntity, _ text: String
    ) throws -> SQLPathEnd {
        guard let key = rest.first else { return end }
        guard case .operand(let operand) = end, let value = value(of: operand, for: rest) else {
            throw SQLQueryError.unknownKey(key, in: text, of: entity)
        }
        return .operand(value)
    }

    /// The value of a text attribute's value for keys; nil for unknown keys.
    static func value(of operand: SQLOperand, for keys: ArraySlice<String>) -> SQLOperand? {
        guard let key = keys.first else { return operand }
        if key == "self" { return value(of: operand, for: keys.dropFirst()) }
        guard case .string = operand.kind else { return nil }
        func call(_ kind: SQLValueKind, _ function: SQLFunction, _ arguments: [SQLExpression] = []) -> SQLOperand {
            SQLOperand(.call(function, [operand.expression] + arguments), kind, isOptional: operand.isOptional)
        }
        let result: SQLOperand
        switch key {
        case "length": result = call(.integer, .length)
        case "lowercaseString": result = call(.string, .lowercase)
        case "uppercaseString": result = call(.string, .uppercase)
        case "capitalizedString": result = call(.string, .stringKey, [.value(.text(key))])
        case "intValue", "integerValue", "boolValue": result = call(.integer, .stringKey, [.value(.text(key))])
        case "doubleValue", "floatValue": result = call(.real, .stringKey, [.value(.text(key))])
        default: return nil
        }
        return value(of: result, for: keys.dropFirst())
    }
}

extension SQLEntity {
    /// The stored property with a name, of the entity or of one of its subentities.
    ///
    /// - Throws: `NSCoreDataError` (134060) if no stored property has the name, or different properties of several
    ///   subentities have it.
    func storedProperty(_ key: String, in keyPath: String) throws -> SQLProperty {
        if let property = properties[key] { return property }
        if let reason = reasonNotStored(key) {
            throw SQLQueryError.notStored(key, in: keyPath, of: self, because: reason)
        }
        // A request for an entity may use a property of some subentities. Objects of other entities have no value for
        // it.
        var declaring: [SQLEntity] = []
        var candidates = subentities
        while !candidates.isEmpty {
            let next = candidates.removeFirst()
            if next.properties[key] != nil {
                declaring.append(next)
            } else {
                candidates.append(contentsOf: next.subentities)
            }
        }
        guard let first = declaring.first, let property = first.properties[key] else {
            throw SQLQueryError.unknownKey(key, in: keyPath, of: self)
        }
        guard declaring.count == 1 else {
            let names = declaring.map(\.name).joined(separator: " and ")
            throw SQLQueryError.notStored(
                key, in: keyPath, of: self, because: "is declared by \(names) apart; fetch one of these entities")
        }
        return property
    }

    /// The reason why a property of the model has no column; nil if there is no such property.
    private func reasonNotStored(_ key: String) -> String? {
        switch entity.property(named: key) {
        case nil: nil
        case let property? where property.isTransient: "is transient, so the store has no value for it"
        case is NSFetchedPropertyDescription: "is a fetched property, which has no stored value"
        default: "isn\u{2019}t stored in this store"
        }
    }
}
