/// Swift predicates as the conditions of fetches, and their evaluation in memory.
@Suite struct PredicateTests {
    private let context: ModelContext

    init() throws {
        context = try RecipeBox.context()
        let french = Cuisine(name: "French")
        let thai = Cuisine(name: "Thai")
        for number in 0..<20 {
            let recipe = Recipe(
                title: "Recipe \(number)", course: Course.allCases[number % 3], servings: number,
                created: Date(timeIntervalSinceReferenceDate: Double(number) * 86_400))
            recipe.rating = Double(number) / 4
            recipe.isFavorite = number % 2 == 0
            recipe.summary = number % 4 == 0 ? nil : "Tasty \(number)"
            recipe.difficulty = number % 5 == 0 ? nil : number % 2 == 0 ? .easy : .hard
            recipe.source = number % 3 == 0 ? Source(name: "Book \(number % 2)", page: number, authors: []) : nil
            recipe.cuisine = number % 4 == 1 ? french : number % 4 == 2 ? thai : nil
            recipe.ingredients = (0..<number % 4).map { Ingredient(name: "I\($0)", amount: Double($0 * number)) }
            context.insert(recipe)
        }
        try context.save()
    }

    /// Expects that the store and the evaluation in memory find the same models, and not none or all.
    private func check(_ predicate: Predicate<Recipe>, _ location: SourceLocation = #_sourceLocation) throws {
        let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.servings).sorted()
        let all = try context.fetch(FetchDescriptor<Recipe>())
        let expected = try all.filter { try predicate.evaluate($0) }.map(\.servings).sorted()
        #expect(found == expected, sourceLocation: location)
        #expect(!expected.isEmpty, sourceLocation: location)
        #expect(expected.count < all.count, sourceLocation: location)
    }

    @Test func comparisonsOfPlainValues() throws {
        let title = "Recipe 7"
        let day = Date(timeIntervalSinceReferenceDate: 5 * 86_400)
        try check(#Predicate { $0.title == title })
        try check(#Predicate { $0.servings > 5 && $0.servings <= 12 })
        try check(#Predicate { $0.rating >= 2.5 || $0.isFavorite })
        try check(#Predicate { $0.created < day })
        try check(#Predicate { !$0.isFavorite })
        try check(#Predicate { $0.servings != 3 })
    }

    @Test func optionalsAndTheirDefaults() throws {
        try check(#Predicate { $0.summary == nil })
        try check(#Predicate { $0.summary != nil })
        try check(#Predicate { ($0.summary ?? "none") == "none" })
        try check(#Predicate { $0.summary?.contains("1") == true })
        try check(
            #Predicate {
                if let summary = $0.summary { return summary.contains("3") } else { return false }
            })
    }

    @Test func textFunctions() throws {
        try check(#Predicate { $0.title.contains("1") })
        try check(#Predicate { $0.title.localizedStandardContains("RECIPE 1") })
        try check(#Predicate { $0.title.starts(with: "Recipe 1") })
    }

    @Test func arithmeticAndConditions() throws {
        try check(#Predicate { $0.servings * 2 + 1 > 15 })
        try check(#Predicate { $0.servings % 3 == 1 })
        try check(#Predicate { ($0.isFavorite ? $0.servings : 0) > 8 })
        try check(#Predicate { $0.rating / 2 > 1.5 })
    }

    @Test func enumerationsWithRawValues() throws {
        let dessert = Course.dessert
        let hard = Difficulty.hard
        try check(#Predicate { $0.course == dessert })
        try check(#Predicate { $0.course.rawValue == "main" })
        try check(#Predicate { $0.difficulty == hard })
        try check(#Predicate { $0.difficulty == nil })
        let courses: [Course] = [.main, .starter]
        try check(#Predicate { courses.contains($0.course) })
    }

    @Test func membersOfStructures() throws {
        try check(#Predicate { $0.source?.name == "Book 1" })
        try check(#Predicate { ($0.source?.page ?? 0) > 4 })
        try check(#Predicate { $0.source == nil })
        try check(#Predicate { $0.source != nil })
    }

    @Test func relationships() throws {
        let french = try requireValue(
            try context.fetch(FetchDescriptor<Cuisine>(predicate: #Predicate { $0.name == "French" })).first)
        let id = french.persistentModelID
        try check(#Predicate { $0.cuisine == nil })
        try check(#Predicate { $0.cuisine?.name == "Thai" })
        try check(#Predicate { $0.cuisine?.persistentModelID == id })
        try check(#Predicate { $0.ingredients.isEmpty })
        try check(#Predicate { $0.ingredients.count > 1 })
        try check(#Predicate { $0.ingredients.contains { $0.name == "I1" } })
        try check(#Predicate { $0.ingredients.allSatisfy { $0.amount < 9 } })
        try check(#Predicate { $0.ingredients.filter { $0.amount > 4 }.count == 1 })
    }

    @Test func identifiersOfModels() throws {
        let recipes = try context.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.servings)]))
        let id = recipes[4].persistentModelID
        let ids = recipes.prefix(3).map(\.persistentModelID)
        try check(#Predicate { $0.persistentModelID == id })
        try check(#Predicate { ids.contains($0.persistentModelID) })
    }

    @Test func capturedValues() throws {
        let titles: Set<String> = ["Recipe 2", "Recipe 9"]
        let range = 4...8
        let nothing: String? = nil
        try check(#Predicate { titles.contains($0.title) })
        try check(#Predicate { range.contains($0.servings) })
        try check(#Predicate { $0.summary == nothing })
    }

    @Test func subclassesAreSelected() throws {
        let container = try ModelContainer(
            for: Trip.self, BusinessTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(BusinessTrip(place: "Berlin", purpose: "Fair"))
        context.insert(Trip(place: "Rome"))
        try context.save()
        let business = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0 is BusinessTrip }))
        expectEqual(business.map(\.place), ["Berlin"])
        let fairs = try context.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { ($0 as? BusinessTrip)?.purpose == "Fair" }))
        expectEqual(fairs.map(\.place), ["Berlin"])
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func computedPropertyIsRefusedWithItsName() throws {
        let error = #expect(throws: SwiftDataError.unsupportedPredicate) {
            try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.hasChanges }))
        }
        _ = error
    }

    @Test func unsavedModelsCount() throws {
        context.insert(Recipe(title: "New", servings: 100))
        let found = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.servings > 50 }))
        expectEqual(found.map(\.title), ["New"])
    }

    @Test func comparisonWithoutCase() throws {
        let same = ComparisonResult.orderedSame
        try check(#Predicate { $0.title.caseInsensitiveCompare("RECIPE 7") == same })
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func comparisonByLanguageIsRefused() {
        let same = ComparisonResult.orderedSame
        let predicate = #Predicate<Recipe> { $0.title.localizedCompare("Recipe 7") == same }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try context.fetch(FetchDescriptor(predicate: predicate))
        }
    }
}
