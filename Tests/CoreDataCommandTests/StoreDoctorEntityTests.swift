import CoreData
import Testing

@testable import CoreDataStores

/// Entity numbers of rows and of references, as another program may leave them.
@Suite("coredata store doctor: entity numbers")
struct StoreDoctorEntityTests {
    private let folder = try! TemporaryFolder()

    private var path: String { folder.path("Garage.sqlite") }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    /// Owners with a favorite vehicle: a car or a bike, so that each reference has an entity column.
    private static func makeModel() -> NSManagedObjectModel {
        let (owner, vehicle) = (entity("Owner"), entity("Vehicle"))
        vehicle.subentities = [entity("Bike"), entity("Car")]
        let favorite = NSRelationshipDescription()
        favorite.name = "favorite"
        favorite.destinationEntity = vehicle
        favorite.maxCount = 1
        favorite.isOptional = true
        owner.properties = [favorite]
        let model = NSManagedObjectModel()
        model.entities = [owner, vehicle] + vehicle.subentities
        return model
    }

    /// Makes a store with three owners, who have a car each.
    ///
    /// - Returns: a connection to the store.
    private func makeStore() throws -> SQLiteConnection {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Garage.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for _ in 0..<3 {
                let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
                let car = NSEntityDescription.insertNewObject(forEntityName: "Car", into: context)
                owner.setValue(car, forKey: "favorite")
            }
            try context.save()
        }
        try coordinator.remove(store)
        return try SQLiteConnection(path: path, mode: .readWrite)
    }

    private func number(_ entity: String, _ connection: SQLiteConnection) throws -> Int64 {
        try requireValue(try connection.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'"))
    }

    private func entityColumn(_ connection: SQLiteConnection) throws -> String {
        try requireValue(
            try connection.text("SELECT name FROM pragma_table_info('ZOWNER') WHERE name GLOB 'Z[0-9]*_FAVORITE'"))
    }

    private func problems() async throws -> [Substring] {
        let run = try await CommandRun("store", "doctor", path)
        expectEqual(run.status, 1)
        expectEqual(run.errors, "")
        let start = try requireValue(run.lines.firstIndex { $0.hasPrefix("Integrity: ") })
        return run.lines[(start + 1)...].map { $0.drop { $0 == " " } }
    }

    @Test("A row with a Z_ENT of no entity, and a reference with the number of another entity, are both named")
    func both() async throws {
        let connection = try makeStore()
        let column = try entityColumn(connection)
        let bike = try number("Bike", connection)
        try connection.run("UPDATE ZOWNER SET Z_ENT = 77 WHERE Z_PK = 3")
        try connection.run("UPDATE ZOWNER SET \(column) = \(bike) WHERE Z_PK = 2")
        let problems = try await problems()
        expectEqual(problems.count, 2)
        expectContains(
            problems, "Owner: 1 row of the table ZOWNER has a Z_ENT that is no entity of the table (Z_PK 3).")
        expectContains(
            problems,
            """
            Owner.favorite: 1 object refers to an object by another entity than its own (\(column)) (Z_PK 2).
            """)
    }

    @Test("A row that has become one of another entity of its table is named by the references to it")
    func otherEntity() async throws {
        let connection = try makeStore()
        let car = try requireValue(try connection.integer("SELECT ZFAVORITE FROM ZOWNER WHERE Z_PK = 1"))
        try connection.run("UPDATE ZVEHICLE SET Z_ENT = \(number("Bike", connection)) WHERE Z_PK = \(car)")
        let problems = try await problems()
        expectEqual(problems.count, 1)
        expectEqual(problems.first?.hasPrefix("Owner.favorite: 1 object refers to an object by another entity"), true)
        expectEqual(problems.first?.hasSuffix("(Z_PK 1)."), true)
    }

    @Test("A reference without its entity number, or with one of no entity, is named", arguments: ["NULL", "77"])
    func referenceOfNoEntity(value: String) async throws {
        let connection = try makeStore()
        try connection.run("UPDATE ZOWNER SET \(entityColumn(connection)) = \(value) WHERE Z_PK = 2")
        let problems = try await problems()
        expectEqual(problems.count, 1)
        expectEqual(problems.first?.hasPrefix("Owner.favorite: 1 object refers to an object by another entity"), true)
        expectEqual(problems.first?.hasSuffix("(Z_PK 2)."), true)
    }
}
