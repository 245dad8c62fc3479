import CoreDataModel
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// A pair of models becomes the steps of a lightweight migration. No test has a database.
@Suite("Steps of a lightweight migration")
struct MigrationPlanTests {
    private static func schema(_ text: String) throws -> SQLSchema {
        try SQLSchema(model: TextNotation.read(Data(text.utf8), from: URL(fileURLWithPath: "Model.coredata")))
    }

    /// The indexes and triggers that a file of a schema has.
    private static func storedObjects(of schema: SQLSchema) throws -> [SQLiteMigrationDialect.StoredObject] {
        let definition = SQLiteDefinition(schema)
        var objects: [SQLiteMigrationDialect.StoredObject] = []
        for table in schema.tables {
            for text in try definition.createIndexes(of: table) {
                let words = text.split(separator: " ").map(String.init)
                let name = try requireValue(words.firstIndex(of: "INDEX").map { words[$0 + 1] })
                objects.append(.init(type: "index", name: name, table: table.name, text: text))
            }
        }
        return objects
    }

    /// The steps from one model to another one, in words, without the last one, which records the entities.
    private func steps(
        from old: String, to new: String, isDeferred: Bool = false, highestKeys: [Int: Int64] = [:]
    ) throws -> [SQLMigrationStep] {
        let (source, destination) = (try Self.schema(old), try Self.schema(new))
        let dialect = SQLiteMigrationDialect(storedObjects: try Self.storedObjects(of: source))
        let migration = try SQLLightweightMigration(from: source, to: destination, isDeferred: isDeferred, dialect)
        return try SQLMigrationPlan(migration, dialect, highestKeys: highestKeys).steps
    }

    private func words(from old: String, to new: String, isDeferred: Bool = false) throws -> [String] {
        try steps(from: old, to: new, isDeferred: isDeferred).dropLast().map(\.description)
    }

    private func statements(_ steps: some Sequence<SQLMigrationStep>) -> [String] {
        steps.flatMap(\.statements).map { $0.bindings.isEmpty ? $0.text : "\($0.text) \($0.bindings)" }
    }

    // MARK: Attributes

    @Test("an optional attribute is one new column")
    func optionalAttribute() throws {
        let steps = try steps(from: "Car { plate: string }", to: "Car { plate: string; note: string }")
        expectEqual(steps.dropLast().map(\.description), ["add the column ZNOTE to ZCAR"])
        expectEqual(statements(steps.prefix(1)), ["ALTER TABLE ZCAR ADD COLUMN ZNOTE VARCHAR"])
    }

    @Test("a default value is written into the rows of each entity")
    func defaultValue() throws {
        let steps = try steps(
            from: "Car { plate: string }\nTruck: Car",
            to: "Car { plate: string; axles: integer16, required, default: 2 }\nTruck: Car")
        expectEqual(
            statements(steps.prefix(1)),
            [
                "ALTER TABLE ZCAR ADD COLUMN ZAXLES INTEGER", "UPDATE ZCAR SET ZAXLES = ? WHERE Z_ENT = ? [2, 1]",
                "UPDATE ZCAR SET ZAXLES = ? WHERE Z_ENT = ? [2, 2]",
            ])
    }

    @Test("columns that exchange their names do so by way of other names")
    func exchangedNames() throws {
        let words = try words(
            from: "Car { front: string; rear: string }",
            to: "Car { front: string, renamed-from: rear; rear: string, renamed-from: front }")
        expectEqual(
            words,
            [
                "rename the column ZREAR of ZCAR to Z_MIGRATED_0", "rename the column ZFRONT of ZCAR to Z_MIGRATED_1",
                "rename the column Z_MIGRATED_0 of ZCAR to ZFRONT", "rename the column Z_MIGRATED_1 of ZCAR to ZREAR",
            ])
    }

    @Test("another type of number is checked, and converted in a new table")
    func convertedNumber() throws {
        let steps = try steps(from: "Car { weight: double }", to: "Car { weight: integer16 }")
        expectEqual(
            steps.dropLast().map(\.description),
            [
                "check that the values of Car.weight are between -32768 and 32767",
                "rename the table ZCAR to Z_MIGRATED_0",
                "create the table ZCAR", "copy the rows of Car from Z_MIGRATED_0 to ZCAR",
                "drop the table Z_MIGRATED_0",
            ])
        expectEqual(
            statements(steps[3...3]),
            [
                """
                INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZWEIGHT) SELECT Z_PK, Z_ENT, Z_OPT, CAST(ZWEIGHT AS INTEGER) \
                FROM Z_MIGRATED_0 WHERE Z_ENT IN (1)
                """
            ])
    }

    @Test("a required attribute gets its default value in place of NULL, which is bound")
    func requiredAttribute() throws {
        let steps = try steps(
            from: "Car { plate: string; old: string }", to: #"Car { plate: string, required, default: "none" }"#)
        let copy = try requireValue(steps.first { if case .copyRows = $0.action { true } else { false } })
        expectEqual(
            statements([copy]),
            [
                """
                INSERT INTO ZCAR (Z_PK, Z_ENT, Z_OPT, ZPLATE) SELECT Z_PK, Z_ENT, Z_OPT, COALESCE(ZPLATE, ?) \
                FROM Z_MIGRATED_0 WHERE Z_ENT IN (1) ["none"]
                """
            ])
    }

    @Test("external storage that is switched off reads the files after the rows were written")
    func inlinedData() throws {
        let words = try words(
            from: "Car { photo: binary, external-storage }", to: "Car { photo: binary, required, default: data \"\" }")
        expectEqual(
            words,
            [
                "rename the table ZCAR to Z_MIGRATED_0", "create the table ZCAR",
                "copy the rows of Car from Z_MIGRATED_0 to ZCAR", "drop the table Z_MIGRATED_0",
                "read the values of ZPHOTO of ZCAR from files",
            ])
    }

    @Test("external storage that is switched on reads no file")
    func externalData() throws {
        let words = try words(from: "Car { photo: binary }", to: "Car { photo: binary, external-storage }")
        #expect(!words.contains { $0.hasPrefix("read the values") })
    }

    @Test("a new derived attribute is computed at the end, before the triggers that maintain it")
    func derivedAttribute() throws {
        let cars = "\nCar { to-one owner: Owner, inverse: cars }"
        let steps = try steps(
            from: "Owner { to-many cars: Car, inverse: owner }" + cars,
            to: #"Owner { count: integer64, derived: "cars.@count"; to-many cars: Car, inverse: owner }"# + cars)
        let words = steps.map(\.description)
        expectEqual(words.first, "add the column ZCOUNT to ZOWNER")
        let computing = try requireValue(words.firstIndex(of: "compute Owner.count"))
        let trigger = try requireValue(words.firstIndex(of: "create a trigger"))
        #expect(computing < trigger)
    }

    @Test("a derived attribute whose source stays is not computed again, and its table is not written again")
    func unchangedDerivedAttribute() throws {
        let owner = #"Owner { count: integer64, derived: "cars.@count"; to-many cars: Car, inverse: owner }"#
        let car = "\nCar { seats: integer16; to-one owner: Owner, inverse: cars"
        let words = try words(from: owner + car + " }", to: owner + car + "; plate: string }")
        expectEqual(words.first, "add the column ZPLATE to ZCAR")
        #expect(!words.contains { $0.hasPrefix("compute") || $0.hasPrefix("copy the rows") })
    }

    @Test("a derived attribute is computed again when the values change that it is derived from")
    func changedSource() throws {
        let owner = #"Owner { sum: integer64, derived: "cars.seats.@sum"; to-many cars: Car, inverse: owner }"# + "\n"
        let words = try words(
            from: owner + "Car { seats: integer16; to-one owner: Owner, inverse: cars }",
            to: owner + "Car { seats: integer16, required, default: 4; to-one owner: Owner, inverse: cars }")
        expectContains(words, "compute Owner.sum")
    }

    // MARK: Entities

    @Test("a new entity is a new table")
    func newEntity() throws {
        let words = try words(from: "Car { plate: string }", to: "Car { plate: string }\nDriver { name: string }")
        expectEqual(words, ["create the table ZDRIVER"])
    }

    @Test("a removed entity is a table that is dropped, or left for later")
    func removedEntity() throws {
        let old = "Car { plate: string }\nDriver { name: string }"
        let rename = "rename the table ZDRIVER to Z_MIGRATED_0"
        try expectEqual(words(from: old, to: "Car { plate: string }"), [rename, "drop the table Z_MIGRATED_0"])
        try expectEqual(words(from: old, to: "Car { plate: string }", isDeferred: true), [rename])
    }

    @Test("an entity with another name takes its table along")
    func renamedEntity() throws {
        let words = try words(from: "Car { plate: string }", to: "Vehicle, renamed-from: Car { plate: string }")
        expectEqual(words, ["rename the table ZCAR to Z_MIGRATED_0", "rename the table Z_MIGRATED_0 to ZVEHICLE"])
    }

    @Test("an entity that leaves a hierarchy takes its rows along")
    func deletedSubentity() throws {
        let words = try words(
            from: "Car { plate: string }\nTruck: Car { load: double }\nDriver { to-one car: Car }",
            to: "Car { plate: string }\nDriver { to-one car: Car }", isDeferred: true)
        expectContains(words, "delete the rows of Truck from ZCAR")
        expectContains(words, "clear the references ZCAR of ZDRIVER to objects that are gone")
    }

    @Test("the highest keys are recorded for the new entities")
    func keys() throws {
        let steps = try steps(
            from: "Car { plate: string }", to: "Vehicle, renamed-from: Car { plate: string }", highestKeys: [1: 17])
        expectEqual(
            statements(steps.suffix(1)),
            [
                "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT <= ? [16000]",
                """
                INSERT OR REPLACE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?) \
                [1, "Vehicle", 0, 17]
                """,
            ])
    }

    // MARK: Relationships

    @Test("a required relationship is checked first")
    func requiredRelationship() throws {
        let owner = "\nOwner { to-many cars: Car, inverse: owner }"
        let words = try words(
            from: "Car { to-one owner: Owner, inverse: cars }" + owner,
            to: "Car { to-one owner: Owner, inverse: cars, required }" + owner)
        expectEqual(words, ["check that every Car has owner"])
    }

    @Test("a to-one relationship that becomes to-many fills a join table from the keys")
    func toManyFromToOne() throws {
        let words = try words(
            from: "Car { to-one owner: Owner, inverse: cars }\nOwner { to-many cars: Car, inverse: owner }",
            to: "Car { to-many owner: Owner, inverse: cars }\nOwner { to-many cars: Car, inverse: owner }")
        #expect(words.contains { $0.hasPrefix("create the table Z_1") })
        #expect(words.contains { $0.hasPrefix("fill the join table Z_1") })
    }

    @Test("a relationship that becomes ordered gets positions")
    func positions() throws {
        let car = "Car { to-one owner: Owner, inverse: cars }\n"
        let words = try words(
            from: car + "Owner { to-many cars: Car, inverse: owner }",
            to: car + "Owner { to-many cars: Car, inverse: owner, ordered }")
        expectEqual(words, ["add the column Z_FOK_OWNER to ZCAR", "fill the positions Z_FOK_OWNER of ZCAR"])
    }

    // MARK: Indexes

    @Test("an index stays with its table, and is made again with the column's new name")
    func indexes() throws {
        let old = "Car { plate: string; year: integer16; index byPlate: plate; index byYear: year }"
        try expectEqual(
            words(from: old, to: old.replacing("year: integer16", with: "year: integer16; note: string")),
            ["add the column ZNOTE to ZCAR"])
        let renamed = try words(
            from: old,
            to: "Car { plate: string; built: integer16, renamed-from: year; index byPlate: plate; index byYear: built }"
        )
        let drops = renamed.filter { $0.hasPrefix("drop the index") }
        expectContains(drops, "drop the index Z_Car_byYear")
        expectEqual(renamed.count { $0 == "create an index of ZCAR" }, drops.count)
    }
}
