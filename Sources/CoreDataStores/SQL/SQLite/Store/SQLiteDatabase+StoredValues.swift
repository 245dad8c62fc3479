// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Finds values of the wrong storage class, which SQLite allows in each column, and names of missing files. A value of
/// another class isn't wrong if it can be converted without loss, such as the text of a number.
extension SQLiteDatabase {
    /// SQLite limits the columns of a result and the depth of a condition.
    private static let columnsOfStatement = 100
    private static let keysOfStatement = 500

    /// The problems of the objects of an entity and its subentities, in no order.
    ///
    /// - Parameter keys: the primary keys of the objects to examine; nil for all.
    package func valueProblems(_ layout: EntityLayout, keys: [Int64]? = nil) throws -> [StoredValueProblem] {
        guard let keys else { return try valueProblems(layout, ofKeys: nil) }
        return try stride(from: 0, to: keys.count, by: Self.keysOfStatement).flatMap { start in
            try valueProblems(layout, ofKeys: keys[start..<min(start + Self.keysOfStatement, keys.count)])
        }
    }

    private func valueProblems(_ layout: EntityLayout, ofKeys keys: ArraySlice<Int64>?) throws -> [StoredValueProblem] {
        try withOpen { open in
            let entity = try open.plans.entity(layout)
            var columns: [StoredValueColumn] = []
            var known: Set<String> = []
            for member in entity.numbers.compactMap({ open.plans.mapping.layout(entity: Int64($0)) }) {
                let found = try open.plans.entity(member).properties.flatMap {
                    StoredValueColumn.columns(of: $1, path: $0)
                }
                columns += found.filter { known.insert($0.name).inserted }
            }
            return try stride(from: 0, to: columns.count, by: Self.columnsOfStatement).flatMap { start in
                let part = columns[start..<min(start + Self.columnsOfStatement, columns.count)]
                return try valueProblems(of: Array(part), entity, keys, open)
            }
        }
    }

    private func valueProblems(
        of columns: [StoredValueColumn], _ entity: SQLEntity, _ keys: ArraySlice<Int64>?, _ open: SQLiteSession
    ) throws -> [StoredValueProblem] {
        let range = keys.map { "Z_PK IN (\($0.map { _ in "?" }.joined(separator: ", "))) AND " } ?? ""
        let numbers = entity.numbers.map { _ in "?" }.joined(separator: ", ")
        let statement = try open.connection.uncachedStatement(
            """
            SELECT Z_PK, Z_ENT, \(columns.flatMap { [$0.wrongClass, $0.detail] }.joined(separator: ", "))
            FROM \(SQLiteText.identifier(entity.tableName)) WHERE \(range)Z_ENT IN (\(numbers))
            AND (\(columns.map(\.condition).joined(separator: " OR ")))
            """)
        try statement.bind((Array(keys ?? []) + entity.numbers.map { Int64($0) }).map { .integer($0) })
        defer { statement.reset() }
        var problems: [StoredValueProblem] = []
        while try statement.step() {
            let name = open.plans.mapping.layout(entity: statement.int64(at: 1))?.name ?? entity.name
            for (index, column) in columns.enumerated() {
                let position = Int32(2 + 2 * index)
                let finding =
                    statement.text(at: position).map(column.finding)
                    ?? statement.data(at: position + 1).flatMap { column.finding(detail: $0, open.file.externalData) }
                guard let finding else { continue }
                problems.append(
                    StoredValueProblem(
                        entityName: name, keyPath: column.path, primaryKey: statement.int64(at: 0), finding: finding))
            }
        }
        return problems
    }
}

/// A column and the storage classes that its values may have.
private struct StoredValueColumn {
    let path: String
    /// The name of the column as SQL contains it.
    let name: String
    let kind: SQLStorageKind
    /// As `typeof()` names them, the usual one first.
    private let classes: [String]

    private init?(_ column: SQLColumn, path: String) {
        self.path = path
        name = SQLiteText.identifier(column.name)
        kind = column.kind
        switch column.kind {
        case .boolean, .integer16, .integer32, .integer64, .relationshipKey: classes = ["integer"]
        case .double, .float, .date, .decimal: classes = ["real", "integer"]
        case .string, .uri: classes = ["text"]
        case .uuid, .transformable, .binary, .externalBinary: classes = ["blob"]
        case .primaryKey, .entityNumber, .version, .relationshipEntity, .orderKey, .undefined, .objectID: return nil
        }
    }

    /// The columns of a property.
    static func columns(of property: SQLProperty, path: String) -> [StoredValueColumn] {
        switch property {
        case .attribute(let attribute): [StoredValueColumn(attribute.column, path: path)].compactMap { $0 }
        case .toOne(let relationship): [StoredValueColumn(relationship.column, path: path)].compactMap { $0 }
        case .composite(let composite): composite.elements.flatMap { columns(of: $1, path: "\(path).\($0)") }
        case .toMany: []
        }
    }

    // MARK: SQL

    /// The storage class of a value if it is wrong and the value can't be converted without loss, otherwise NULL.
    var wrongClass: String {
        let allowed = (["null"] + classes).map { "'\($0)'" }.joined(separator: ", ")
        let isExact = exactReading.map { " AND NOT (\($0))" } ?? ""
        return "CASE WHEN typeof(\(name)) NOT IN (\(allowed))\(isExact) THEN typeof(\(name)) END"
    }

    /// Whether a value of another storage class can be converted without loss: the text of a number, the number of a
    /// text, the bytes of a text.
    private var exactReading: String? {
        switch kind {
        case .boolean, .integer16, .integer32, .integer64, .relationshipKey: isNumber(as: "INTEGER")
        case .double, .float, .date, .decimal: isNumber(as: "REAL")
        case .string, .uri:
            "typeof(\(name)) = 'integer' OR typeof(\(name)) = 'real' AND CAST(\(name) AS TEXT) = CAST(\(name) AS REAL)"
        case .transformable, .binary, .externalBinary: "typeof(\(name)) = 'text'"
        case .uuid, .primaryKey, .entityNumber, .version, .relationshipEntity, .orderKey, .undefined, .objectID: nil
        }
    }

    /// The comparison with a number makes a text a number, if it is one.
    private func isNumber(as type: String) -> String {
        "typeof(\(name)) <> 'blob' AND \(name) = CAST(\(name) AS \(type))"
    }

    /// The bytes of a value of the right class that needs a look: a UUID of another length, or the name of a file.
    var detail: String {
        switch kind {
        case .uuid: "CASE WHEN typeof(\(name)) = 'blob' AND length(\(name)) <> 16 THEN \(name) END"
        case .externalBinary:
            """
            CASE WHEN typeof(\(name)) IN ('blob', 'text') AND substr(CAST(\(name) AS BLOB), 1, 1) <> x'01'
            THEN CAST(\(name) AS BLOB) END
            """
        default: "NULL"
        }
    }

    var condition: String {
        switch kind {
        case .uuid, .externalBinary: "\(wrongClass) IS NOT NULL OR \(detail) IS NOT NULL"
        default: "\(wrongClass) IS NOT NULL"
        }
    }

    // MARK: Findings

    func finding(wrongClass found: String) -> String {
        "has the storage class \(found.uppercased()) instead of \(classes[0].uppercased())"
    }

    /// Nil for an empty value, and the name of a file that exists.
    func finding(detail: Data, _ externalData: SQLiteExternalData) -> String? {
        if kind == .uuid { return "has \(Wording.count(detail.count, "byte")), but a UUID has 16" }
        if detail.isEmpty { return nil }
        guard let name = SQLiteExternalData.fileName(in: detail) else {
            return "is neither a value nor the name of a file"
        }
        if externalData.exists(file: name) { return nil }
        return "is missing: there is no file \(name) in \(externalData.dataFolder)"
    }
}
