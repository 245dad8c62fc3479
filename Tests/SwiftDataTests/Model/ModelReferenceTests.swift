/// A model class that is written without `@Model`: it keeps the backing data as it gets it.
private final class Note: PersistentModel {
    var persistentBackingData: any BackingData<Note>

    init(text: String) {
        persistentBackingData = Note.createBackingData()
        self.text = text
    }

    init(backingData: any BackingData<Note>) { persistentBackingData = backingData }

    var text: String {
        get { getValue(forKey: \.text) }
        set { setValue(forKey: \.text, to: newValue) }
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [Schema.PropertyMetadata(name: "text", keypath: \Note.text, defaultValue: nil, metadata: nil)]
    }
}

/// A fetched model takes the place of its managed object in the array of the fetch, and keeps the object.
@Suite("References between models and their managed objects")
struct ModelReferenceTests {
    private func makeContainer(recipes: Int) throws -> ModelContainer {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        for number in 0..<recipes { context.insert(Recipe(title: "Soup \(number)")) }
        try context.save()
        return container
    }

    @Test("Fetched models keep their values when all else is released")
    func fetchedModelsKeepTheirValues() throws {
        let models = try ModelContext(makeContainer(recipes: 50))
            .fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)]))
        expectEqual(models.count, 50)
        expectEqual(models.first?.title, "Soup 0")
        expectEqual(models.last?.title, "Soup 9")
    }

    @Test("A context is released with the last model of its fetches, also of models that were fetched again")
    func contextIsReleased() throws {
        weak var released: ModelContext?
        weak var releasedContainer: ModelContainer?
        weak var releasedModel: Recipe?
        do {
            let container = try makeContainer(recipes: 20)
            let context = ModelContext(container)
            (released, releasedContainer) = (context, container)
            let some = try context.fetch(FetchDescriptor<Recipe>(predicate: #Predicate { $0.title > "Soup 5" }))
            releasedModel = some.first
            let all = try context.fetch(FetchDescriptor<Recipe>())
            #expect(some.allSatisfy { model in all.contains { $0 === model } })
            let again = try context.fetch(FetchDescriptor<Recipe>())
            #expect(zip(all, again).allSatisfy { $0 === $1 })
        }
        #expect(released == nil && releasedContainer == nil && releasedModel == nil)
    }

    @Test("A model that was released is made again, on the same values")
    func releasedModelIsMadeAgain() throws {
        let context = try ModelContext(makeContainer(recipes: 3))
        for _ in 0..<3 {
            let models = try context.fetch(FetchDescriptor<Recipe>(sortBy: [SortDescriptor(\.title)]))
            expectEqual(models.map(\.title), ["Soup 0", "Soup 1", "Soup 2"])
        }
    }

    @Test("A class without the macro, which keeps the backing data as it gets it, has its values")
    func classWithoutTheMacro() throws {
        weak var released: ModelContext?
        do {
            let container = try ModelContainer(
                for: Schema([Note.self]), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            let writer = ModelContext(container)
            for text in ["a", "b", "c"] { writer.insert(Note(text: text)) }
            try writer.save()
            let context = ModelContext(container)
            released = context
            let notes = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.text)]))
            expectEqual(notes.map(\.text), ["a", "b", "c"])
            notes[1].text = "d"
            try context.save()
            try expectEqual(
                ModelContext(container).fetchCount(FetchDescriptor<Note>(predicate: #Predicate { $0.text == "d" })),
                1)
        }
        expectEqual(released, nil)
    }
}
