import CoreData

/// Migrations: by SQL against the same changes by hand, and object by object with a mapping model.
extension Workloads {
    static var migration: [Workload] {
        [
            lightweight(
                "migrate-add", "an optional attribute is added (ALTER TABLE)",
                sql: ["ALTER TABLE ZREADING ADD COLUMN ZNOTE VARCHAR"]
            ) { $0.properties.append(attribute("note", .stringAttributeType)) },
            lightweight(
                "migrate-add-default", "an attribute with a default value is added (ALTER TABLE and UPDATE)",
                sql: ["ALTER TABLE ZREADING ADD COLUMN ZSTARS INTEGER", "UPDATE ZREADING SET ZSTARS = 3"]
            ) {
                let stars = attribute("stars", .integer64AttributeType)
                stars.isOptional = false
                stars.defaultValue = 3
                $0.properties.append(stars)
            },
            lightweight(
                "migrate-remove", "an attribute is removed (INSERT … SELECT)",
                sql: rewrite(ReadingValues.columns.dropLast().map { ($0, "INTEGER", $0) })
            ) { entity in entity.properties.removeAll { $0.name == "value9" } },
            lightweight(
                "migrate-type", "an integer becomes a double (INSERT … SELECT)",
                sql: rewrite(
                    ReadingValues.columns.map {
                        $0 == "ZVALUE3" ? ($0, "FLOAT", "CAST(ZVALUE3 AS REAL)") : ($0, "INTEGER", $0)
                    })
            ) { $0.attributesByName["value3"]?.attributeType = .doubleAttributeType },
            mapped,
        ]
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    /// The statements that write the rows of the table into a new one.
    private static func rewrite(_ columns: [(name: String, type: String, value: String)]) -> [String] {
        let definitions = columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
        return [
            "ALTER TABLE ZREADING RENAME TO OLD",
            "CREATE TABLE ZREADING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(definitions))",
            """
            INSERT INTO ZREADING (Z_PK, Z_ENT, Z_OPT, \(columns.map(\.name).joined(separator: ", "))) \
            SELECT Z_PK, Z_ENT, Z_OPT, \(columns.map(\.value).joined(separator: ", ")) FROM OLD
            """,
            "DROP TABLE OLD",
        ]
    }

    /// Opening and closing the file counts on both sides.
    private static func lightweight(
        _ name: String, _ title: String, sql: [String], change: @escaping (NSEntityDescription) -> Void
    ) -> Workload {
        Workload(
            name: name, title: "migrate # rows of 10 integers: \(title)", rows: 1_000_000, checkedRows: 1000,
            group: .others,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let url = try stage.copy(try ReadingValues.fixture(stage, rows))
                    return Measured {
                        let connection = try RawConnection(url)
                        for sql in ["BEGIN EXCLUSIVE"] + sql + ["COMMIT"] { try connection.execute(sql) }
                        return Outcome(nil)
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let url = try stage.copy(try ReadingValues.fixture(stage, rows))
                    let model = try StoreStack.model()
                    guard let entity = model.entitiesByName["Reading"] else { throw BenchmarkError("no entity") }
                    change(entity)
                    return Measured {
                        let options = [
                            NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                            NSInferMappingModelAutomaticallyOption: true as NSNumber,
                        ]
                        _ = try StoreStack(url, model: model, options: options)
                        return Outcome(nil)
                    }
                },
            ], targets: [])
    }

    private static var mapped: Workload {
        Workload(
            name: "migrate-mapped", title: "migrate # objects with a to-one relationship by a mapping model",
            rows: 50_000, checkedRows: 200, group: .others,
            arms: [
                Arm(Arm.own) { stage, rows in
                    let old = try stage.copy(
                        try stage.fixture("grouped-\(rows)") { url in
                            try StoreStack.create(url)
                            let connection = try RawConnection(url)
                            try connection.fill("CUSTOMER", count: max(1, rows / 100), columns: "ZNUMBER", values: "n")
                            try connection.fill(
                                "ORDER", count: rows, columns: "ZNUMBER, ZCUSTOMER", values: "n, n / 100 + 1")
                        })
                    let new = stage.newFile()
                    let (source, destination) = (try StoreStack.model(), try StoreStack.model())
                    destination.entitiesByName["Order"]?.properties.append(attribute("note", .stringAttributeType))
                    let mapping = try NSMappingModel.inferredMappingModel(
                        forSourceModel: source, destinationModel: destination)
                    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
                    // The store would execute an inferred mapping model by SQL.
                    manager.usesStoreSpecificMigrationManager = false
                    return Measured {
                        try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
                        return Outcome(Int64(rows))
                    }
                }
            ], targets: [])
    }
}
