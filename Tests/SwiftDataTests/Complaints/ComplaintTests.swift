/// Behaviour that people miss in Apple's SwiftData. The page `SwiftDataComplaints` names these tests and others.
@Suite struct ComplaintTests {
    @Test func toManyArrayKeepsTheOrderOfInsertion() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        let soup = Recipe(title: "Soup")
        context.insert(soup)
        let names = (0..<20).map { "Ingredient \($0)" }
        for name in names { soup.ingredients.append(Ingredient(name: name)) }
        expectEqual(soup.ingredients.map(\.name), names)
        try context.save()
        expectEqual(soup.ingredients.map(\.name), names)
        let read = try requireValue(try ModelContext(container).fetch(FetchDescriptor<Recipe>()).first)
        expectEqual(Set(read.ingredients.map(\.name)), Set(names))
        if RecipeBox.hasDefaultStores { expectEqual(read.ingredients.map(\.name), names) }
    }

    @Test func optionalToManyRelationshipIsAsked() throws {
        let context = try RecipeBox.context()
        let french = Cuisine(name: "French")
        french.recipes = [Recipe(title: "Soup", servings: 4)]
        context.insert(french)
        context.insert(Cuisine(name: "Empty"))
        try context.save()
        let found = try context.fetch(
            FetchDescriptor<Cuisine>(predicate: #Predicate { $0.recipes?.contains { $0.servings == 4 } ?? false }))
        expectEqual(found.map(\.name), ["French"])
    }

    @Test func optionalToManyRelationshipIsNeverNil() throws {
        let context = try RecipeBox.context()
        context.insert(Cuisine(name: "Empty"))
        try context.save()
        try expectEqual(context.fetchCount(FetchDescriptor<Cuisine>(predicate: #Predicate { $0.recipes == nil })), 0)
        try expectEqual(context.fetchCount(FetchDescriptor<Cuisine>(predicate: #Predicate { $0.recipes != nil })), 1)
        let counted = #Predicate<Cuisine> { ($0.recipes?.count ?? -1) == 0 }
        try expectEqual(context.fetchCount(FetchDescriptor<Cuisine>(predicate: counted)), 1)
    }

    @Test func relationshipIsComparedWithNil() throws {
        let context = try RecipeBox.context()
        let soup = Recipe(title: "Soup")
        soup.cuisine = Cuisine(name: "French")
        context.insert(soup)
        context.insert(Recipe(title: "Salad"))
        try context.save()
        let found = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.cuisine == nil }))
        expectEqual(found.map(\.title), ["Salad"])
    }

    @Test func enumerationIsFilteredByItsValue() throws {
        let context = try RecipeBox.context()
        context.insert(Recipe(title: "Soup", course: .starter))
        context.insert(Recipe(title: "Cake", course: .dessert))
        try context.save()
        let course = Course.dessert
        let found = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.course == course }))
        expectEqual(found.map(\.title), ["Cake"])
    }

    @Test func relationshipsOfModelsWithoutContextWork() throws {
        let soup = Recipe(title: "Soup")
        let water = Ingredient(name: "Water", recipe: soup)
        expectEqual(soup.ingredients.map(\.name), ["Water"])
        let context = try RecipeBox.context()
        context.insert(water)
        try context.save()
        try expectEqual(context.fetch(FetchDescriptor<Recipe>()).map(\.title), ["Soup"])
    }

    @Test func errorOfASaveNamesTheProperty() throws {
        let container = try ModelContainer(
            for: Schema([Lexicon.self]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContext(container).fetch(FetchDescriptor<Recipe>())
        }
        expectEqual(error?.description.contains("Recipe"), true)
    }

    @Test func resultsInBatchesReadTheRowsOfABatch() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        try context.insert(contentsOf: (0..<50).map { Recipe(title: "Recipe \($0)") })
        let other = ModelContext(container)
        let recipes = try other.fetch(FetchDescriptor<Recipe>(), batchSize: 10)
        expectEqual(recipes.count, 50)
        expectTrue(recipes[49].title.hasPrefix("Recipe"))
    }
}
