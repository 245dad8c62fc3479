/// Models without and with a context.
@Suite struct ModelTests {
    @Test func newModelHasTheValuesOfItsInitializer() {
        let recipe = Recipe(title: "Soup", course: .starter, servings: 4)
        expectEqual(recipe.title, "Soup")
        expectEqual(recipe.course, .starter)
        expectEqual(recipe.servings, 4)
    }

    @Test func newModelHasTheDefaultsOfTheSource() {
        let recipe = Recipe(title: "Soup")
        expectEqual(recipe.rating, 0)
        expectEqual(recipe.tags, [])
        expectEqual(recipe.summary, nil)
    }

    @Test func newModelHasNoContext() {
        let recipe = Recipe(title: "Soup")
        expectEqual(recipe.modelContext, nil)
        expectTrue(recipe.persistentModelID.isTemporary)
    }

    @Test func relationshipsOfNewModelsHaveBothSides() {
        let recipe = Recipe(title: "Soup")
        let water = Ingredient(name: "Water")
        recipe.ingredients.append(water)
        #expect(water.recipe === recipe)
    }

    @Test func relationshipSetByAnInitializerHasBothSides() {
        let recipe = Recipe(title: "Soup")
        let water = Ingredient(name: "Water", recipe: recipe)
        #expect(water.recipe === recipe)
        #expect(recipe.ingredients.first === water)
    }

    @Test func insertedModelsKeepTheirIdentity() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        #expect(recipe.modelContext === context)
        #expect(try context.fetch(FetchDescriptor<Recipe>()).first === recipe)
    }

    @Test func modelMadeBeforeAContainerIsInserted() throws {
        let diary = DiaryPage(text: "Monday")
        let container = try ModelContainer(
            for: DiaryPage.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(diary)
        try context.save()
        try expectEqual(context.fetch(FetchDescriptor<DiaryPage>()).map(\.text), ["Monday"])
        #expect(diary.modelContext === context)
    }

    @Test func valuesAreReadByKeyPath() {
        let recipe = Recipe(title: "Soup")
        recipe.setValue(forKey: \.title, to: "Stew")
        expectEqual(recipe.getValue(forKey: \.title), "Stew")
    }

    @Test func subclassHasTheValuesOfBothInitializers() throws {
        let trip = BusinessTrip(place: "Berlin", purpose: "Fair")
        expectEqual(trip.place, "Berlin")
        expectEqual(trip.purpose, "Fair")
    }

    @Test func subclassIsFetchedAsItsSuperclass() throws {
        let container = try ModelContainer(
            for: Trip.self, BusinessTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(BusinessTrip(place: "Berlin", purpose: "Fair"))
        context.insert(Trip(place: "Rome"))
        try context.save()
        let trips = try ModelContext(container).fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.place)]))
        expectEqual(trips.map(\.place), ["Berlin", "Rome"])
        expectEqual((trips.first as? BusinessTrip)?.purpose, "Fair")
    }

    @Test func deletedModelAnswersItsLastValues() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        context.insert(Recipe(title: "Soup", servings: 3))
        try context.save()
        let other = ModelContext(container)
        let recipe = try requireValue(try other.fetch(FetchDescriptor<Recipe>()).first)
        other.delete(recipe)
        expectTrue(recipe.isDeleted)
        try other.save()
        expectEqual(recipe.modelContext, nil)
        expectFalse(recipe.isDeleted)
        expectEqual(recipe.title, "Soup")
        expectEqual(recipe.servings, 3)
        expectEmpty(recipe.ingredients)
    }

    @Test func relationshipIsReadAfterTheContextIsReleased() throws {
        let container = try RecipeBox.container()
        do {
            let context = ModelContext(container)
            let recipe = Recipe(title: "Soup")
            recipe.ingredients = [Ingredient(name: "Water")]
            context.insert(recipe)
            try context.save()
        }
        let recipe = try requireValue(try ModelContext(container).fetch(FetchDescriptor<Recipe>()).first)
        expectEqual(recipe.ingredients.map(\.name), ["Water"])
    }

    @Test func contextWithUnsavedChangesIsReleased() throws {
        let container = try RecipeBox.container()
        weak var released: ModelContext?
        do {
            let context = ModelContext(container)
            released = context
            let recipe = Recipe(title: "Soup")
            context.insert(recipe)
            try context.save()
            recipe.ingredients.append(Ingredient(name: "Water"))
        }
        expectEqual(released, nil)
    }

    @MainActor @Test func containerIsReleasedWithItsMainContext() throws {
        weak var released: ModelContext?
        weak var releasedContainer: ModelContainer?
        do {
            let container = try RecipeBox.container()
            releasedContainer = container
            released = container.mainContext
            container.mainContext.insert(Recipe(title: "Soup"))
            try container.mainContext.save()
        }
        expectEqual(released, nil)
        expectEqual(releasedContainer, nil)
    }

    @Test func containerIsReleasedWithRelatedModels() throws {
        weak var released: ModelContainer?
        do {
            let container = try RecipeBox.container()
            released = container
            let context = ModelContext(container)
            let recipe = Recipe(title: "Soup")
            context.insert(recipe)
            recipe.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Leek")]
            try context.save()
            expectEqual(recipe.ingredients.count, 2)
        }
        expectEqual(released, nil)
    }

    @Test func relatedModelsOfAReleasedContextAreRead() throws {
        let container = try RecipeBox.container()
        let recipe = Recipe(title: "Soup")
        do {
            let context = ModelContext(container)
            context.insert(recipe)
            recipe.ingredients = [Ingredient(name: "Water")]
            try context.save()
        }
        expectEqual(recipe.title, "Soup")
        expectEqual(recipe.ingredients.map(\.name), ["Water"])
    }

    @Test func identifierIsEqualAfterCoding() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        let data = try JSONEncoder().encode(recipe.persistentModelID)
        let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: data)
        expectEqual(decoded, recipe.persistentModelID)
        expectEqual(decoded.hashValue, recipe.persistentModelID.hashValue)
        #expect(context.model(for: decoded) as? Recipe === recipe)
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func encodedIdentifierHasTheFormOfApple() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        let data = try JSONEncoder().encode(recipe.persistentModelID)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
        let parts = object?["implementation"]
        #expect(parts?["entityName"] as? String == "Recipe")
        #expect(parts?["primaryKey"] as? String == "p1")
        expectEqual((parts?["uriRepresentation"] as? String)?.hasSuffix("/Recipe/p1"), true)
        #expect(parts?["storeIdentifier"] as? String == recipe.persistentModelID.storeIdentifier)
    }

    @Test func identifierOfNoStoreGivesAModelWithoutContext() throws {
        let context = try RecipeBox.context()
        let id = try PersistentIdentifier.identifier(for: "elsewhere", entityName: "Recipe", primaryKey: "p7")
        expectEqual((context.model(for: id) as? Recipe)?.modelContext, nil)
        let unknown = try PersistentIdentifier.identifier(for: "elsewhere", entityName: "Nothing", primaryKey: "p7")
        expectEqual(context.model(for: unknown).modelContext, nil)
    }
}

@Model final class DiaryPage {
    var text: String
    init(text: String) { self.text = text }
}

@Model class Trip {
    var place: String
    var nights = 1
    init(place: String) { self.place = place }
}

@Model final class BusinessTrip: Trip {
    var purpose: String

    init(place: String, purpose: String) {
        self.purpose = purpose
        super.init(place: place)
    }
}
