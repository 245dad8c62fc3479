// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// Examines the file of a SQLite store without changing it: the database, the tables of the model, and the references
/// between rows, which SQLite doesn't check.
package struct SQLiteStoreCheck {
    /// The number of primary keys in a defect.
    static let keyLimit = 5

    let connection: SQLiteConnection
    let schema: SQLSchema

    /// The defects of a store.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - model: the model that made the store. Without one only the database is examined.
    /// - Throws: 259 for a file that is no store, and errors of opening it. Damage that is found later is a defect.
    package static func defects(at path: String, model: NSManagedObjectModel?) throws -> [StoreDefect] {
        var defects: [StoreDefect] = []
        do {
            try SQLiteStoreFile.withReader(at: path) { connection in
                try SQLiteStoreOpener.restrictSchema(of: connection)
                try SQLiteFunctions.install(on: connection)
                try SQLiteCollations.install(on: connection)
                let metadata = try SQLiteStoreMetadata.read(on: connection)
                let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata.dictionary) ?? [:]
                defects += try databaseDefects(connection)
                defects += cacheDefects(connection, hashes)
                if let model { defects += try modelDefects(connection, model, hashes) }
            }
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt && !defects.isEmpty {
            // Parts that SQLite has found damaged can't be examined further.
        }
        return defects
    }

    private init(_ connection: SQLiteConnection, _ schema: SQLSchema) {
        self.connection = connection
        self.schema = schema
    }

    private func run() throws -> [StoreDefect] {
        var defects = try tableDefects() + foreignParts()
        // Statements need all columns.
        guard !defects.contains(where: { [.missingTable, .missingColumn].contains($0.kind) }) else { return defects }
        defects += try entityDefects()
        defects += try keyDefects()
        defects += try SQLReferenceCheck(dialect: SQLiteDialect(), keys: keys).defects(of: schema)
        defects += try fileDefects()
        return defects
    }

    /// The defects of the tables and rows.
    private static func modelDefects(
        _ connection: SQLiteConnection, _ model: NSManagedObjectModel, _ hashes: [String: Data]
    ) throws -> [StoreDefect] {
        do {
            guard let schema = try SQLSchema.ofFile(connection, madeBy: model, versionHashes: hashes) else { return [] }
            return try SQLiteStoreCheck(connection, schema).run()
        } catch let error as NSError where error.userInfo[SQLiteEntityNumbers.entityKey] != nil {
            let finding = CoreDataErrors.reason(of: error).dropLast()
            let entity = error.userInfo[SQLiteEntityNumbers.entityKey] as? String
            return [StoreDefect(.entityTable, entity: entity, String(finding))]
        }
    }

    // MARK: The database

    private static func databaseDefects(_ connection: SQLiteConnection) throws -> [StoreDefect] {
        var defects: [StoreDefect] = []
        do {
            let statement = try connection.uncachedStatement("PRAGMA integrity_check(20)")
            while try statement.step() {
                if let text = statement.text(at: 0), text != "ok" {
                    defects.append(StoreDefect(.damagedDatabase, "SQLite reports: \(text)"))
                }
            }
        } catch let error as NSError where error.code == SQLiteErrors.fileReadCorrupt {
            defects.append(StoreDefect(.damagedDatabase, "SQLite reports: \(CoreDataErrors.reason(of: error))"))
        }
        return defects
    }

    private static func cacheDefects(_ connection: SQLiteConnection, _ hashes: [String: Data]) -> [StoreDefect] {
        do {
            guard let model = try SQLiteModelCache.read(on: connection) else { return [] }
            if StoreIncompatibility.sourceModel(of: hashes, model, nil) != nil { return [] }
            return [
                StoreDefect(
                    .modelCache,
                    "the model in the store (Z_MODELCACHE) is another one than its version hashes (Z_METADATA)")
            ]
        } catch {
            return [StoreDefect(.modelCache, "the model in the store (Z_MODELCACHE) can't be read")]
        }
    }

    // MARK: Tables and entities

    private func tableDefects() throws -> [StoreDefect] {
        try schema.missingParts(inFile: connection.tables()).map { part in
            guard let column = part.column else {
                return StoreDefect(.missingTable, entity: part.entityName, "there is no table \(part.table)")
            }
            return StoreDefect(
                .missingColumn, entity: part.entityName, "the table \(part.table) has no column \(column)")
        }
    }

    /// The triggers and views that the model doesn't have. A trigger acts at each save, without Core Data's knowledge.
    private func foreignParts() throws -> [StoreDefect] {
        let ours = Set(SQLiteDefinition(schema).allRTreeIndexes.flatMap(\.triggerNames).map { $0.uppercased() })
        let parts = try connection.uncachedStatement(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name")
        var defects: [StoreDefect] = []
        while try parts.step() {
            let (name, table) = (parts.text(at: 1) ?? "", parts.text(at: 2) ?? "")
            guard parts.text(at: 0) == "trigger" else {
                defects.append(
                    StoreDefect(.foreignView, "the file has the view \(name), which is not the model\u{2019}s"))
                continue
            }
            // Triggers of derived attributes report their changes, also those of other versions of Core Data.
            let text = parts.text(at: 3) ?? ""
            if ours.contains(name.uppercased()) || text.contains("NSCoreData") { continue }
            let entity = schema.tables.first { $0.name.uppercased() == table.uppercased() }?.root.name
            defects.append(
                StoreDefect(
                    .foreignTrigger, entity: entity,
                    "the trigger \(name) of the table \(table) is not the model\u{2019}s: it changes what Core Data "
                        + "doesn\u{2019}t know of, and a migration removes it"))
        }
        return defects
    }

    /// Join tables without a key over both columns, which keeps a member from being there twice.
    private func keyDefects() throws -> [StoreDefect] {
        try schema.joinTables.compactMap { join in
            let columns = [join.ownerColumn, join.destinationColumn].map { $0.uppercased() }.sorted()
            if try keyColumns("SELECT name FROM pragma_table_info(%) WHERE pk > 0", of: join.name) == columns {
                return nil
            }
            let list = "SELECT name FROM pragma_index_list(%) WHERE \"unique\" <> 0 AND partial = 0"
            for index in try names(list, of: join.name)
            where try keyColumns("SELECT name FROM pragma_index_info(%)", of: index) == columns { return nil }
            return StoreDefect(
                .missingKey, entity: join.owner.name, property: join.relationship.name,
                "the table \(join.name) has no key over its columns \(join.ownerColumn) and "
                    + "\(join.destinationColumn): a member may be there twice")
        }
    }

    private func keyColumns(_ text: String, of name: String) throws -> [String] {
        try names(text, of: name).map { $0.uppercased() }.sorted()
    }

    /// The names that a statement selects.
    ///
    /// - Parameter text: the statement, with % in place of the name.
    private func names(_ text: String, of name: String) throws -> [String] {
        let literal = "'" + name.replacingOccurrences(of: "'", with: "''") + "'"
        let statement = try connection.uncachedStatement(text.replacingOccurrences(of: "%", with: literal))
        var names: [String] = []
        while try statement.step() { names.append(statement.text(at: 0) ?? "") }
        return names
    }

    /// Compares `Z_PRIMARYKEY` with the entities and the rows.
    private func entityDefects() throws -> [StoreDefect] {
        var defects: [StoreDefect] = []
        var recorded: [Int: (name: String, highest: Int64)] = [:]
        let rows = try connection.uncachedStatement("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
        while try rows.step() {
            recorded[Int(rows.int64(at: 0))] = (rows.text(at: 1) ?? "", rows.int64(at: 2))
        }
        for entity in schema.entities {
            let recordedName = recorded[entity.number]?.name
            // A renamed entity may have an old name, as Apple's migration leaves it.
            let isOther = recordedName.map { $0 != entity.name && schema.entitiesByName[$0] != nil } ?? true
            guard isOther else { continue }
            let found = recordedName.map { "calls it \u{201c}\($0)\u{201d}" } ?? "doesn't have it"
            defects.append(
                StoreDefect(
                    .entityTable, entity: entity.name,
                    "the entity has the number \(entity.number), and Z_PRIMARYKEY \(found)"))
        }
        for table in schema.tables {
            let name = SQLiteText.identifier(table.name)
            let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(name)") ?? 0
            let known = recorded[table.root.number]?.highest ?? 0
            if known < highest {
                defects.append(
                    StoreDefect(
                        .lowHighestKey, entity: table.root.name,
                        "the highest key is \(highest), and Z_PRIMARYKEY has \(known): new objects would get keys "
                            + "that are in use"))
            }
            let numbers = Self.list(table.entities.map(\.number))
            if let found = try keys("SELECT Z_PK FROM \(name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))") {
                defects.append(
                    StoreDefect(
                        .unknownEntity, entity: table.root.name, count: found.count, primaryKeys: found.keys,
                        "\(Wording.count(found.count, "row")) of the table \(table.name) "
                            + "\(found.count == 1 ? "has" : "have") a Z_ENT that is no entity of the table"))
            }
        }
        return defects
    }

    // MARK: Files

    /// The files of external data to which no row refers, neither in this store nor in a store that shares the folder.
    private func fileDefects() throws -> [StoreDefect] {
        let externalData = SQLiteExternalData(storePath: connection.path)
        let used = try externalData.fileNames(on: connection, schema)
        // A transaction that is still running has written what its journal names.
        let pending = SQLiteExternalJournal.pendingNames(of: externalData, except: [])
        var unused = externalData.namesInFolder.filter {
            UUID(uuidString: $0) != nil && !used.contains($0) && !pending.contains($0)
        }.sorted()
        if !unused.isEmpty {
            guard let ofOthers = externalData.fileNamesOfOtherStores() else { return [] }
            unused.removeAll { ofOthers.contains($0) }
        }
        guard !unused.isEmpty else { return [] }
        let names = unused.prefix(Self.keyLimit).joined(separator: ", ") + (unused.count > Self.keyLimit ? ", …" : "")
        return [
            StoreDefect(
                .unusedFile, count: unused.count,
                "no object refers to \(Wording.count(unused.count, "file")) in \(externalData.dataFolder): \(names)")
        ]
    }

    // MARK: Statements

    /// The number of rows of a statement, and the first primary keys; nil without rows.
    private func keys(_ sql: String) throws -> (count: Int, keys: [Int64])? {
        let statement = try connection.uncachedStatement(sql)
        var count = 0
        var keys: [Int64] = []
        while try statement.step() {
            count += 1
            if keys.count < Self.keyLimit { keys.append(statement.int64(at: 0)) }
        }
        return count == 0 ? nil : (count, keys)
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
