// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Finds values of the wrong storage class, which SQLite allows in each column, and names of missing files.
extension SQLiteDatabase {
    /// SQLite limits the columns of a result and the depth of a condition.
    private static let columnsOfStatement = 100

    /// The problems of the objects of an entity and its subentities, in no order.
    ///
    /// - Parameter keys: the primary keys of the objects to examine; nil for all.
    package func valueProblems(_ layout: EntityLayout, keys: ClosedRange<Int64>? = nil) throws -> [StoredValueProblem] {
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
        of columns: [StoredValueColumn], _ entity: SQLEntity, _ keys: ClosedRange<Int64>?, _ open: SQLiteSession
    ) throws -> [StoredValueProblem] {
        let range = keys == nil ? "" : "Z_PK BETWEEN ? AND ? AND "
        let numbers = entity.numbers.map { _ in "?" }.joined(separator: ", ")
        let statement = try open.connection.uncachedStatement(
            """
            SELECT Z_PK, Z_ENT, \(columns.flatMap { [$0.wrongClass, $0.detail] }.joined(separator: ", "))
            FROM \(SQLiteText.identifier(entity.tableName)) WHERE \(range)Z_ENT IN (\(numbers))
            AND (\(columns.map(\.condition).joined(separator: " OR ")))
            """)
        let bounds = keys.map { [$0.lowerBound, $0.upperBound] } ?? []
        try statement.bind((bounds + entity.numbers.map { Int64($0) }).map { .integer($0) })
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

    /// The storage class of a value that has a wrong one, otherwise NULL.
    var wrongClass: String {
        let allowed = (["null"] + classes).map { "'\($0)'" }.joined(separator: ", ")
        return "CASE WHEN typeof(\(name)) NOT IN (\(allowed)) THEN typeof(\(name)) END"
    }

    /// The bytes of a value of the right class that needs a look: a UUID of another length, or the name of a file.
    var detail: String {
        switch kind {
        case .uuid: "CASE WHEN typeof(\(name)) = 'blob' AND length(\(name)) <> 16 THEN \(name) END"
        case .externalBinary: "CASE WHEN typeof(\(name)) = 'blob' AND substr(\(name), 1, 1) <> x'01' THEN \(name) END"
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
