import CoreData

/// The rows of a store's file in the terms of the reference.
struct StoredRows {
    struct Item {
        let entity: String
        let version: Int64
        let values: [String: ReferenceValue]
        /// The foreign keys of to-one relationships, as numbers.
        let references: [String: Int]
    }

    private(set) var items: [Int: Item] = [:]
    /// The members of to-many relationships that have their own tables or columns, in the order of their keys if they
    /// have one.
    private(set) var members: [String: [Int: [Int]]] = [:]

    init() {}

    init(_ file: SQLiteFile) throws {
        let entities = Dictionary(
            uniqueKeysWithValues: try file.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY").map {
                ($0["Z_ENT"]!, $0["Z_NAME"]!.text!)
            })
        let rows = try file.rows("SELECT * FROM ZITEM")
        let numbers = Dictionary(
            uniqueKeysWithValues: rows.map { ($0["Z_PK"]!.integer!, Int($0["ZNUMBER"]!.integer!)) })
        let toOne = RandomSchema.relationships.filter { !$0.isToMany }
        for row in rows {
            var values: [String: ReferenceValue] = [:]
            var references: [String: Int] = [:]
            for name in ["title", "name", "small", "middle", "real", "date"] {
                values[name] = Self.value(row["Z\(name.uppercased())"]!, RandomSchema.attribute(name).type)
            }
            for relationship in toOne {
                guard let key = row["Z\(relationship.name.uppercased())"]?.integer else { continue }
                guard let number = numbers[key] else {
                    throw TestFailure(
                        "\(relationship.name) of row \(row["Z_PK"]!) leads to row \(key), which isn't there")
                }
                references[relationship.name] = number
            }
            items[Int(row["ZNUMBER"]!.integer!)] = Item(
                entity: entities[row["Z_ENT"]!] ?? "?", version: row["Z_OPT"]!.integer ?? 0, values: values,
                references: references)
        }
        readOrder(rows, numbers)
        for relationship in RandomSchema.relationships where relationship.isToMany {
            try readJoin(relationship, file, numbers)
        }
        try readWishes(rows, numbers)
        if let maximum = numbers.keys.max(),
            let counted = try file.rows("SELECT MAX(Z_MAX) AS M FROM Z_PRIMARYKEY")[0]["M"]?.integer, counted < maximum
        {
            throw TestFailure("Z_MAX is \(counted), but there is a row \(maximum)")
        }
    }

    private static func value(_ value: SQLiteFile.Value, _ type: NSAttributeType) -> ReferenceValue {
        switch value {
        case .null, .bytes: .none
        // SQLite keeps whole numbers as integers where a column's affinity lets it.
        case .integer(let value):
            type == .doubleAttributeType || type == .dateAttributeType ? .real(Double(value)) : .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .text(value)
        }
    }

    /// `contents`, by the order keys beside the foreign keys.
    private mutating func readOrder(_ rows: [SQLiteFile.Row], _ numbers: [Int64: Int]) {
        var places: [Int: [(place: Int64, number: Int)]] = [:]
        for row in rows {
            guard let holder = row["ZHOLDER"]?.integer, let owner = numbers[holder] else { continue }
            places[owner, default: []].append((row["Z_FOK_HOLDER"]?.integer ?? -1, Int(row["ZNUMBER"]!.integer!)))
        }
        members["contents"] = places.mapValues { $0.sorted { $0.place < $1.place }.map(\.number) }
    }

    private mutating func readJoin(
        _ relationship: RandomSchema.Relationship, _ file: SQLiteFile, _ numbers: [Int64: Int]
    ) throws {
        guard let inverse = relationship.inverse, RandomSchema.relationship(inverse).isToMany else { return }
        for table in try file.tables() where table.hasPrefix("Z_") {
            let columns = try file.columns(of: table)
            func column(_ name: String) -> String? {
                columns.first { $0.hasPrefix("Z_") && !$0.hasPrefix("Z_FOK") && Self.stem($0) == name.uppercased() }
            }
            let isReflexive = inverse == relationship.name
            guard let member = column(relationship.name),
                let owner = isReflexive ? columns.first(where: { $0 == "REFLEXIVE" }) : column(inverse)
            else { continue }
            let order = columns.first { $0.hasPrefix("Z_FOK") && $0.hasSuffix(member.dropFirst(2)) }
            var found: [Int: [Int]] = [:]
            for row in try file.rows("SELECT * FROM \(table)\(order.map { " ORDER BY \($0)" } ?? "")") {
                guard let owner = numbers[row[owner]!.integer!], let member = numbers[row[member]!.integer!] else {
                    throw TestFailure("a row of \(table) leads to a row that isn't there: \(row)")
                }
                found[owner, default: []].append(member)
            }
            members[relationship.name] = found
            return
        }
        throw TestFailure("\(relationship.name) has no table")
    }

    /// `Z_2TAGS` and `Z_2TAGS1` without what makes them unique.
    private static func stem(_ column: String) -> String {
        String(column.dropFirst(2).drop(while: \.isNumber).reversed().drop(while: \.isNumber).reversed())
    }

    /// A relationship without inverse: a key in the members' rows.
    private mutating func readWishes(_ rows: [SQLiteFile.Row], _ numbers: [Int64: Int]) throws {
        var found: [Int: [Int]] = [:]
        for row in rows {
            guard let column = row.keys.first(where: { $0.hasSuffix("WISHES") && !$0.contains("_") }) else {
                throw TestFailure("wishes has no column")
            }
            guard let key = row[column]?.integer else { continue }
            guard let owner = numbers[key] else {
                throw TestFailure("\(column) of row \(row["Z_PK"]!) leads to row \(key), which isn't there")
            }
            found[owner, default: []].append(Int(row["ZNUMBER"]!.integer!))
        }
        members["wishes"] = found
    }
}
