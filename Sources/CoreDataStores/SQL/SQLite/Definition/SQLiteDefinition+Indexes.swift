// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

extension SQLiteDefinition {
    /// The indexes of a table: first the relationship keys, then for each entity its join tables, its fetch indexes and
    /// its uniqueness constraints.
    func createIndexes(of table: SQLTable) throws -> [String] {
        var statements = table.indexedKeys.map { columnIndex($0.name, of: table) }
        for entity in table.entities {
            for join in schema.joinTables(namedBy: entity) { statements += joinIndexes(join) }
            if entity === table.root, entity.hasSubentities,
                entity.entity.userInfo?["_NSEntityOmitSubentityColumnIndex"] as? String != "YES"
            {
                statements.append(columnIndex("Z_ENT", of: table))
            }
            statements += try fetchIndexes(of: entity)
            statements += entity.uniquenessConstraints.map { uniqueIndex($0, of: entity) }
        }
        return statements
    }

    private func columnIndex(_ column: String, of table: SQLTable) -> String {
        createIndex("\(table.name)_\(column)_INDEX", on: table.name, columns: [SQLiteText.identifier(column)])
    }

    private func joinIndexes(_ join: SQLJoinTable) -> [String] {
        let (owner, content) = (join.ownerColumn, join.destinationColumn)
        func index(named words: [String], _ columns: [String]) -> String {
            createIndex(
                "\(join.name)_\(words.joined(separator: "_"))_INDEX", on: join.name,
                columns: columns.map(SQLiteText.identifier))
        }
        var statements = [index(named: [content], [content, owner])]
        if join.relationship.userInfo?["NSRelationshipDescriptionOrderKeyIndexOption"] as? String == "YES",
            let order = join.destinationOrderColumn ?? join.ownerOrderColumn
        {
            for columns in [[owner, content, order], [owner, order, content]] {
                statements.append(index(named: columns, columns))
            }
        }
        return statements
    }

    private func createIndex(
        _ name: String, unique: Bool = false, on table: String, columns: [String], where condition: String? = nil
    ) -> String {
        "CREATE \(unique ? "UNIQUE " : "")INDEX \(SQLiteText.identifier(name)) ON \(SQLiteText.identifier(table)) "
            + "(\(columns.joined(separator: ", ")))" + (condition.map { " WHERE " + $0 } ?? "")
    }

    private func uniqueIndex(_ constraint: SQLUniquenessConstraint, of entity: SQLEntity) -> String {
        createIndex(
            "Z_\(entity.name)_UNIQUE_\(constraint.names.joined(separator: "_"))", unique: true, on: entity.tableName,
            columns: constraint.columns.map { "\(SQLiteText.identifier($0.name)) COLLATE BINARY ASC" })
    }

    // MARK: Fetch indexes

    private func fetchIndexes(of entity: SQLEntity) throws -> [String] {
        var names: Set<String> = []
        return try entity.entity.convertedIndexes.compactMap { index in
            guard let columns = columns(of: index, in: entity), names.insert(index.name).inserted else { return nil }
            let condition = try index.partialIndexPredicate.map {
                try self.condition($0, in: entity, index: index.name)
            }
            return createIndex(
                "Z_\(entity.name)_\(index.name)", on: entity.tableName, columns: columns, where: condition)
        }
    }

    /// The columns of an index with their order; nil if the file has no such index.
    private func columns(of index: NSFetchIndexDescription, in entity: SQLEntity) -> [String]? {
        entity.columns(of: index)?.map {
            "\(SQLiteText.identifier($0.name)) COLLATE BINARY \($0.isAscending ? "ASC" : "DESC")"
        }
    }

    // MARK: Partial indexes

    private func condition(_ predicate: NSPredicate, in entity: SQLEntity, index: String) throws -> String {
        let condition = SQLIndexCondition(
            entity: entity, index: index, identifier: SQLiteText.identifier, truth: { $0 ? "1" : "0" },
            constant: { value, _ in Self.constant(value) })
        return try condition.text(predicate)
    }

    private static func constant(_ value: Any) -> String? {
        if let text = value as? String { return SQLiteText.string(text) }
        if let date = value as? Date { return String(date.timeIntervalSinceReferenceDate) }
        guard let number = value as? NSNumber else { return nil }
        let real = number.doubleValue
        guard real.isFinite else { return nil }
        return real == Double(number.int64Value) ? String(number.int64Value) : String(real)
    }
}
