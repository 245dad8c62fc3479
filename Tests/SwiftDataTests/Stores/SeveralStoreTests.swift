/// Containers with several stores.
@Suite struct SeveralStoreTests {
    @Test func eachStoreHasItsModels() throws {
        let folder = try TemporaryFolder()
        let recipes = ModelConfiguration("recipes", schema: Schema(RecipeBox.models), url: folder.file("recipes.store"))
        let lexica = ModelConfiguration("lexica", schema: Schema([Lexicon.self]), url: folder.file("lexica.store"))
        let schema = Schema(RecipeBox.models + [Lexicon.self])
        let container = try ModelContainer(for: schema, configurations: recipes, lexica)
        let context = ModelContext(container)
        context.insert(Recipe(title: "Soup"))
        context.insert(Lexicon(name: "Larousse"))
        try context.save()
        let own = try ModelContainer(for: Schema([Lexicon.self]), configurations: lexica)
        try expectEqual(ModelContext(own).fetch(FetchDescriptor<Lexicon>()).map(\.name), ["Larousse"])
        let lexicon = try requireValue(try context.fetch(FetchDescriptor<Lexicon>()).first)
        let store = try requireValue(lexicon.persistentModelID.storeIdentifier)
        expectEqual(container.configurationName(forStoreIdentifier: store), "lexica")
    }

    @Test func historyOfSeveralStoresIsInTheOrderOfTheSaves() throws {
        let folder = try TemporaryFolder()
        let recipes = ModelConfiguration("recipes", schema: Schema(RecipeBox.models), url: folder.file("recipes.store"))
        let lexica = ModelConfiguration("lexica", schema: Schema([Lexicon.self]), url: folder.file("lexica.store"))
        let container = try ModelContainer(
            for: Schema(RecipeBox.models + [Lexicon.self]), configurations: recipes, lexica)
        let context = ModelContext(container)
        for title in ["A", "B"] {
            context.insert(Recipe(title: title))
            try context.save()
            context.insert(Lexicon(name: title))
            try context.save()
        }
        let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        let names = history.map { container.configurationName(forStoreIdentifier: $0.storeIdentifier) }
        expectEqual(names, ["recipes", "lexica", "recipes", "lexica"])
    }
}
