// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// How a derived attribute gets its value.
package enum SQLDerivation: @unchecked Sendable {
    /// The number of objects in a to-many relationship; maintained by triggers.
    case count(SQLToMany)
    /// The sum of an attribute of the objects in a to-many relationship; maintained by triggers.
    case sum(SQLToMany, SQLColumn)
    /// An attribute of the object at a to-one relationship; maintained by triggers.
    case key(SQLToOne, SQLColumn)
    /// An expression over the object's own values or the time; the save computes and writes it.
    case computedOnSave(NSExpression)

    /// Whether triggers in the store maintain the value, so that a save must not write it.
    package var isMaintainedByTriggers: Bool {
        if case .computedOnSave = self { return false }
        return true
    }

    /// Recognizes the expression of a derived attribute of `entity`.
    init(_ expression: NSExpression, in entity: SQLEntity) {
        self = Self.recognize(expression, in: entity) ?? .computedOnSave(expression)
    }

    private static func recognize(_ expression: NSExpression, in entity: SQLEntity) -> SQLDerivation? {
        switch expression.expressionType {
        case .keyPath:
            return keyPath(expression.keyPath, in: entity)
        case .function:
            guard let argument = expression.arguments?.first, expression.arguments?.count == 1,
                argument.expressionType == .keyPath
            else { return nil }
            switch expression.function {
            case "count:": return keyPath(argument.keyPath + ".@count", in: entity)
            case "sum:": return keyPath(argument.keyPath + ".@sum", in: entity)
            default: return nil
            }
        default:
            return nil
        }
    }

    /// `tracks.@count`, `tracks.length.@sum`, `tracks.@sum.length` or `album.title`.
    private static func keyPath(_ path: String, in entity: SQLEntity) -> SQLDerivation? {
        let keys = path.split(separator: ".").map(String.init)
        guard keys.count == 2 || keys.count == 3 else { return nil }
        if let relationship = entity.toMany(keys[0]) {
            if keys.count == 2, keys[1] == "@count" { return .count(relationship) }
            guard keys.count == 3, let at = keys[1...].firstIndex(of: "@sum") else { return nil }
            guard let column = relationship.destination.attribute(keys[3 - at])?.column else { return nil }
            return .sum(relationship, column)
        }
        guard keys.count == 2, let relationship = entity.toOne(keys[0]),
            let column = relationship.destination.attribute(keys[1])?.column
        else { return nil }
        return .key(relationship, column)
    }
}
