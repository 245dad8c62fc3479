/// Saves without a call of `save()`.
@MainActor @Suite struct AutosaveTests {
    @Test func mainContextSavesAtTheEndOfTheTurn() async throws {
        let container = try RecipeBox.container()
        let context = container.mainContext
        let saved = AsyncStream<Void> { continuation in
            let token = NotificationCenter.default.addObserver(
                forName: ModelContext.didSave, object: context, queue: nil
            ) { _ in continuation.finish() }
            nonisolated(unsafe) let observer = token
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(observer) }
        }
        context.insert(Recipe(title: "Soup"))
        for await _ in saved {}
        expectFalse(context.hasChanges)
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Recipe>()), 1)
    }

    @Test func mainContextMergesByItself() async throws {
        let container = try RecipeBox.container()
        let importer = RecipeImporter(modelContainer: container)
        let ids = try await importer.add(["Soup"])
        let recipe = try requireValue(container.mainContext.model(for: ids[0]) as? Recipe)
        expectEqual(recipe.rating, 0)
        let changed = AsyncStream<Void> { continuation in
            withObservationTracking {
                _ = recipe.rating
            } onChange: {
                continuation.finish()
            }
        }
        try await importer.rate(ids[0], 4)
        for await _ in changed {}
        expectEqual(recipe.rating, 4)
    }
}
