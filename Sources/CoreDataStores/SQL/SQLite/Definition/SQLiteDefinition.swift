// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The SQL that creates a new store's tables, indexes and triggers, with the text of Apple's framework.
struct SQLiteDefinition {
    let schema: SQLSchema

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    /// All statements, in order.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020) for a partial index whose predicate can't be
    ///   written in SQL.
    func statements() throws -> [String] {
        var statements: [String] = []
        for table in schema.tables {
            statements.append(createTable(table))
            for entity in table.entities {
                statements += schema.joinTables(namedBy: entity).map(createJoinTable)
            }
        }
        statements += allRTreeIndexes.map(createRTreeIndex)
        for table in schema.tables { statements += try createIndexes(of: table) }
        statements += triggers
        statements += Self.systemTables
        return statements
    }

    /// The R-tree indexes of all entities.
    var allRTreeIndexes: [RTreeIndex] { schema.entities.flatMap(rTreeIndexes) }

    /// The triggers of R-tree indexes and derived attributes.
    var triggers: [String] {
        allRTreeIndexes.flatMap(rTreeTriggers) + schema.entities.flatMap(derivedAttributeTriggers)
    }

    static let systemTables = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        SQLiteModelCache.createTable,
    ]

    func createTable(_ table: SQLTable) -> String {
        let columns = table.columns.map { "\(SQLiteText.identifier($0.name)) \($0.kind.declaredType)" }
        return "CREATE TABLE \(SQLiteText.identifier(table.name)) ( \(columns.joined(separator: ", ")) )"
    }

    func createJoinTable(_ table: SQLJoinTable) -> String {
        let columns = table.columns.map { "\(SQLiteText.identifier($0)) INTEGER" }.joined(separator: ", ")
        let (owner, content) = (
            SQLiteText.identifier(table.ownerColumn), SQLiteText.identifier(table.destinationColumn)
        )
        return "CREATE TABLE \(SQLiteText.identifier(table.name)) ( \(columns), PRIMARY KEY (\(owner), \(content)) )"
    }
}

/// Names and constants in SQL text. Only definitions contain constants; statements bind values.
enum SQLiteText {
    /// A name as Apple's framework writes it: in quotes only if SQL requires them.
    ///
    /// The names of the file format begin with Z or A and are no keywords, so a name of letters, digits and underscores
    /// needs no quotes.
    static func identifier(_ name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...255:
                    return true
                default: return false
                }
            }
        return isPlain ? name : "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }

    /// A string constant.
    static func string(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "''") + "'"
    }
}

extension SQLStorageKind {
    /// The type in `CREATE TABLE`.
    var declaredType: String {
        switch self {
        case .primaryKey: return "INTEGER PRIMARY KEY"
        case .entityNumber, .version, .boolean, .integer16, .integer32, .integer64, .undefined, .objectID,
            .relationshipKey, .relationshipEntity, .orderKey:
            return "INTEGER"
        case .double, .float: return "FLOAT"
        case .date: return "TIMESTAMP"
        case .decimal: return "DECIMAL"
        case .string, .uri: return "VARCHAR"
        case .uuid, .transformable, .binary, .externalBinary: return "BLOB"
        }
    }
}
