import CoreData
import CoreDataTestSupport

/// Stores that Apple's SwiftData has made, opened with models of the same schema.
@Suite(.enabled(if: Corpus.isPresent)) struct AppleStoreTests {
    private func copy(_ path: String) throws -> (TemporaryFolder, URL) {
        let folder = try TemporaryFolder()
        return (folder, URL(fileURLWithPath: try Corpus.copyStore(path, into: folder, as: "copy.store")))
    }

    private func hashes(at url: URL) throws -> [String: Data] {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        return try requireValue(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
    }

    @Test func cocktailsHaveTheHashesOfTheStore() throws {
        let (folder, url) = try copy("cocktails/cocktails.store")
        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: Schema(Bar.models)))
        let stored = try hashes(at: url)
        let different = model.entityVersionHashesByName.filter { stored[$0.key] != $0.value }.map(\.key)
        expectEmpty(different)
        expectEqual(stored.count, model.entities.count)
        withExtendedLifetime(folder) {}
    }

    @Test func expensesHaveTheHashesOfTheStore() throws {
        let (folder, url) = try copy("household/MyHomeV1Seed.store")
        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: Schema([Expense.self])))
        try expectEqual(hashes(at: url), model.entityVersionHashesByName)
        withExtendedLifetime(folder) {}
    }

    @Test func cocktailsAreRead() throws {
        let (folder, url) = try copy("cocktails/cocktails.store")
        let container = try ModelContainer(for: Schema(Bar.models), configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        let cocktails = try context.fetch(FetchDescriptor<Bar.Cocktail>(sortBy: [SortDescriptor(\.cocktailName)]))
        expectEqual(cocktails.count, 416)
        try expectEqual(context.fetchCount(FetchDescriptor<Bar.Ingredient>()), 1884)
        let plain = try PlainStore(url: url)
        for (cocktail, object) in zip(cocktails, try plain.objects("Cocktail", sortedBy: "cocktailName")) {
            try expectSame(cocktail, object)
        }
        withExtendedLifetime(folder) {}
    }

    private func expectSame(_ cocktail: Bar.Cocktail, _ object: NSManagedObject) throws {
        #expect(cocktail.cocktailName == object.value(forKey: "cocktailName") as? String)
        #expect(cocktail.id == object.value(forKey: "id") as? UUID)
        #expect(cocktail.notes == object.value(forKey: "notes") as? String)
        expectEqual(cocktail.favorite, (object.value(forKey: "favorite") as? NSNumber)?.boolValue)
        let collection = object.value(forKeyPath: "collection.collection") as? NSNumber
        expectEqual(cocktail.collection?.rawValue, collection?.intValue)
        #expect(cocktail.author?.person == object.value(forKeyPath: "author.person") as? String)
        let flavors = try (object.value(forKeyPath: "compiledTags.flavors") as? Data).map {
            try JSONDecoder().decode([String].self, from: $0)
        }
        expectEqual(cocktail.compiledTags.flavors, flavors)
        let booze = try (object.value(forKeyPath: "compiledTags.booze") as? Data).map {
            try JSONSerialization.jsonObject(with: $0) as? [[String: Any]]
        }
        expectEqual(cocktail.compiledTags.booze?.count, booze??.count)
        expectEqual(cocktail.spec.count, (object.value(forKey: "spec") as? NSSet)?.count)
        expectEqual(cocktail.garnish.count, (object.value(forKey: "garnish") as? NSSet)?.count)
        for ingredient in cocktail.spec { #expect(!ingredient.ingredientBase.name.isEmpty) }
    }

    @Test func cocktailsAreChangedAndReadByCoreData() throws {
        let (folder, url) = try copy("cocktails/cocktails.store")
        let before = try hashes(at: url)
        try change(at: url)
        try expectEqual(hashes(at: url), before)
        let plain = try PlainStore(url: url)
        let objects = try plain.objects("Cocktail", sortedBy: "cocktailName")
        expectEqual(objects.count, 417)
        #expect(objects.allSatisfy { ($0.value(forKey: "favorite") as? NSNumber)?.boolValue == true })
        let new = objects.first { $0.value(forKey: "cocktailName") as? String == "Test" }
        #expect(new?.value(forKeyPath: "collection.collection") as? NSNumber == 2)
        expectEqual((new?.value(forKey: "garnish") as? NSSet)?.count, 1)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: ["cocktails/cocktails.store", "household/MyHomeV1Seed.store"])
    func tablesAndIntegrityStayAfterASave(path: String) throws {
        let (folder, url) = try copy(path)
        let before = try tables(at: url)
        if path.hasPrefix("cocktails") {
            try change(at: url)
        } else {
            let container = try ModelContainer(for: Expense.self, configurations: ModelConfiguration(url: url))
            let context = ModelContext(container)
            try requireValue(try context.fetch(FetchDescriptor<Expense>()).first).amount = 7
            context.insert(Expense(amount: 3))
            try context.save()
        }
        try expectEqual(tables(at: url), before)
        let check = try SQLiteFile(url).rows("PRAGMA integrity_check")
        expectEqual(check.map { $0["integrity_check"]?.text }, ["ok"])
        withExtendedLifetime(folder) {}
    }

    /// The statements that make the tables, indexes and triggers of a store.
    private func tables(at url: URL) throws -> Set<String> {
        Set(try SQLiteFile(url).rows("SELECT sql FROM sqlite_master").compactMap { $0["sql"]?.text })
    }

    private func change(at url: URL) throws {
        let container = try ModelContainer(for: Schema(Bar.models), configurations: ModelConfiguration(url: url))
        let context = ModelContext(container)
        let garnish = try requireValue(try context.fetch(FetchDescriptor<Bar.Garnish>()).first)
        for cocktail in try context.fetch(FetchDescriptor<Bar.Cocktail>()) { cocktail.favorite = true }
        let new = Bar.Cocktail(name: "Test")
        new.collection = .second
        new.favorite = true
        new.garnish = [garnish]
        new.compiledTags.flavors = ["Test"]
        context.insert(new)
        try context.save()
    }

    @Test func expenseIsReadChangedAndReadAgain() throws {
        let (folder, url) = try copy("household/MyHomeV1Seed.store")
        do {
            let container = try ModelContainer(for: Expense.self, configurations: ModelConfiguration(url: url))
            let context = ModelContext(container)
            let expense = try requireValue(try context.fetch(FetchDescriptor<Expense>()).first)
            expectEqual(expense.amount, 100)
            expectEqual(expense.note, "Seed")
            expense.amount = Decimal(string: "99.95")!
            context.insert(Expense(amount: 3))
            try context.save()
        }
        let objects = try PlainStore(url: url).objects("Expense", sortedBy: "amount")
        expectEqual(objects.compactMap { $0.value(forKey: "amount") as? NSDecimalNumber }, [3, 99.95])
        withExtendedLifetime(folder) {}
    }
}

/// A store opened by Core Data with the model of its cache.
private final class PlainStore {
    private let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)

    init(url: URL) throws {
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        context.persistentStoreCoordinator = coordinator
    }

    func objects(_ entity: String, sortedBy key: String) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return try context.fetch(request)
    }
}
