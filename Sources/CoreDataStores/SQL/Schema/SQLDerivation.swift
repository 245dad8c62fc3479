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

    /// The value for the row `S`, as triggers maintain it; nil if the save computes it.
    ///
    /// - Parameter table: the name of a table as it stands in statements.
    package func value(table: (String) -> String) -> String? {
        let column = SQLGenerator.identifier
        func rows(_ relationship: SQLToMany) -> String {
            let rows = table(relationship.destination.tableName) + " AS R"
            switch relationship.storage {
            case .foreignKey(let key): return "\(rows) WHERE R.\(column(key.column.name)) = S.Z_PK"
            case .join(let join):
                return """
                    \(rows) JOIN \(table(join.table.name)) AS J ON J.\(column(join.contentColumn)) = R.Z_PK \
                    WHERE J.\(column(join.ownerColumn)) = S.Z_PK
                    """
            }
        }
        switch self {
        case .count(let relationship): return "(SELECT COUNT(*) FROM \(rows(relationship)))"
        case .sum(let relationship, let summed):
            let name = "R.\(column(summed.name))"
            // PostgreSQL adds numbers of single precision in single precision.
            let number = summed.kind == .float ? "CAST(\(name) AS DOUBLE PRECISION)" : name
            return "(SELECT COALESCE(SUM(\(number)), 0) FROM \(rows(relationship)))"
        case .key(let relationship, let related):
            return """
                (SELECT R.\(column(related.name)) FROM \(table(relationship.destination.tableName)) AS R \
                WHERE R.Z_PK = S.\(column(relationship.column.name)))
                """
        case .computedOnSave: return nil
        }
    }
}
