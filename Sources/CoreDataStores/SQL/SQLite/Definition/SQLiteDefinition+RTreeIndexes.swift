// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Fetch indexes of type `rTree`: R-tree tables, which triggers maintain.
extension SQLiteDefinition {
    /// An R-tree index of an entity with its columns.
    struct RTreeIndex {
        let name: String
        let table: String
        let columns: [String]

        /// The name of the trigger that maintains the index after an event.
        func triggerName(_ event: String) -> String { "\(name)_\(event)" }

        var triggerNames: [String] { ["INSERT", "UPDATE", "DELETE"].map(triggerName) }

        var bounds: String {
            columns.map { "\(SQLiteText.identifier($0 + "_MIN")), \(SQLiteText.identifier($0 + "_MAX"))" }
                .joined(separator: ", ")
        }
    }

    func rTreeIndexes(of entity: SQLEntity) -> [RTreeIndex] {
        entity.entity.indexes.compactMap { index in
            let elements = index.elements.filter { $0.collationType == .rTree }
            let columns = elements.compactMap { $0.propertyName.flatMap(entity.column)?.name }
            guard !elements.isEmpty, columns.count == elements.count else { return nil }
            return RTreeIndex(name: "Z_RT_\(entity.name)_\(index.name)", table: entity.tableName, columns: columns)
        }
    }

    func createRTreeIndex(_ index: RTreeIndex) -> String {
        let bounds = index.columns.map {
            "\(SQLiteText.identifier($0 + "_MIN")) FLOAT, \(SQLiteText.identifier($0 + "_MAX")) FLOAT"
        }
        return "CREATE VIRTUAL TABLE \(SQLiteText.identifier(index.name)) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
            + "\(bounds.joined(separator: ", ")))"
    }

    /// The statement that enters all rows of a table into its index, which is empty.
    func fillRTreeIndex(_ index: RTreeIndex) -> String {
        let values = index.columns.map(SQLiteText.identifier).map { "\($0), \($0)" }.joined(separator: ", ")
        return "INSERT INTO \(SQLiteText.identifier(index.name)) (Z_PK, \(index.bounds)) SELECT Z_PK, \(values) "
            + "FROM \(SQLiteText.identifier(index.table))"
    }

    /// The triggers that maintain an index. They have the same spaces as Apple's text.
    func rTreeTriggers(_ index: RTreeIndex) -> [String] {
        let (tree, table) = (SQLiteText.identifier(index.name), SQLiteText.identifier(index.table))
        func trigger(_ event: String) -> String {
            """
            CREATE TRIGGER \(SQLiteText.identifier(index.triggerName(event))) AFTER \(event) ON \(table) FOR EACH \
            ROW BEGIN 
            """
        }
        let columns = index.columns.map(SQLiteText.identifier)
        let values = columns.enumerated().map { offset, column in
            offset == 0 ? "NEW.\(column) ,NEW.\(column)" : "NEW.\(column), NEW.\(column)"
        }
        let row = "INTO \(tree) (Z_PK, \(index.bounds)) VALUES (NEW.Z_PK, \(values.joined(separator: ", "))) ; END"
        return [
            trigger("INSERT") + "INSERT OR REPLACE \(row)",
            trigger("UPDATE") + "DELETE FROM \(tree) WHERE Z_PK = NEW.Z_PK ; INSERT \(row)",
            trigger("DELETE") + "DELETE FROM \(tree) WHERE Z_PK = OLD.Z_PK ; END",
        ]
    }
}
