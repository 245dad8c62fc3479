import CoreData
import CoreDataTestSupport
import Testing

@testable import CoreDataPostgreSQL

/// A pair of models becomes the steps of a migration on a server. No test has a server.
@Suite("Steps of a migration on a PostgreSQL server")
struct PostgreSQLMigrationPlanTests {
    private static func schema(_ properties: [NSPropertyDescription]) throws -> SQLSchema {
        try SQLSchema(
            postgreSQL: model([entity("Song", [attribute("title", .stringAttributeType)] + properties)]),
            configuration: nil)
    }

    private static func year(_ type: NSAttributeType = .integer16AttributeType, defaultValue: Int? = 1959)
        -> NSAttributeDescription
    {
        attribute("year", type, defaultValue: defaultValue.map { NSNumber(value: $0) })
    }

    private func steps(
        from old: [NSPropertyDescription], to new: [NSPropertyDescription], isCompatible: Bool = false,
        isDeferred: Bool = false
    ) throws -> [SQLMigrationStep] {
        let (source, destination) = (try Self.schema(old), try Self.schema(new))
        let dialect = PostgreSQLMigrationDialect(
            schemaName: "music", catalog: PostgreSQLCatalog(), constant: { "'\($0)'" }, isCompatible: isCompatible)
        return try SQLMigrationPlan(
            SQLLightweightMigration(from: source, to: destination, isDeferred: isDeferred, dialect), dialect,
            highestKeys: [1: 12]
        ).steps
    }

    private func statements(_ step: SQLMigrationStep) -> [String] {
        step.statements.map { $0.bindings.isEmpty ? $0.text : "\($0.text) \($0.bindings)" }
    }

    @Test("A default value is a constant of the definition, which stays for programs with the older model")
    func defaultValue() throws {
        let addition = #"ALTER TABLE "music".ZSONG ADD COLUMN ZYEAR smallint DEFAULT '1959'::smallint"#
        let drop = #"ALTER TABLE "music".ZSONG ALTER COLUMN ZYEAR DROP DEFAULT"#
        try expectEqual(statements(steps(from: [], to: [Self.year()])[0]), [addition, drop])
        try expectEqual(statements(steps(from: [], to: [Self.year()], isCompatible: true)[0]), [addition])
    }

    @Test("A column that the model no longer has is dropped, or left for older programs with its default value")
    func removedColumn() throws {
        let dropped = try steps(from: [Self.year()], to: [])
        expectEqual(dropped.first?.description, "drop the column ZYEAR of ZSONG")
        let left = try requireValue(try steps(from: [Self.year()], to: [], isCompatible: true, isDeferred: true).first)
        expectEqual(left.description, "leave the column ZYEAR of ZSONG for later")
        expectEqual(
            statements(left),
            [
                #"INSERT INTO "music".z_unused (z_table, z_column) VALUES ($1, $2) "#
                    + #"ON CONFLICT DO NOTHING ["ZSONG", "ZYEAR"]"#,
                #"ALTER TABLE "music".ZSONG ALTER COLUMN ZYEAR SET DEFAULT '1959'::smallint"#,
            ])
    }

    @Test("Numbers of another type are checked, and converted as SQLite converts them")
    func convertedNumber() throws {
        let steps = try steps(
            from: [Self.year(.doubleAttributeType, defaultValue: nil)], to: [Self.year(defaultValue: nil)])
        expectEqual(steps.first?.description, "check that the values of Song.year are between -32768 and 32767")
        let copy = try requireValue(steps.first { if case .copyRows = $0.action { true } else { false } })
        expectEqual(
            statements(copy),
            [
                """
                INSERT INTO "music".ZSONG (Z_PK, Z_ENT, Z_OPT, ZYEAR, ZTITLE) SELECT Z_PK, Z_ENT, Z_OPT, \
                CAST(TRUNC(ZYEAR) AS smallint), ZTITLE FROM "music".Z_MIGRATED_0 WHERE Z_ENT IN (1)
                """
            ])
    }
}
