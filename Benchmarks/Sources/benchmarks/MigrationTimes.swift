import CoreData

/// Lightweight migrations against the same changes by SQL, on copies of one store. Opening and closing the file counts.
struct MigrationTimes {
    /// The name for `--arm`.
    static let name = "migration"

    /// A change of the model, and what does the same to the table by hand.
    private struct Change: Sendable {
        let title: String
        let sql: [String]
        let change: @Sendable (NSEntityDescription) -> Void
    }

    let folder: URL
    let count: Int
    let rounds: Int

    private static let columns = Workload.columns.map { "Z\($0.uppercased())" }

    private static let changes = [
        Change(
            title: "an optional attribute is added / ALTER TABLE", sql: ["ALTER TABLE ZRECORD ADD COLUMN ZNOTE VARCHAR"]
        ) {
            $0.properties.append(attribute("note", .stringAttributeType))
        },
        Change(
            title: "an attribute with a default value is added / ALTER TABLE and UPDATE",
            sql: ["ALTER TABLE ZRECORD ADD COLUMN ZSTARS INTEGER", "UPDATE ZRECORD SET ZSTARS = 3"]
        ) {
            let stars = attribute("stars", .integer64AttributeType)
            stars.isOptional = false
            stars.defaultValue = 3
            $0.properties.append(stars)
        },
        Change(
            title: "an attribute is removed / INSERT … SELECT",
            sql: rewrite(columns.dropLast().map { ($0, "INTEGER", $0) })
        ) { $0.properties.removeLast() },
        Change(
            title: "an integer becomes a double / INSERT … SELECT",
            sql: rewrite(
                columns.map { $0 == "ZVALUE3" ? ($0, "FLOAT", "CAST(ZVALUE3 AS REAL)") : ($0, "INTEGER", $0) })
        ) { $0.attributesByName["value3"]?.attributeType = .doubleAttributeType },
    ]

    /// The statements that write the rows of the table into a new one.
    private static func rewrite(_ columns: [(name: String, type: String, value: String)]) -> [String] {
        let definitions = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        return [
            "ALTER TABLE ZRECORD RENAME TO OLD",
            "CREATE TABLE ZRECORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(definitions))",
            """
            INSERT INTO ZRECORD (Z_PK, Z_ENT, Z_OPT, \(columns.map(\.name).joined(separator: ", "))) \
            SELECT Z_PK, Z_ENT, Z_OPT, \(columns.map(\.value).joined(separator: ", ")) FROM OLD
            """,
            "DROP TABLE OLD",
        ]
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    func printLines() throws {
        print("lightweight migration of \(count) rows of \(Workload.columnCount) integers / SQL")
        let original = folder.appendingPathComponent("original.sqlite")
        try fill(original)
        defer { remove(original) }
        for change in Self.changes {
            var times = PairedTimes(change.title)
            for _ in 0..<rounds {
                times.add(try bySQL(change, original), try byMigration(change, original))
            }
            print(times.line)
        }
    }

    private func fill(_ url: URL) throws {
        let context = try CoreDataStack.context(at: url, className: NSStringFromClass(TypedRecord.self))
        var row = 0
        let request = NSBatchInsertRequest(
            entityName: "Record",
            managedObjectHandler: { object in
                guard row < count, let record = object as? TypedRecord else { return true }
                record.setAll(row: row)
                row += 1
                return false
            })
        _ = try context.performAndWait { try context.execute(request) }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }

    private func bySQL(_ change: Change, _ original: URL) throws -> PairedTimes.Time {
        let url = try copy(original)
        defer { remove(url) }
        return try PairedTimes.Time.measure {
            let connection = try RawConnection(url)
            for sql in ["BEGIN EXCLUSIVE"] + change.sql + ["COMMIT"] { try connection.execute(sql) }
        }
    }

    private func byMigration(_ change: Change, _ original: URL) throws -> PairedTimes.Time {
        let url = try copy(original)
        defer { remove(url) }
        let model = CoreDataStack.model(className: "NSManagedObject")
        change.change(model.entities[0])
        return try PairedTimes.Time.measure {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                    NSInferMappingModelAutomaticallyOption: true as NSNumber,
                ])
            try coordinator.remove(store)
        }
    }

    // MARK: Files

    private func copy(_ original: URL) throws -> URL {
        let url = folder.appendingPathComponent("\(UUID().uuidString).sqlite")
        try FileManager.default.copyItem(at: original, to: url)
        return url
    }

    private func remove(_ url: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}
