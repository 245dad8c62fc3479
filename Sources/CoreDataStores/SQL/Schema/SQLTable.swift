// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The table of a root entity and all its subentities.
///
/// Its ``SQLSchema`` owns it. Immutable once the schema is built.
package final class SQLTable: @unchecked Sendable {
    /// For instance `ZARTIST`.
    package let name: String
    /// All columns in order of creation, beginning with `Z_PK`, `Z_ENT`, `Z_OPT`.
    package let columns: [SQLColumn]
    /// The relationship keys that have an index each, in order.
    package let indexedKeys: [SQLColumn]
    /// The root entity and its subentities, depth first.
    package internal(set) var entities: [SQLEntity] = []

    private let columnsByName: [String: SQLColumn]

    init(name: String, columns: [SQLColumn], indexedKeys: [SQLColumn]) {
        self.name = name
        self.columns = columns
        self.indexedKeys = indexedKeys
        columnsByName = Dictionary(columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether an index begins with a column, so that its rows are found by value without a scan of the table.
    func isIndexed(_ column: String) -> Bool {
        if column == primaryKey.name || indexedKeys.contains(where: { $0.name == column }) { return true }
        return entities.contains { entity in
            entity.uniquenessConstraints.contains { $0.columns.first?.name == column }
                || entity.entity.indexes.contains { index in
                    index.partialIndexPredicate == nil
                        && index.elements.first?.propertyName.flatMap(entity.column)?.name == column
                }
        }
    }

    package var root: SQLEntity { entities[0] }
    var primaryKey: SQLColumn { columns[0] }
    package var entityNumber: SQLColumn { columns[1] }
    var version: SQLColumn { columns[2] }

    /// Whether all rows are of one entity, so that nothing reads their entity number.
    var hasOneEntity: Bool { entities.count == 1 }

    /// The columns that name an object and its version: `Z_PK`, `Z_ENT` unless the table has one entity, `Z_OPT`.
    var headerColumns: [SQLColumn] {
        hasOneEntity ? [primaryKey, version] : [primaryKey, entityNumber, version]
    }

    package func column(named name: String) -> SQLColumn? { columnsByName[name] }
}
