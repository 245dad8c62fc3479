// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The rules about records: each belongs to one object, and each object has one.
extension SQLiteCloudKitMirror {
    /// The rules, in the order in which they are mended.
    var recordRules: [SQLiteCloudKitRule] {
        guard let table = recordTable, let entity = table.column("ZENTITYID"), let key = table.column("ZENTITYPK")
        else { return [] }
        var rules = [
            SQLiteCloudKitRule(
                kind: .unreadableRecord, table: table,
                condition: "typeof(R.\(entity)) <> 'integer' OR typeof(R.\(key)) <> 'integer'")
        ]
        if let schema {
            let numbers = schema.entities.map { SQLValue.integer(Int64($0.number)) }
            rules.append(
                SQLiteCloudKitRule(
                    kind: .recordOfUnknownEntity, table: table,
                    condition: """
                        typeof(R.\(entity)) = 'integer' AND typeof(R.\(key)) = 'integer' \
                        AND R.\(entity) NOT IN (\(Self.places(numbers.count)))
                        """,
                    values: numbers))
            let orphans = orphans(table, schema)
            rules.append(
                SQLiteCloudKitRule(
                    kind: .recordWithoutObject, table: table,
                    condition: "(\(orphans.condition)) AND NOT (\(isPending("R", table)))", values: orphans.values))
            rules += schema.tables.map { repeatedRecords(table, entity, key, of: $0) }
        }
        if let name = table.column("ZCKRECORDNAME") { rules.append(repeatedNames(table, name)) }
        return rules
    }

    /// The rows whose object the store doesn't have, of all entities of the schema.
    private func orphans(_ table: Table, _ schema: SQLSchema) -> (condition: String, values: [SQLValue]) {
        var (conditions, values): ([String], [SQLValue]) = ([], [])
        for objects in schema.tables {
            let one = isOf(objects, "R", table)
            conditions.append(
                "\(one.condition) AND R.\(column("ZENTITYPK", table)) NOT IN "
                    + "(SELECT Z_PK FROM \(SQLiteText.identifier(objects.name)))")
            values += one.values
        }
        return (conditions.map { "(\($0))" }.joined(separator: " OR "), values)
    }

    /// The condition that a record is of an object of a table. Its number may be that of the object's entity, or of
    /// another one of the hierarchy: their objects share the keys.
    func isOf(_ objects: SQLTable, _ row: String, _ table: Table) -> (condition: String, values: [SQLValue]) {
        let numbers = objects.entities.map { SQLValue.integer(Int64($0.number)) }
        let (entity, key) = (column("ZENTITYID", table), column("ZENTITYPK", table))
        return (
            "typeof(\(row).\(key)) = 'integer' AND typeof(\(row).\(entity)) = 'integer' "
                + "AND \(row).\(entity) IN (\(Self.places(numbers.count)))",
            numbers
        )
    }

    /// A column that the table has: ``foreign`` has tables without it.
    private func column(_ name: String, _ table: Table) -> String { table.column(name) ?? name }

    /// The condition that a deletion waits for CloudKit, or for the store.
    private func isPending(_ row: String, _ table: Table) -> String {
        let flags = ["ZNEEDSCLOUDDELETE", "ZNEEDSLOCALDELETE"].compactMap(table.column)
        return flags.isEmpty ? "0" : flags.map { "IFNULL(\(row).\($0), 0) <> 0" }.joined(separator: " OR ")
    }

    /// The records of an object apart from the best one.
    private func repeatedRecords(
        _ table: Table, _ entity: String, _ key: String, of objects: SQLTable
    ) -> SQLiteCloudKitRule {
        let one = isOf(objects, "N", table)
        let name = SQLiteText.identifier(objects.name)
        let order = [
            "((SELECT O.Z_ENT FROM \(name) AS O WHERE O.Z_PK = N.\(key) LIMIT 1) IS N.\(entity)) DESC",
            table.column("ZCKRECORDNAME").map { "(N.\($0) IS NULL)" }, "N.rowid",
        ].compactMap { $0 }.joined(separator: ", ")
        return SQLiteCloudKitRule(
            kind: .repeatedRecord, table: table,
            condition: Self.isBehind(table, "N.\(key)", order, one.condition), values: one.values)
    }

    /// The records with the name of an older one in the same zone. A record whose deletion is pending comes behind.
    private func repeatedNames(_ table: Table, _ name: String) -> SQLiteCloudKitRule {
        let zone = table.column("ZRECORDZONE").map { ", N.\($0)" } ?? ""
        return SQLiteCloudKitRule(
            kind: .repeatedRecordName, table: table,
            condition: Self.isBehind(
                table, "N.\(name)\(zone)", "(\(isPending("N", table))), N.rowid", "N.\(name) IS NOT NULL"))
    }

    /// The condition that a row isn't the first one of those with equal values.
    static func isBehind(_ table: Table, _ values: String, _ order: String, _ condition: String) -> String {
        """
        R.rowid IN (SELECT number FROM (SELECT N.rowid AS number, \
        ROW_NUMBER() OVER (PARTITION BY \(values) ORDER BY \(order)) AS place \
        FROM \(table.sql) AS N WHERE \(condition)) WHERE place > 1)
        """
    }

    // MARK: Rows that wait

    /// Rules whose rows are no mistakes.
    var waitingRules: [SQLiteCloudKitRule] {
        guard let table = recordTable else { return [] }
        var rules: [SQLiteCloudKitRule] = []
        if let schema {
            let orphans = orphans(table, schema)
            rules.append(
                SQLiteCloudKitRule(
                    kind: .pendingDeletion, table: table,
                    condition: "(\(orphans.condition)) AND (\(isPending("R", table)))", values: orphans.values))
        }
        if let name = table.column("ZCKRECORDNAME") {
            rules.append(
                SQLiteCloudKitRule(kind: .unnamedRecord, table: table, condition: "R.\(name) IS NULL"))
        }
        return rules
    }

    /// The objects that have no record, by entities.
    func objectsWithoutRecord() throws -> [CloudKitFinding] {
        guard let table = recordTable, let schema else { return [] }
        return try schema.tables.flatMap { objects in
            let one = isOf(objects, "N", table)
            let source = """
                FROM \(SQLiteText.identifier(objects.name)) AS R WHERE R.Z_PK NOT IN \
                (SELECT N.\(column("ZENTITYPK", table)) FROM \(table.sql) AS N WHERE \(one.condition))
                """
            let counts = try connection.uncachedStatement("SELECT R.Z_ENT, COUNT(*) \(source) GROUP BY R.Z_ENT")
            try counts.bind(one.values)
            var findings: [CloudKitFinding] = []
            while try counts.step() {
                let (number, count) = (counts.int64(at: 0), counts.int64(at: 1))
                let keys = try connection.uncachedStatement(
                    "SELECT R.Z_PK \(source) AND R.Z_ENT IS ? ORDER BY R.Z_PK LIMIT ?")
                try keys.bind(one.values + [counts.value(at: 0), .integer(Int64(SQLiteStoreCheck.keyLimit))])
                let entity = entityName(number)
                var examples: [CloudKitFinding.Example] = []
                while try keys.step() {
                    let key = keys.int64(at: 0)
                    examples.append(
                        CloudKitFinding.Example(row: key, entityNumber: number, entity: entity, primaryKey: key))
                }
                findings.append(
                    CloudKitFinding(
                        kind: .objectWithoutRecord, table: objects.name, count: Int(clamping: count),
                        examples: examples, detail: entity ?? "entity \(number)"))
            }
            return findings
        }
    }
}
