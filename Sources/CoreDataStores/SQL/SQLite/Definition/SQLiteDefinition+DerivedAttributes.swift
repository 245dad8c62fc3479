// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Triggers that maintain derived attributes.
extension SQLiteDefinition {
    /// The triggers of the derived attributes that an entity declares, without the inherited ones.
    func derivedAttributeTriggers(of entity: SQLEntity) -> [String] {
        entity.declaredAttributes.flatMap { attribute -> [String] in
            guard let derivation = attribute.derivation else { return [] }
            let writer = DerivedTriggerWriter(entity: entity, attribute: attribute)
            switch derivation {
            case .count(let relationship): return writer.count(relationship)
            case .sum(let relationship, let column): return writer.sum(relationship, column)
            case .key(let relationship, let column): return writer.key(relationship, column)
            case .computedOnSave: return []
            }
        }
    }
}

extension SQLiteDefinition {
    /// The value of a derived attribute that triggers maintain, for the row `S`; nil for other attributes.
    static func derivedValue(_ derivation: SQLDerivation) -> String? {
        func members(_ relationship: SQLToMany) -> String {
            switch relationship.storage {
            case .foreignKey(let key):
                return "R.\(SQLiteText.identifier(key.column.name)) = S.Z_PK"
            case .join(let join):
                let (table, owner) = (SQLiteText.identifier(join.table.name), SQLiteText.identifier(join.ownerColumn))
                let content = SQLiteText.identifier(join.contentColumn)
                return "R.Z_PK IN (SELECT \(content) FROM \(table) WHERE \(owner) = S.Z_PK)"
            }
        }
        switch derivation {
        case .count(let relationship):
            let table = SQLiteText.identifier(relationship.destination.tableName)
            return "(SELECT COUNT(*) FROM \(table) AS R WHERE \(members(relationship)))"
        case .sum(let relationship, let column):
            let table = SQLiteText.identifier(relationship.destination.tableName)
            let name = SQLiteText.identifier(column.name)
            return "(SELECT IFNULL(SUM(R.\(name)), 0) FROM \(table) AS R WHERE \(members(relationship)))"
        case .key(let relationship, let column):
            let table = SQLiteText.identifier(relationship.destination.tableName)
            let key = SQLiteText.identifier(relationship.column.name)
            return "(SELECT R.\(SQLiteText.identifier(column.name)) FROM \(table) AS R WHERE R.Z_PK = S.\(key))"
        case .computedOnSave:
            return nil
        }
    }
}

/// Writes the triggers of one derived attribute. `S` is the table with the attribute `A`, `R` the related one.
private struct DerivedTriggerWriter {
    private enum Callback: String {
        case updated = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
        case inserted = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    }

    private let entityName: String
    private let property: String
    private let sourceName: String
    private let S: String
    private let A: String

    init(entity: SQLEntity, attribute: SQLAttribute) {
        entityName = entity.name
        property = attribute.description.name
        sourceName = entity.tableName
        S = SQLiteText.identifier(entity.tableName)
        A = SQLiteText.identifier(attribute.column.name)
    }

    /// A trigger that sets the attribute in rows, and notifies the framework's connection of them.
    private func trigger(
        on table: String, _ suffix: String, _ event: String, when condition: String? = nil,
        set value: String, where rows: String, _ callback: Callback
    ) -> String {
        let name = SQLiteText.identifier("Z_DA_\(table)_\(entityName)_\(property)_\(suffix)")
        let guardClause = condition.map { "WHEN (\($0)) " } ?? ""
        let call =
            "\(callback.rawValue)(\(SQLiteText.string(sourceName)), Z_ENT, Z_PK, \(SQLiteText.string(property)), \(A))"
        return
            "CREATE TRIGGER \(name) AFTER \(event) ON \(SQLiteText.identifier(table)) FOR EACH ROW \(guardClause)BEGIN "
            + "UPDATE \(S) SET \(A) = \(value) WHERE \(rows); SELECT \(call) FROM \(S) WHERE \(rows); END"
    }

    func count(_ relationship: SQLToMany) -> [String] {
        switch relationship.storage {
        case .foreignKey(let key):
            let table = relationship.destination.tableName
            let K = SQLiteText.identifier(key.column.name)
            let new = "NEW.\(K) NOT NULL"
            let old = "OLD.\(K) NOT NULL"
            let source = trigger(
                on: sourceName, "SOURCE_INSERT", "INSERT",
                set: "(SELECT IFNULL(COUNT(\(K)), 0) FROM \(SQLiteText.identifier(table)) WHERE \(K) = NEW.Z_PK)",
                where: "Z_PK = NEW.Z_PK", .inserted)
            let parameter = [
                trigger(
                    on: table, "PARAMETER_INSERT", "INSERT", when: new, set: "IFNULL(\(A), 0) + 1",
                    where: "Z_PK = NEW.\(K)", .updated),
                trigger(
                    on: table, "PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(K)", when: new, set: "\(A) + 1",
                    where: "Z_PK = NEW.\(K)", .updated),
                trigger(
                    on: table, "PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(K)", when: old, set: "\(A) - 1",
                    where: "Z_PK = OLD.\(K)", .updated),
                trigger(
                    on: table, "PARAMETER_DELETE", "DELETE", when: old, set: "\(A) - 1",
                    where: "Z_PK = OLD.\(K)", .updated),
            ]
            // SQLite runs the trigger that was made first after all other triggers. It counts a new row that is its own
            // member, and no other trigger counts this row once more.
            return table == sourceName ? [source] + parameter : parameter + [source]
        case .join(let join):
            // Apple's text for join tables is unknown. Each change counts all rows: duplicate rows have no effect.
            let table = join.table.name
            let K = SQLiteText.identifier(join.ownerColumn)
            func counted(_ key: String) -> String {
                "(SELECT COUNT(*) FROM \(SQLiteText.identifier(table)) WHERE \(K) = \(key))"
            }
            return recomputed(on: table, key: K, observed: [K], rowsOf: counted)
        }
    }

    func sum(_ relationship: SQLToMany, _ column: SQLColumn) -> [String] {
        let C = SQLiteText.identifier(column.name)
        let R = SQLiteText.identifier(relationship.destination.tableName)
        switch relationship.storage {
        case .foreignKey(let key):
            let K = SQLiteText.identifier(key.column.name)
            return recomputed(on: relationship.destination.tableName, key: K, observed: [K, C]) { owner in
                "(SELECT IFNULL(SUM(\(C)), 0) FROM \(R) WHERE \(K) = \(owner))"
            }
        case .join(let join):
            let (J, K) = (SQLiteText.identifier(join.table.name), SQLiteText.identifier(join.ownerColumn))
            let content = SQLiteText.identifier(join.contentColumn)
            func summed(_ owner: String) -> String {
                """
                (SELECT IFNULL(SUM(\(C)), 0) FROM \(R) WHERE Z_PK IN (SELECT \(content) FROM \(J) WHERE \(K) = \
                \(owner)))
                """
            }
            let changed = trigger(
                on: relationship.destination.tableName, "PARAMETER_UPDATE", "UPDATE OF \(C)", set: summed("\(S).Z_PK"),
                where: "Z_PK IN (SELECT \(K) FROM \(J) WHERE \(content) = NEW.Z_PK)", .updated)
            return recomputed(on: join.table.name, key: K, observed: [K], rowsOf: summed) + [changed]
        }
    }

    /// Triggers that compute the value again, for the old and the new owner of a changed row.
    private func recomputed(
        on table: String, key K: String, observed: [String], rowsOf value: (String) -> String
    ) -> [String] {
        let update = "UPDATE OF \(observed.joined(separator: ", "))"
        func parameter(_ suffix: String, _ event: String, _ row: String) -> String {
            trigger(
                on: table, "PARAMETER_\(suffix)", event, when: "\(row).\(K) NOT NULL", set: value("\(row).\(K)"),
                where: "Z_PK = \(row).\(K)", .updated)
        }
        return [
            parameter("INSERT", "INSERT", "NEW"), parameter("UPDATE_INCREMENT", update, "NEW"),
            parameter("UPDATE_DECREMENT", update, "OLD"), parameter("DELETE", "DELETE", "OLD"),
            trigger(
                on: sourceName, "SOURCE_INSERT", "INSERT", set: value("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK", .inserted),
        ]
    }

    func key(_ relationship: SQLToOne, _ column: SQLColumn) -> [String] {
        let (K, C) = (SQLiteText.identifier(relationship.column.name), SQLiteText.identifier(column.name))
        let table = relationship.destination.tableName
        let related = "(SELECT \(C) FROM \(SQLiteText.identifier(table)) WHERE Z_PK = NEW.\(K))"
        return [
            trigger(on: sourceName, "SOURCE_INSERT", "INSERT", set: related, where: "Z_PK = NEW.Z_PK", .inserted),
            trigger(
                on: sourceName, "SOURCE_UPDATE", "UPDATE OF \(K)", set: related, where: "Z_PK = NEW.Z_PK", .updated),
            trigger(on: table, "PARAMETER_INSERT", "INSERT", set: "NEW.\(C)", where: "\(K) = NEW.Z_PK", .inserted),
            trigger(
                on: table, "PARAMETER_UPDATE", "UPDATE OF \(C)", set: "NEW.\(C)", where: "\(K) = NEW.Z_PK", .updated),
        ]
    }
}
