import CoreDataModel
import CoreDataPredicates

/// Fetch indexes over ranges (`rTree`): a table of boxes kept by triggers.
extension SQLiteDefinition {
    /// A box index of an entity with the columns that it covers.
    struct BoxIndex {
        let name: String
        let table: String
        let columns: [String]

        var bounds: String {
            columns.map { "\(SQLiteText.identifier($0 + "_MIN")), \(SQLiteText.identifier($0 + "_MAX"))" }
                .joined(separator: ", ")
        }
    }

    func boxIndexes(of entity: SQLEntity) -> [BoxIndex] {
        entity.entity.indexes.compactMap { index in
            let boxed = index.elements.filter { $0.collationType == .rTree }
            let columns = boxed.compactMap { $0.propertyName.flatMap(entity.column)?.name }
            guard !boxed.isEmpty, columns.count == boxed.count else { return nil }
            return BoxIndex(name: "Z_RT_\(entity.name)_\(index.name)", table: entity.tableName, columns: columns)
        }
    }

    func createBoxIndex(_ index: BoxIndex) -> String {
        let bounds = index.columns.map {
            "\(SQLiteText.identifier($0 + "_MIN")) FLOAT, \(SQLiteText.identifier($0 + "_MAX")) FLOAT"
        }
        return "CREATE VIRTUAL TABLE \(SQLiteText.identifier(index.name)) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
            + "\(bounds.joined(separator: ", ")))"
    }

    /// The blanks are those of Apple's own text.
    func boxTriggers(_ index: BoxIndex) -> [String] {
        let (box, table) = (SQLiteText.identifier(index.name), SQLiteText.identifier(index.table))
        func trigger(_ event: String) -> String {
            """
            CREATE TRIGGER \(SQLiteText.identifier("\(index.name)_\(event)")) AFTER \(event) ON \(table) FOR EACH \
            ROW BEGIN 
            """
        }
        let columns = index.columns.map(SQLiteText.identifier)
        let values = columns.enumerated().map { place, column in
            place == 0 ? "NEW.\(column) ,NEW.\(column)" : "NEW.\(column), NEW.\(column)"
        }
        let row = "INTO \(box) (Z_PK, \(index.bounds)) VALUES (NEW.Z_PK, \(values.joined(separator: ", "))) ; END"
        return [
            trigger("INSERT") + "INSERT OR REPLACE \(row)",
            trigger("UPDATE") + "DELETE FROM \(box) WHERE Z_PK = NEW.Z_PK ; INSERT \(row)",
            trigger("DELETE") + "DELETE FROM \(box) WHERE Z_PK = OLD.Z_PK ; END",
        ]
    }
}
