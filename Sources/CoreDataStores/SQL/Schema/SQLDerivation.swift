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

    /// Finds the columns of a derivation of `entity`. A relationship without columns is read when its object is saved.
    init(_ derivation: Derivation, in entity: SQLEntity) {
        let maintained: SQLDerivation? =
            switch derivation.form {
            case .count(let relationship): entity.toMany(relationship.name).map { .count($0) }
            case .sum(let relationship, let attribute):
                entity.toMany(relationship.name).flatMap { members in
                    members.destination.attribute(attribute.name).map { .sum(members, $0.column) }
                }
            case .related(let relationship, let attribute):
                entity.toOne(relationship.name).flatMap { related in
                    related.destination.attribute(attribute.name).map { .key(related, $0.column) }
                }
            case .own, .unsupported: nil
            }
        self = maintained ?? .computedOnSave(derivation.expression)
    }
}
