/// Values of models that may be sent anywhere.
@Suite(.timeLimit(.minutes(TestRun.hangMinutes))) struct ModelSnapshotTests {
    @Test func snapshotHasTheValuesOfTheModel() async throws {
        let context = try RecipeBox.context()
        let soup = Recipe(title: "Soup", course: .starter)
        soup.ingredients = [Ingredient(name: "Water")]
        soup.cuisine = Cuisine(name: "French")
        context.insert(soup)
        try context.save()
        let snapshot = ModelSnapshot(soup)
        let ids = soup.ingredients.map(\.persistentModelID)
        soup.title = "Broth"
        let (title, course, summary) = await Task.detached { (snapshot.title, snapshot.course, snapshot.summary) }.value
        expectEqual(title, "Soup")
        expectEqual(course, .starter)
        expectEqual(summary, nil)
        expectEqual(snapshot.persistentModelID, soup.persistentModelID)
        expectEqual(snapshot.ingredients, ids)
        expectEqual(snapshot.cuisine, soup.cuisine?.persistentModelID)
    }

    @Test func resultsAreASequence() async throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        context.insert(Recipe(title: "A"))
        try context.save()
        var seen: [[String]] = []
        let results = container.results(of: FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)]))
        for try await recipes in results {
            seen.append(recipes.map(\.title))
            if seen.count == 1 {
                context.insert(Recipe(title: "B"))
                try context.save()
            } else if recipes.count == 2 {
                break
            }
        }
        expectEqual(seen.first, ["A"])
        expectEqual(seen.last, ["A", "B"])
    }

    @Test func sequenceEndsWhenItsTaskIsCancelled() async throws {
        let container = try RecipeBox.container()
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in container.results(of: FetchDescriptor<Recipe>()) { signal.yield() }
        }
        for await _ in started { break }
        task.cancel()
        try await task.value
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func sequenceThrowsTheErrorOfTheFetch() async throws {
        let container = try RecipeBox.container()
        let descriptor = FetchDescriptor<Recipe>(predicate: #Predicate { $0.isSelected })
        await #expect(throws: SwiftDataError.unsupportedPredicate) {
            for try await _ in container.results(of: descriptor) {}
        }
    }
}
