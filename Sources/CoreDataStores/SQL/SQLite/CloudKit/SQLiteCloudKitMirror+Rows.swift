// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The rules about the other tables: their references to one another, leftovers, and keys.
extension SQLiteCloudKitMirror {
    /// The zone that Apple's framework makes for each mirrored store.
    private static let usualZone = "com.apple.coredata.cloudkit.zone"
    /// The ends of the names of tables with assets of other tables. The owner refers to them by a column of this name.
    private static let assets = ["SYSTEMFIELDSASSET", "ENCODEDRECORDASSET", "ENCODEDSHAREASSET"]

    /// A column that refers to rows of another table of the mirror.
    private struct Reference {
        let table: Table
        let column: String
        let target: Table
    }

    /// The references. The columns of relationships are named after them, as in all tables of Core Data.
    private var references: [Reference] {
        tables.values.sorted { $0.key < $1.key }.flatMap { table in
            table.columns.sorted { $0.key < $1.key }.compactMap { name, column in
                guard name.hasPrefix("Z"), let key = Self.target(of: String(name.dropFirst()), in: table.key),
                    key != table.key, let target = tables[key]
                else { return nil }
                return Reference(table: table, column: SQLiteText.identifier(column), target: target)
            }
        }
    }

    /// The table to which a relationship of a table refers.
    private static func target(of name: String, in table: String) -> String? {
        switch name {
        case "RECORDZONE": zones
        case "DATABASE": databases
        case "RECORDMETADATA": records
        case "MIRROREDRELATIONSHIP", "EXPORTMETADATA": prefix + name
        case "OPERATION": table.hasPrefix("ANSCKIMPORT") ? "ANSCKIMPORTOPERATION" : "ANSCKEXPORTOPERATION"
        default: assets.contains(name) ? table + name : nil
        }
    }

    /// The rules, in the order in which they are mended.
    func rowRules() throws -> [SQLiteCloudKitRule] {
        let references = references
        return try references.map(danglingRule) + pendingRelationshipRules(references) + assetRules(references)
            + zoneRules(references) + entryRules
    }

    // MARK: References

    private func danglingRule(_ reference: Reference) throws -> SQLiteCloudKitRule {
        let keys = "SELECT Z_PK FROM \(reference.target.sql) WHERE Z_PK IS NOT NULL"
        var rule = SQLiteCloudKitRule(
            kind: .danglingReference, table: reference.table,
            condition: "R.\(reference.column) IS NOT NULL AND R.\(reference.column) NOT IN (\(keys))",
            detail: "\(reference.column) in \(reference.target.name)")
        // Records and zones are more than their references: a record has the name of its object.
        guard [Self.records, Self.zones].contains(reference.table.key) else { return rule }
        let only = try connection.integer("SELECT MIN(Z_PK) FROM \(reference.target.sql) HAVING COUNT(*) = 1")
        let isShared = [Self.zones, Self.databases].contains(reference.target.key)
        rule.mending = .set(column: reference.column, isShared ? only.map(SQLValue.integer) ?? .null : .null)
        return rule
    }

    /// The pending relationships that name no import, or no record.
    private func pendingRelationshipRules(_ references: [Reference]) -> [SQLiteCloudKitRule] {
        guard let table = tables[Self.pendingRelationships] else { return [] }
        var conditions = references.filter { $0.table.key == table.key && $0.target.key.hasSuffix("OPERATION") }
            .map { "R.\($0.column) IS NULL" }
        let names = table.columns.filter { $0.key.hasSuffix("RECORDNAME") }.map { SQLiteText.identifier($0.value) }
        if !names.isEmpty { conditions.append(names.sorted().map { "R.\($0) IS NULL" }.joined(separator: " AND ")) }
        guard !conditions.isEmpty else { return [] }
        return [
            SQLiteCloudKitRule(
                kind: .emptyPendingRelationship, table: table,
                condition: conditions.map { "(\($0))" }.joined(separator: " OR "))
        ]
    }

    // MARK: Leftovers

    /// The assets that no row of their owner's table refers to, and that refer to none.
    private func assetRules(_ references: [Reference]) -> [SQLiteCloudKitRule] {
        references.filter { reference in Self.assets.contains { reference.target.key.hasSuffix($0) } }.map {
            reference in
            let inverse = references.first {
                $0.table.key == reference.target.key && $0.target.key == reference.table.key
            }
            let used = "SELECT \(reference.column) FROM \(reference.table.sql) WHERE \(reference.column) IS NOT NULL"
            return SQLiteCloudKitRule(
                kind: .unusedAsset, table: reference.target,
                condition: "(R.Z_PK IS NULL OR R.Z_PK NOT IN (\(used)))"
                    + (inverse.map { " AND R.\($0.column) IS NULL" } ?? ""))
        }
    }

    private func zoneRules(_ references: [Reference]) -> [SQLiteCloudKitRule] {
        let used = references.filter { $0.target.key == Self.zones && !$0.table.key.hasPrefix(Self.zones) }
        guard let table = tables[Self.zones], let name = table.column("ZCKRECORDZONENAME"),
            used.contains(where: { $0.table.key == Self.records })
        else { return [] }
        let conditions = used.map { reference in
            "(R.Z_PK IS NULL OR R.Z_PK NOT IN (SELECT \(reference.column) FROM \(reference.table.sql) "
                + "WHERE \(reference.column) IS NOT NULL))"
        }
        return [
            SQLiteCloudKitRule(
                kind: .unusedZone, table: table,
                condition: "R.\(name) IS NOT ? AND " + conditions.joined(separator: " AND "),
                values: [.text(Self.usualZone)])
        ]
    }

    private var entryRules: [SQLiteCloudKitRule] {
        guard let table = tables[Self.entries], let key = table.column("ZKEY") else { return [] }
        let changes = table.column("Z_OPT").map { "N.\($0) DESC, " } ?? ""
        return [
            SQLiteCloudKitRule(
                kind: .repeatedEntry, table: table,
                condition: "R.\(key) IS NULL OR " + Self.isBehind(table, "N.\(key)", "\(changes)N.rowid", "1"))
        ]
    }

    // MARK: Highest keys

    /// The tables with a greater key than `Z_PRIMARYKEY` has for them, and both keys.
    func lowHighestKeys() throws -> [(table: Table, highest: Int64, known: Int64)] {
        let columns = try connection.tables().first { $0.key.uppercased() == "Z_PRIMARYKEY" }?.value ?? []
        guard Set(columns.map { $0.uppercased() }).isSuperset(of: ["Z_NAME", "Z_MAX"]) else { return [] }
        return try tables.values.sorted { $0.key < $1.key }.compactMap { table in
            let highest = "SELECT MAX(Z_PK) FROM \(table.sql) WHERE typeof(Z_PK) = 'integer'"
            guard let highest = try connection.integer(highest),
                let known = try connection.integer(
                    "SELECT MAX(IFNULL(Z_MAX, 0)) FROM Z_PRIMARYKEY WHERE UPPER('A' || Z_NAME) = ?",
                    [.text(table.key)]),
                known < highest
            else { return nil }
            return (table, highest, known)
        }
    }

    func setHighestKey(_ highest: Int64, of table: Table) throws {
        try connection.run(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE UPPER('A' || Z_NAME) = ?", [.integer(highest), .text(table.key)])
    }
}
