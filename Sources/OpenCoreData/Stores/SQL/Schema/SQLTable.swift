import CoreDataPredicates
import CoreDataModel

/// The table of a root entity and all its subentities.
///
/// Owned by its ``SQLSchema``, and unchanged once the schema is built.
package final class SQLTable: @unchecked Sendable {
    /// For instance `ZARTIST`.
    package let name: String
    /// All columns in order of creation, beginning with `Z_PK`, `Z_ENT`, `Z_OPT`.
    package let columns: [SQLColumn]
    /// The relationship keys that have an index each, in order.
    package let indexedKeys: [SQLColumn]
    /// The root entity and its subentities, in order of numbers.
    package internal(set) var entities: [SQLEntity] = []

    private let columnsByName: [String: SQLColumn]

    init(name: String, columns: [SQLColumn], indexedKeys: [SQLColumn]) {
        self.name = name
        self.columns = columns
        self.indexedKeys = indexedKeys
        columnsByName = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package var root: SQLEntity { entities[0] }
    package var primaryKey: SQLColumn { columns[0] }
    package var entityNumber: SQLColumn { columns[1] }
    package var version: SQLColumn { columns[2] }

    package func column(named name: String) -> SQLColumn? { columnsByName[name] }
}
