import SwiftDataStores

/// Contexts over stores of the program's own.
@Suite struct OwnStoreTests {
    /// The kinds of stores.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case json
        case memory

        var testDescription: String { rawValue }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func place(_ kind: Kind) -> Place { Place(folder: folder, kind: kind) }

    /// A place for a store, which containers open one after the other.
    private struct Place {
        let folder: TemporaryFolder
        let contents = MemoryContents()
        let kind: Kind

        func container() throws -> ModelContainer {
            switch kind {
            case .json:
                try ModelContainer(
                    for: Schema(RecipeBox.models),
                    configurations: [JSONFileConfiguration(name: "recipes", url: folder.file("recipes.json"))])
            case .memory:
                try ModelContainer(
                    for: Schema(RecipeBox.models),
                    configurations: [
                        MemoryConfiguration(name: "recipes", models: RecipeBox.models, contents: contents)
                    ])
            }
        }
    }

    private static func soup() -> Recipe {
        let soup = Recipe(title: "Soup", course: .starter, created: Date(timeIntervalSinceReferenceDate: 1000))
        soup.source = Source(name: "Larousse", page: 12, authors: ["A", "B"])
        soup.difficulty = .hard
        soup.tags = ["hot", "quick"]
        soup.photo = Data([1, 2, 3])
        soup.website = URL(string: "https://example.org/soup")
        soup.cost = Decimal(string: "12.34")!
        soup.cuisine = Cuisine(name: "French")
        soup.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Leek", amount: 2)]
        return soup
    }

    @Test(arguments: Kind.allCases) func graphIsReadAgain(_ kind: Kind) throws {
        let place = self.place(kind)
        let context = ModelContext(try place.container())
        context.insert(Self.soup())
        try context.save()
        let recipes = try ModelContext(try place.container()).fetch(FetchDescriptor<Recipe>())
        let soup = try requireValue(recipes.first)
        expectEqual(recipes.count, 1)
        expectEqual(soup.title, "Soup")
        expectEqual(soup.course, .starter)
        expectEqual(soup.created, Date(timeIntervalSinceReferenceDate: 1000))
        expectEqual(soup.source, Source(name: "Larousse", page: 12, authors: ["A", "B"]))
        expectEqual(soup.difficulty, .hard)
        expectEqual(soup.tags, ["hot", "quick"])
        expectEqual(soup.photo, Data([1, 2, 3]))
        expectEqual(soup.website, URL(string: "https://example.org/soup"))
        expectEqual(soup.cost, Decimal(string: "12.34"))
        expectEqual(soup.cuisine?.name, "French")
        expectEqual(Set(soup.ingredients.map(\.name)), ["Water", "Leek"])
        #expect(soup.ingredients.allSatisfy { $0.recipe === soup })
    }

    @Test(arguments: Kind.allCases) func predicateAndOrderAreDoneByTheContainer(_ kind: Kind) throws {
        let context = ModelContext(try place(kind).container())
        for (title, servings) in [("A", 4), ("B", 2), ("C", 6), ("D", 8)] {
            context.insert(Recipe(title: title, servings: servings))
        }
        try context.save()
        var descriptor = FetchDescriptor<Recipe>(
            predicate: #Predicate { $0.servings > 2 }, sortBy: [SortDescriptor(\.servings, order: .reverse)])
        try expectEqual(context.fetch(descriptor).map(\.title), ["D", "C", "A"])
        descriptor.fetchLimit = 1
        descriptor.fetchOffset = 1
        try expectEqual(context.fetch(descriptor).map(\.title), ["C"])
        try expectEqual(context.fetchCount(FetchDescriptor<Recipe>(predicate: #Predicate { $0.servings > 2 })), 3)
        try expectEqual(context.fetchIdentifiers(descriptor).count, 1)
    }

    @Test(arguments: Kind.allCases) func unsavedChangesAreLaidOverTheStore(_ kind: Kind) throws {
        let context = ModelContext(try place(kind).container())
        let (one, other) = (Recipe(title: "A", servings: 1), Recipe(title: "B", servings: 9))
        context.insert(one)
        context.insert(other)
        try context.save()
        one.servings = 9
        other.servings = 1
        context.insert(Recipe(title: "C", servings: 9))
        var descriptor = FetchDescriptor<Recipe>(
            predicate: #Predicate { $0.servings == 9 }, sortBy: [SortDescriptor(\.title)])
        try expectEqual(context.fetch(descriptor).map(\.title), ["A", "C"])
        descriptor.includePendingChanges = false
        try expectEqual(context.fetch(descriptor).map(\.title), ["B"])
    }

    @Test(arguments: Kind.allCases) func changesAndDeletionsAreSaved(_ kind: Kind) throws {
        let place = self.place(kind)
        let context = ModelContext(try place.container())
        let soup = Self.soup()
        context.insert(soup)
        context.insert(Recipe(title: "Salad"))
        try context.save()
        soup.title = "Broth"
        soup.ingredients.removeAll { $0.name == "Leek" }
        let cuisine = try requireValue(soup.cuisine)
        soup.cuisine = nil
        context.delete(try requireValue(try context.fetch(FetchDescriptor<Recipe>()).first { $0.title == "Salad" }))
        try context.save()
        expectEqual(cuisine.recipes?.isEmpty, true)
        let other = ModelContext(try place.container())
        let recipes = try other.fetch(FetchDescriptor<Recipe>())
        expectEqual(recipes.map(\.title), ["Broth"])
        expectEqual(recipes.first?.ingredients.map(\.name), ["Water"])
        expectEqual(recipes.first?.cuisine, nil)
        other.delete(recipes[0])
        try other.save()
        try expectEqual(ModelContext(try place.container()).fetch(FetchDescriptor<Ingredient>()).map(\.name), ["Leek"])
    }

    @Test(arguments: Kind.allCases) func savesAreMerged(_ kind: Kind) throws {
        let container = try place(kind).container()
        let context = ModelContext(container)
        let soup = Self.soup()
        context.insert(soup)
        try context.save()
        let other = ModelContext(container)
        let copy = try requireValue(try other.fetch(FetchDescriptor<Recipe>()).first)
        copy.servings = 11
        try other.save()
        context.processPendingChanges()
        expectEqual(soup.servings, 11)
        expectEqual(copy.persistentModelID, soup.persistentModelID)
        #expect(copy !== soup)
    }

    @Test(arguments: Kind.allCases) func identifierIsThatOfTheStore(_ kind: Kind) throws {
        let place = self.place(kind)
        let container = try place.container()
        let context = ModelContext(container)
        let soup = Self.soup()
        context.insert(soup)
        expectTrue(soup.persistentModelID.isTemporary)
        try context.save()
        let identifier = soup.persistentModelID
        expectFalse(identifier.isTemporary)
        expectEqual(identifier.storeIdentifier, container.storeIdentifier(forConfigurationNamed: "recipes"))
        expectEqual(container.configurationName(forStoreIdentifier: identifier.storeIdentifier ?? ""), "recipes")
        let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
        expectEqual(decoded, identifier)
        expectEqual(Set([decoded, identifier]).count, 1)
        let list = try PropertyListEncoder().encode([identifier])
        try expectEqual(PropertyListDecoder().decode([PersistentIdentifier].self, from: list), [identifier])
        let other = ModelContext(try place.container())
        expectEqual((other.model(for: decoded) as? Recipe)?.title, "Soup")
        try expectEqual(other.fetchIdentifiers(FetchDescriptor<Recipe>()), [identifier])
        let found: Recipe? = context.registeredModel(for: identifier)
        #expect(found === soup)
    }

    @Test(arguments: Kind.allCases) func predicateOverAComputedPropertyReachesTheStore(_ kind: Kind) throws {
        let context = ModelContext(try place(kind).container())
        context.insert(Self.soup())
        context.insert(Recipe(title: "Stew"))
        try context.save()
        let found = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.firstLetters == "So" }))
        expectEqual(found.map(\.title), ["Soup"])
    }

    @Test func predicateOverIdentifiersIsEvaluated() throws {
        let context = ModelContext(try place(.json).container())
        let soup = Self.soup()
        context.insert(soup)
        context.insert(Recipe(title: "Salad"))
        try context.save()
        let identifier = soup.persistentModelID
        let found = try context.fetch(
            FetchDescriptor<Recipe>(predicate: #Predicate { $0.persistentModelID == identifier }))
        expectEqual(found.map(\.title), ["Soup"])
        let name = "French"
        let french = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.cuisine?.name == name }))
        expectEqual(french.map(\.title), ["Soup"])
    }

    @Test func batchDeletionIsDoneByTheStore() throws {
        let place = self.place(.memory)
        let context = ModelContext(try place.container())
        context.insert(Recipe(title: "A"))
        context.insert(Recipe(title: "B"))
        try context.save()
        let known = try requireValue(try context.fetch(FetchDescriptor<Recipe>()).first)
        try context.delete(model: Recipe.self)
        expectFalse(context.hasChanges)
        expectEqual(known.modelContext, nil)
        try expectEqual(ModelContext(try place.container()).fetchCount(FetchDescriptor<Recipe>()), 0)
    }

    @Test func historyOfTheStoreIsFetched() throws {
        let context = ModelContext(try place(.memory).container())
        context.author = "editor"
        let soup = Recipe(title: "Soup")
        context.insert(soup)
        try context.save()
        soup.title = "Broth"
        try context.save()
        let all = try context.fetchHistory(HistoryDescriptor<MemoryTransaction>())
        expectEqual(all.map(\.author), ["editor", "editor"])
        expectEqual(
            all.map { $0.changes.map(\.changedPersistentIdentifier) },
            [
                [soup.persistentModelID], [soup.persistentModelID],
            ])
        let token = all[0].token
        let later = HistoryDescriptor<MemoryTransaction>(predicate: #Predicate { $0.token > token })
        try expectEqual(context.fetchHistory(later).map(\.id), [2])
        try context.deleteHistory(later)
        try expectEqual(context.fetchHistory(HistoryDescriptor<MemoryTransaction>()).map(\.id), [1])
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
    }

    @Test func saveIsAnnouncedWithItsHistoryToken() throws {
        let context = ModelContext(try place(.memory).container())
        let tokens = Received()
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { notification in
            let key = ModelContext.NotificationKey.historyTokens.rawValue
            tokens.value = (notification.userInfo?[key] as? [String: any HistoryToken])?["recipes"]
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert(Recipe(title: "Soup"))
        try context.save()
        #expect(tokens.value as? MemoryToken == MemoryToken(tokenValue: 1))
    }

    private final class Received: @unchecked Sendable {
        var value: (any HistoryToken)?
    }

    @Test func twoStoresHaveTheirModels() throws {
        let json = JSONFileConfiguration(
            name: "cuisines", schema: Schema([Lexicon.self]), url: folder.file("lexica.json"))
        let file = ModelConfiguration(
            "recipes", schema: Schema(RecipeBox.models), url: folder.file("recipes.store"))
        let schema = Schema(RecipeBox.models + [Lexicon.self])
        let container = try ModelContainer(for: schema, configurations: [json, file])
        let context = ModelContext(container)
        context.insert(Recipe(title: "Soup"))
        context.insert(Lexicon(name: "Larousse"))
        try context.save()
        let recipe = try requireValue(try context.fetch(FetchDescriptor<Recipe>()).first)
        let lexicon = try requireValue(try context.fetch(FetchDescriptor<Lexicon>()).first)
        expectEqual(
            container.configurationName(forStoreIdentifier: recipe.persistentModelID.storeIdentifier ?? ""), "recipes"
        )
        expectEqual(lexicon.persistentModelID.storeIdentifier, "lexica.json")
        expectContains(try folder.contents, "lexica.json")
    }

    @Test func containerErasesTheStore() throws {
        let place = self.place(.json)
        let container = try place.container()
        let context = ModelContext(container)
        context.insert(Recipe(title: "Soup"))
        try context.save()
        try container.erase()
        expectEmpty(try place.folder.contents)
    }
}

@Model
final class Lexicon {
    var name: String

    init(name: String) { self.name = name }
}

extension Recipe {
    fileprivate var firstLetters: String { String(title.prefix(2)) }
}
