/// Actors with their own contexts.
@Suite struct ModelActorTests {
    @Test func actorSavesInItsContext() async throws {
        let container = try RecipeBox.container()
        let importer = RecipeImporter(modelContainer: container)
        let ids = try await importer.add(["A", "B"])
        expectEqual(ids.count, 2)
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Recipe>()), 2)
        await expectEqual(importer.title(of: ids[1]), "B")
    }

    @Test func actorMergesWhatOthersSave() async throws {
        let container = try RecipeBox.container()
        let importer = RecipeImporter(modelContainer: container)
        let ids = try await importer.add(["A"])
        let context = ModelContext(container)
        let recipe = try requireValue(context.model(for: ids[0]) as? Recipe)
        recipe.title = "C"
        try context.save()
        await expectEqual(importer.title(of: ids[0]), "C")
    }

    @Test func manyActorsWorkAtATime() async throws {
        let container = try RecipeBox.container()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let importer = RecipeImporter(modelContainer: container)
                    for part in 0..<5 { _ = try await importer.add(["\(number)-\(part)"]) }
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Recipe>()), 40)
    }
}

@ModelActor
actor RecipeImporter {
    func add(_ titles: [String]) throws -> [PersistentIdentifier] {
        let recipes = titles.map { Recipe(title: $0) }
        for recipe in recipes { modelContext.insert(recipe) }
        try modelContext.save()
        return recipes.map(\.persistentModelID)
    }

    func rate(_ id: PersistentIdentifier, _ rating: Double) throws {
        self[id, as: Recipe.self]?.rating = rating
        try modelContext.save()
    }

    func title(of id: PersistentIdentifier) -> String? { self[id, as: Recipe.self]?.title }
}
