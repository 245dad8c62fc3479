/// Contexts insert, change, delete and save models.
@Suite struct ModelContextTests {
    @Test func graphIsInsertedWithOneOfItsModels() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        recipe.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Salt")]
        recipe.cuisine = Cuisine(name: "French")
        context.insert(recipe)
        expectEqual(context.insertedModelsArray.count, 4)
        try context.save()
        try expectEqual(context.fetchCount(FetchDescriptor<Ingredient>()), 2)
        expectFalse(context.hasChanges)
    }

    @Test func modelIsInsertedWhenItIsRelatedToAnInsertedOne() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        let water = Ingredient(name: "Water")
        recipe.ingredients.append(water)
        #expect(water.modelContext === context)
        let salt = Ingredient(name: "Salt")
        salt.recipe = recipe
        #expect(salt.modelContext === context)
        expectEqual(recipe.ingredients.map(\.name), ["Water", "Salt"])
    }

    @Test func savedModelsAreReadByAnotherContext() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        let recipe = Recipe(title: "Soup", created: Date(timeIntervalSinceReferenceDate: 5))
        recipe.ingredients = [Ingredient(name: "Water", amount: 2)]
        context.insert(recipe)
        try context.save()
        let other = ModelContext(container)
        let read = try requireValue(try other.fetch(FetchDescriptor<Recipe>()).first)
        #expect(read !== recipe)
        expectEqual(read.created, Date(timeIntervalSinceReferenceDate: 5))
        expectEqual(read.ingredients.map(\.amount), [2])
        #expect(read.ingredients.first?.recipe === read)
    }

    @Test func storeIsOpenedAgain() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("recipes.store")
        do {
            let container = try ModelContainer(
                for: Schema(RecipeBox.models), configurations: ModelConfiguration(url: url))
            let context = ModelContext(container)
            context.insert(Recipe(title: "Soup"))
            try context.save()
        }
        let container = try ModelContainer(for: Schema(RecipeBox.models), configurations: ModelConfiguration(url: url))
        try expectEqual(ModelContext(container).fetch(FetchDescriptor<Recipe>()).map(\.title), ["Soup"])
    }

    @Test func deleteRuleCascades() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        recipe.ingredients = [Ingredient(name: "Water")]
        context.insert(recipe)
        try context.save()
        context.delete(recipe)
        try context.save()
        try expectEqual(context.fetchCount(FetchDescriptor<Ingredient>()), 0)
    }

    @Test func deletionOfSomeModelsWaitsForTheSave() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        for title in ["A", "B", "C"] { context.insert(Recipe(title: title)) }
        try context.save()
        try context.delete(model: Recipe.self, where: #Predicate { $0.title > "A" })
        expectEqual(context.deletedModelsArray.count, 2)
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Recipe>()), 3)
        try context.save()
        try expectEqual(context.fetch(FetchDescriptor<Recipe>()).map(\.title), ["A"])
    }

    @Test func rollbackDiscardsChanges() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        recipe.title = "Stew"
        let other = Recipe(title: "Pie")
        context.insert(other)
        context.rollback()
        expectEqual(recipe.title, "Soup")
        expectEqual(other.modelContext, nil)
        expectFalse(context.hasChanges)
    }

    @Test func changedModelsAreListed() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        recipe.rating = 5
        #expect(context.changedModelsArray.first as? Recipe === recipe)
        expectTrue(recipe.hasChanges)
    }

    @Test func transactionSaves() throws {
        let context = try RecipeBox.context()
        try context.transaction { context.insert(Recipe(title: "Soup")) }
        expectFalse(context.hasChanges)
        try expectEqual(context.fetchCount(FetchDescriptor<Recipe>()), 1)
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func secondModelWithASavedUniqueValueUpdatesTheFirst() throws {
        let context = try RecipeBox.context()
        context.insert(Recipe(title: "Soup", servings: 2))
        try context.save()
        context.insert(Recipe(title: "Soup", servings: 6))
        try context.save()
        try expectEqual(context.fetch(FetchDescriptor<Recipe>()).map(\.servings), [6])
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func secondModelWithAPendingUniqueValueUpdatesTheFirst() throws {
        let context = try RecipeBox.context()
        context.insert(Recipe(title: "Soup", servings: 2))
        context.insert(Recipe(title: "Soup", servings: 6))
        try context.save()
        try expectEqual(context.fetch(FetchDescriptor<Recipe>()).map(\.servings), [6])
    }

    @Test func otherContextMergesASaveWhenItFetches() throws {
        let container = try RecipeBox.container()
        let one = ModelContext(container)
        let recipe = Recipe(title: "Soup")
        one.insert(recipe)
        try one.save()
        let other = ModelContext(container)
        let read = try requireValue(try other.fetch(FetchDescriptor<Recipe>()).first)
        expectEqual(read.rating, 0)
        recipe.rating = 4
        try one.save()
        _ = try other.fetchCount(FetchDescriptor<Recipe>())
        expectEqual(read.rating, 4)
    }

    @Test func registeredModelIsOneThatTheContextHas() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        let found: Recipe? = context.registeredModel(for: recipe.persistentModelID)
        #expect(found === recipe)
        let other: Recipe? = ModelContext(container).registeredModel(for: recipe.persistentModelID)
        expectEqual(other, nil)
    }

    @Test func resultsInBatchesAreTheModels() throws {
        let context = try RecipeBox.context()
        for number in 0..<25 { context.insert(Recipe(title: "R\(number)", servings: number)) }
        try context.save()
        let results = try context.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.servings)]), batchSize: 10)
        expectEqual(results.count, 25)
        expectEqual(results[24].servings, 24)
    }

    @Test func identifiersAreFetchedInOrder() throws {
        let context = try RecipeBox.context()
        for title in ["B", "A"] { context.insert(Recipe(title: title)) }
        try context.save()
        let identifiers = try context.fetchIdentifiers(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)]))
        expectEqual(identifiers.map { (context.model(for: $0) as? Recipe)?.title }, ["A", "B"])
    }

    @Test func enumerationVisitsAllModels() throws {
        let context = try RecipeBox.context()
        for number in 0..<12 { context.insert(Recipe(title: "R\(number)", servings: number)) }
        try context.save()
        var sum = 0
        try context.enumerate(FetchDescriptor<Recipe>(), batchSize: 5) { sum += $0.servings }
        expectEqual(sum, 66)
    }

    @Test func changeInAnEnumerationIsRefused() throws {
        let context = try RecipeBox.context()
        context.insert(Recipe(title: "Soup"))
        try context.save()
        #expect(throws: SwiftDataError.modelValidationFailure) {
            try context.enumerate(FetchDescriptor<Recipe>()) { $0.rating = 1 }
        }
    }

    @Test func undoRevertsAChange() throws {
        let context = try RecipeBox.context()
        let undo = UndoManager()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        context.undoManager = undo
        recipe.rating = 3
        context.processPendingChanges()
        undo.undo()
        expectEqual(recipe.rating, 0)
    }

    @Test func saveIsAnnouncedWithIdentifiers() throws {
        let context = try RecipeBox.context()
        nonisolated(unsafe) var inserted: [PersistentIdentifier]?
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { notification in
            let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
            inserted = notification.userInfo?[key] as? [PersistentIdentifier]
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        expectEqual(inserted, [recipe.persistentModelID])
    }

    @Test func limitAndOffsetSelectAPart() throws {
        let context = try RecipeBox.context()
        for number in 0..<10 { context.insert(Recipe(title: "R\(number)", servings: number)) }
        try context.save()
        var descriptor = FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.servings, order: .reverse)])
        descriptor.fetchLimit = 2
        descriptor.fetchOffset = 3
        try expectEqual(context.fetch(descriptor).map(\.servings), [6, 5])
    }

    @Test func fetchSortsAlongARelationship() throws {
        let context = try RecipeBox.context()
        for (title, cuisine) in [("A", "Thai"), ("B", "French")] {
            let recipe = Recipe(title: title)
            recipe.cuisine = Cuisine(name: cuisine)
            context.insert(recipe)
        }
        try context.save()
        let descriptor = FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.cuisine?.name)])
        try expectEqual(context.fetch(descriptor).map(\.title), ["B", "A"])
    }

    @Test func classThatIsNotInTheSchemaIsRefused() throws {
        let context = try RecipeBox.context()
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<Visit>()) }
    }

    @Test func containerErasesItsFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("recipes.store")
        let container = try ModelContainer(for: Schema(RecipeBox.models), configurations: ModelConfiguration(url: url))
        try container.erase()
        expectFalse(FileManager.default.fileExists(atPath: url.path))
    }

    @Test func duplicateConfigurationIsRefused() {
        let configuration = ModelConfiguration("one", isStoredInMemoryOnly: true)
        #expect(throws: SwiftDataError.duplicateConfiguration) {
            try ModelContainer(for: Schema(RecipeBox.models), configurations: configuration, configuration)
        }
    }

    @MainActor @Test func mainContextIsOne() throws {
        let container = try RecipeBox.container()
        #expect(container.mainContext === container.mainContext)
        expectTrue(container.mainContext.autosaveEnabled)
    }
}
