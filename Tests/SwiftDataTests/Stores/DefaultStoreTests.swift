import SwiftDataStores

/// Snapshots of the stores of model configurations.
@Suite struct DefaultStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> DefaultStore {
        try DefaultStore(ModelConfiguration("recipes", schema: Schema(RecipeBox.models), url: folder.file("a.store")))
    }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Schema(RecipeBox.models), configurations: ModelConfiguration("recipes", url: folder.file("a.store")))
    }

    /// The snapshots of a soup with two ingredients, whose identifiers are temporary.
    private func newSnapshots() throws -> [DefaultSnapshot] {
        let context = try RecipeBox.context()
        let soup = Recipe(title: "Soup", course: .starter)
        soup.source = Source(name: "Larousse", page: 12, authors: ["A"])
        soup.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Leek", amount: 2)]
        context.insert(soup)
        var related: [PersistentIdentifier: any BackingData] = [:]
        let snapshot = DefaultSnapshot(from: soup.persistentBackingData, relatedBackingDatas: &related)
        expectEqual(related.count, 2)
        return [snapshot]
            + related.values.map { backing in
                var more: [PersistentIdentifier: any BackingData] = [:]
                return DefaultSnapshot(from: backing, relatedBackingDatas: &more)
            }
    }

    @Test func snapshotSurvivesCoding() throws {
        let snapshots = try newSnapshots()
        let container = try container()
        let decoded = try JSONDecoder().decode([DefaultSnapshot].self, from: JSONEncoder().encode(snapshots))
        expectEqual(decoded.map(\.persistentIdentifier), snapshots.map(\.persistentIdentifier))
        let again = try JSONEncoder().encode(decoded[0])
        let object = try requireValue(try JSONSerialization.jsonObject(with: again) as? [String: Any])
        #expect(object["title"] as? String == "Soup")
        #expect(object["course"] as? String == "starter")
        expectEqual((object["ingredients"] as? [Any])?.count, 2)
        withExtendedLifetime(container) {}
    }

    @Test func snapshotOfAnUnknownModelIsNotDecoded() {
        let text =
            #"{"persistentIdentifier":{"implementation":{"primaryKey":"p1","entityName":"Nothing","#
            + #""uriRepresentation":"x:y","isTemporary":false}}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(DefaultSnapshot.self, from: Data(text.utf8))
        }
    }

    @Test func configurationWithoutSchemaIsRefused() {
        #expect(throws: SwiftDataError.unknownSchema) {
            try DefaultStore(ModelConfiguration("recipes", url: folder.file("a.store")))
        }
    }

    /// A container over a store that passes everything to a default store.
    private func audited(_ audit: Audit = Audit()) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(RecipeBox.models),
            configurations: [
                AuditedConfiguration(ModelConfiguration("recipes", url: folder.file("a.store")), audit: audit)
            ])
    }

    @Test func savedSnapshotsAreTheModelsOfTheFile() throws {
        let audit = Audit()
        let context = ModelContext(try audited(audit))
        context.author = "editor"
        let soup = Recipe(title: "Soup", course: .starter)
        soup.source = Source(name: "Larousse", page: 12, authors: ["A"])
        soup.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Leek", amount: 2)]
        soup.cuisine = Cuisine(name: "French")
        context.insert(soup)
        try context.save()
        expectEqual(audit.inserts, 4)
        let file = ModelContext(try container())
        let read = try requireValue(try file.fetch(FetchDescriptor<Recipe>()).first)
        expectEqual(read.source, soup.source)
        expectEqual(read.course, .starter)
        expectEqual(read.cuisine?.name, "French")
        expectEqual(Set(read.ingredients.map(\.amount)), [1, 2])
        expectEqual(read.persistentModelID, soup.persistentModelID)
        try expectEqual(file.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.author), ["editor"])
    }

    @Test func modelsOfTheFileAreReadAndChangedBySnapshots() throws {
        let file = ModelContext(try container())
        let soup = Recipe(title: "Soup", servings: 3)
        soup.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Leek")]
        file.insert(soup)
        file.insert(Recipe(title: "Salad"))
        try file.save()
        let context = ModelContext(try audited())
        let found = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.title == "Soup" }))
        let copy = try requireValue(found.first)
        expectEqual(found.count, 1)
        copy.servings = 7
        context.delete(try requireValue(copy.ingredients.first { $0.name == "Leek" }))
        try context.save()
        file.rollback()
        let again = try requireValue(
            try ModelContext(try container()).fetch(FetchDescriptor<Recipe>()).first { $0.title == "Soup" })
        expectEqual(again.servings, 7)
        expectEqual(again.ingredients.map(\.name), ["Water"])
    }

    @Test func prefetchedModelsAreAmongTheSnapshots() throws {
        let file = ModelContext(try container())
        let soup = Recipe(title: "Soup")
        soup.ingredients = [Ingredient(name: "Water")]
        file.insert(soup)
        try file.save()
        let audit = Audit()
        let context = ModelContext(try audited(audit))
        var descriptor = FetchDescriptor<Recipe>()
        descriptor.relationshipKeyPathsForPrefetching = [\.ingredients]
        let recipes = try context.fetch(descriptor)
        expectEqual(recipes.first?.ingredients.first?.name, "Water")
    }

    @Test func historyAndDeletionsPassThrough() throws {
        let context = ModelContext(try audited())
        for title in ["A", "B"] { context.insert(Recipe(title: title)) }
        try context.save()
        try context.delete(model: Recipe.self, where: #Predicate { $0.title == "A" })
        try expectEqual(context.fetch(FetchDescriptor<Recipe>()).map(\.title), ["B"])
        let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        expectEqual(history.map { $0.changes.count }, [2, 1])
    }
}
