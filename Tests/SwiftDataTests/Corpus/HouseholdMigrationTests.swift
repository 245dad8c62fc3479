import CoreData

@testable import CoreDataStores

/// A store that Apple's SwiftData has made, migrated by a plan of seven versions. The values are read without
/// SwiftData.
@Suite(.enabled(if: Corpus.isPresent)) struct HouseholdMigrationTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: try Corpus.copyStore("household/MyHomeV1Seed.store", into: folder, as: "home.store"))
    }

    private func container(_ version: any VersionedSchema.Type) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: HouseholdPlan.self,
            configurations: ModelConfiguration(url: url))
    }

    @Test func rowsHaveAllValues() throws {
        do { _ = try container(HouseholdV7.self) }
        let connection = try SQLiteConnection(path: url.path, mode: .readOnly)
        let seed = "FROM ZEXPENSE WHERE ZMEMO = 'Seed'"
        try expectEqual(connection.text("SELECT hex(ZID) \(seed)"), "1C940251ABBB49B6BA4140B334AC35FC")
        try expectEqual(connection.text("SELECT ZCREATEDAT \(seed)"), "801744174.448288")
        try expectEqual(connection.text("SELECT ZDATE \(seed)"), "801744174.448246")
        try expectEqual(connection.text("SELECT ZUPDATEDAT \(seed)"), "801744174.448288")
        try expectEqual(connection.integer("SELECT ZCENTS \(seed)"), 10000)
        try expectEqual(connection.text("SELECT ZCURRENCY \(seed)"), "INR")
        try expectEqual(connection.text("SELECT CAST(ZCARD AS TEXT) \(seed)")?.contains("1234"), true)
        try expectEqual(connection.text("SELECT typeof(ZTRANSFER) \(seed)"), "null")
        let second = "FROM ZEXPENSE WHERE ZMEMO = 'Second'"
        try expectEqual(connection.integer("SELECT ZCENTS \(second)"), 1999)
        try expectEqual(connection.text("SELECT CAST(ZTRANSFER AS TEXT) \(second)")?.contains("Bank"), true)
        try expectEqual(connection.integer("SELECT COUNT(*) FROM ZEXPENSE"), 2)
        try expectEqual(connection.integer("SELECT COUNT(*) FROM ZACCOUNT WHERE ZNAME = 'Main'"), 1)
        try expectEqual(
            connection.integer(
                "SELECT COUNT(*) FROM ZEXPENSE JOIN ZACCOUNT ON ZACCOUNT.Z_PK = ZEXPENSE.ZACCOUNT"), 2)
        let columns = try connection.text("SELECT group_concat(name) FROM pragma_table_info('ZEXPENSE')")
        expectEqual(columns?.contains("ZAMOUNT"), false)
        expectEqual(columns?.contains("ZNOTE"), false)
        try expectEqual(connection.pragma("integrity_check"), "ok")
    }

    @Test func coreDataReadsTheRelationships() throws {
        do { _ = try container(HouseholdV7.self) }
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        expectEqual(model.entityVersionHashesByName, hashes(HouseholdV7.self))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Expense")
            request.sortDescriptors = [NSSortDescriptor(key: "memo", ascending: false)]
            let expenses = try context.fetch(request)
            expectEqual(expenses.map { $0.value(forKey: "memo") as? String }, ["Seed", "Second"])
            expectEqual(expenses.map { $0.value(forKeyPath: "account.name") as? String }, ["Main", "Main"])
            let categories = expenses.map { expense in
                (expense.value(forKeyPath: "categories.name") as? Set<String>)?.sorted()
            }
            expectEqual(categories, [["General", "Imported"], []])
            expectEqual(expenses.map { $0.value(forKeyPath: "sum.currency") as? String }, ["INR", "INR"])
        }
    }

    private func hashes(_ version: any VersionedSchema.Type) -> [String: Data]? {
        NSManagedObjectModel.makeManagedObjectModel(for: Schema(versionedSchema: version))?.entityVersionHashesByName
    }

    @Test func modelsOfTheLastVersionAreReadAndChanged() throws {
        do {
            let context = ModelContext(try container(HouseholdV7.self))
            let expenses = try context.fetch(
                FetchDescriptor<HouseholdV7.Expense>(sortBy: [SortDescriptor(\.memo, order: .reverse)]))
            expectEqual(expenses.map(\.payment), [.card("1234"), .transfer(bank: "Bank")])
            expectEqual(expenses.map(\.account.name), ["Main", "Main"])
            expectEqual(expenses.map(\.sum.cents), [10000, 1999])
            expenses[0].sum.cents = 1
            try context.save()
        }
        let connection = try SQLiteConnection(path: url.path, mode: .readOnly)
        try expectEqual(connection.integer("SELECT ZCENTS FROM ZEXPENSE WHERE ZMEMO = 'Seed'"), 1)
    }

    @Test func planBeginsAtEachVersion() throws {
        for version in HouseholdPlan.schemas { _ = try container(version) }
        let context = ModelContext(try container(HouseholdV7.self))
        try expectEqual(context.fetchCount(FetchDescriptor<HouseholdV7.Expense>()), 2)
    }

    @Test func missingDestinationsOfARequiredRelationshipAreRefused() throws {
        do { _ = try container(HouseholdV5.self) }
        let before = try rows()
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Schema(versionedSchema: HouseholdV6.self), migrationPlan: PlanWithoutAccounts.self,
                configurations: ModelConfiguration(url: url))
        }
        expectEqual(error?.localizedDescription.contains("account"), true)
        try expectEqual(rows(), before)
    }

    private func rows() throws -> [String?] {
        let connection = try SQLiteConnection(path: url.path, mode: .readOnly)
        return [
            try connection.text("SELECT group_concat(sql) FROM sqlite_master"),
            try connection.text("SELECT group_concat(ZMEMO || ZAMOUNT) FROM ZEXPENSE"),
        ]
    }
}

/// A plan whose last stage makes no accounts.
private enum PlanWithoutAccounts: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [HouseholdV5.self, HouseholdV6.self] }

    static var stages: [MigrationStage] {
        [.custom(fromVersion: HouseholdV5.self, toVersion: HouseholdV6.self, willMigrate: { _ in }, didMigrate: nil)]
    }
}
