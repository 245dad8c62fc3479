// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The numbers that a file gives to entities, from `Z_PRIMARYKEY`: the one place that finds a number for an entity.
///
/// Stores of Apple's framework and of this library number the entities in the model's order. Other programs leave files
/// with other numbers, for instance when they give a damaged store the metadata of a fresh one.
struct SQLiteEntityNumbers {
    /// The numbers that entities of a program can have. The entities of the history, which every file has, have greater
    /// numbers.
    static let range = 1...16000
    /// The key of the entity in the error about a file whose numbers contradict each other.
    static let entityKey = "entity"

    private let path: String
    private let records: [(number: Int64, name: String)]

    /// Reads the numbers.
    ///
    /// - Parameter tables: the tables of the file.
    init(of connection: SQLiteConnection, tables: [String: [String]]) throws {
        path = connection.path
        let columns = tables.first { $0.key.uppercased() == "Z_PRIMARYKEY" }?.value.map { $0.uppercased() } ?? []
        guard columns.contains("Z_ENT"), columns.contains("Z_NAME") else {
            records = []
            return
        }
        let statement = try connection.statement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
        defer { statement.reset() }
        var found: [(Int64, String)] = []
        while try statement.step() {
            let number = statement.int64(at: 0)
            guard SQLiteHistoryTables.Entity(rawValue: number) == nil, let name = statement.text(at: 1) else {
                continue
            }
            found.append((number, name))
        }
        records = found
    }

    /// The numbers of the entities of a schema in this file; nil if the schema has the same numbers.
    ///
    /// An entity that the file doesn't name has its number in the model's order: Apple's migrations leave the old name
    /// of a renamed entity.
    ///
    /// - Parameter schema: a schema with the numbers of the model's order.
    /// - Throws: 259 for a number or a name that the file has twice, and for a number that no entity can have.
    func numbers(for schema: SQLSchema) throws -> StoredEntityNumbers? {
        // The usual case: the file has exactly these numbers.
        let known = records.count { schema.entity(number: Int(truncatingIfNeeded: $0.number))?.name == $0.name }
        if known == records.count, known == schema.entities.count { return nil }
        var byName: [String: Int] = [:]
        var names: [Int: String] = [:]
        for (number, name) in records where schema.entitiesByName[name] != nil {
            guard let number = Int(exactly: number), Self.range.contains(number) else {
                throw damage(name, "gives \(name) the number \(number), which no entity can have.")
            }
            if let other = byName.updateValue(number, forKey: name) {
                throw damage(name, "has two numbers for \(name), \(min(other, number)) and \(max(other, number)).")
            }
            names[number] = name
        }
        if byName.allSatisfy({ schema.entitiesByName[$0]?.number == $1 }) { return nil }
        for entity in schema.entities where byName[entity.name] == nil {
            if let other = names[entity.number] {
                throw damage(
                    entity.name,
                    "doesn\u{2019}t have \(entity.name), and gives its number, \(entity.number), to \(other).")
            }
            byName[entity.name] = entity.number
        }
        return StoredEntityNumbers(byName: byName, highest: Self.range.upperBound)
    }

    /// Whether an entity has another number than in the schema of the open file.
    func differ(from schema: SQLSchema) -> Bool {
        records.contains { record in
            schema.entitiesByName[record.name].map { Int64($0.number) != record.number } ?? false
        }
    }

    private func damage(_ entity: String, _ finding: String) -> NSError {
        SQLiteErrors.storeError(
            SQLiteErrors.fileReadCorrupt, path: path, reason: "Z_PRIMARYKEY \(finding)",
            suggestion: """
                Restore the file from a backup, or correct the table: each entity has one number, the Z_ENT of its rows.
                """,
            userInfo: [Self.entityKey: entity])
    }
}

extension SQLSchema {
    /// The schema with the names of tables and columns, and the numbers of entities, that a file has.
    ///
    /// - Parameters:
    ///   - tables: the tables of the file.
    ///   - numbers: the numbers of the file.
    /// - Throws: 259 for numbers that contradict each other.
    func resolved(withFile tables: [String: [String]], _ numbers: SQLiteEntityNumbers) throws -> SQLSchema {
        let existing = SQLExistingTables(columnsByTable: tables)
        guard var stored = try numbers.numbers(for: self) else { return try resolved(with: existing) }
        let schema = try resolved(with: existing, stored)
        if schema.missingParts(inFile: tables).isEmpty { return schema }
        // A program that has changed the numbers of the rows need not have renamed tables and columns.
        stored.areInRowsOnly = true
        let other = try resolved(with: existing, stored)
        return other.missingParts(inFile: tables).isEmpty ? other : schema
    }
}
