/// Results that follow changes.
@MainActor @Suite(.timeLimit(.minutes(TestRun.hangMinutes))) struct ResultsObserverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Schema(RecipeBox.models), configurations: ModelConfiguration(url: folder.file("recipes.store")))
    }

    @Test func resultsAreThoseOfTheDescriptor() throws {
        let container = try container()
        for (title, servings) in [("A", 1), ("C", 4), ("B", 4)] {
            container.mainContext.insert(Recipe(title: title, servings: servings))
        }
        let observer = try ResultsObserver(
            filterBy: #Predicate<Recipe> { $0.servings > 2 }, sortBy: [SortDescriptor(\.title)],
            modelContainer: container)
        #expect(observer.modelContext === container.mainContext)
        expectEqual(observer.results.map(\.title), ["B", "C"])
        expectEqual(observer.sections, nil)
        expectEqual(observer.fetchDescriptor.sortBy, [SortDescriptor(\.title)])
        expectContains(observer.debugDescription, "results: 2")
    }

    @Test func changesOfTheContextAreFollowed() throws {
        let context = try container().mainContext
        let observer = try ResultsObserver(sortBy: [SortDescriptor(\Recipe.title)], modelContext: context)
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        context.insert(Recipe(title: "Bread"))
        context.processPendingChanges()
        expectEqual(observer.results.map(\.title), ["Bread", "Soup"])
        recipe.title = "Apple"
        context.processPendingChanges()
        expectEqual(observer.results.map(\.title), ["Apple", "Bread"])
        context.delete(recipe)
        context.processPendingChanges()
        expectEqual(observer.results.map(\.title), ["Bread"])
    }

    @Test func observersAreTold() throws {
        let context = try container().mainContext
        let observer = try ResultsObserver(sortBy: [SortDescriptor(\Recipe.title)], modelContext: context)
        let told = Counter()
        withObservationTracking {
            _ = observer.results
        } onChange: {
            told.add()
        }
        context.insert(Recipe(title: "Soup"))
        context.processPendingChanges()
        expectEqual(told.count, 1)
    }

    @Test func predicateAndOrderCanBeChanged() throws {
        let context = try container().mainContext
        for (title, servings) in [("A", 1), ("B", 4)] { context.insert(Recipe(title: title, servings: servings)) }
        let observer = try ResultsObserver(sortBy: [SortDescriptor(\Recipe.title)], modelContext: context)
        observer.filterBy = #Predicate { $0.servings > 2 }
        expectEqual(observer.results.map(\.title), ["B"])
        observer.filterBy = nil
        observer.sortBy = [SortDescriptor(\.title, order: .reverse)]
        expectEqual(observer.results.map(\.title), ["B", "A"])
        #expect(observer.fetchError == nil)
    }

    @Test func predicateThatCannotBeTranslatedIsThrownOrKept() throws {
        let context = try container().mainContext
        context.insert(Recipe(title: "A"))
        let unsupported = #Predicate<Recipe> { $0.isSelected }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try ResultsObserver(filterBy: unsupported, modelContext: context)
        }
        let observer = try ResultsObserver(sortBy: [SortDescriptor(\Recipe.title)], modelContext: context)
        observer.filterBy = unsupported
        #expect(observer.fetchError as? SwiftDataError == .unsupportedPredicate)
        expectEqual(observer.results.map(\.title), ["A"])
    }

    @Test func modelsAreInSections() throws {
        let context = try container().mainContext
        for (title, summary) in [("A", "x"), ("B", "y"), ("C", "x")] {
            let recipe = Recipe(title: title)
            recipe.summary = summary
            context.insert(recipe)
        }
        let observer = try ResultsObserver(
            sortBy: [SortDescriptor(\Recipe.title)], sectionBy: \.summary, modelContext: context)
        let sections = try requireValue(observer.sections)
        expectEqual(sections.sectionTitles, ["x", "y"])
        expectEqual(sections[sectionTitle: "x"]?.map(\.title), ["A", "C"])
        expectEqual(sections[sectionTitle: "z"], nil)
        expectTrue(sections.contains(sectionTitle: "y"))
        expectEqual(sections.index(ofSectionTitled: "y"), 1)
        expectEqual(sections[1].id, "y")
        let path = IndexPath(item: 1, section: 0)
        let model = try requireValue(observer.element(at: path))
        expectEqual(model.title, "C")
        expectEqual(observer.indexPath(for: model), path)
        expectEqual(observer.element(at: IndexPath(item: 2, section: 0)), nil)
        expectEqual(observer.element(at: IndexPath(index: 0)), nil)
        expectEqual(observer.sectionBy, \Recipe.summary)
    }

    @Test func sectionsFollowChanges() throws {
        let context = try container().mainContext
        let recipe = Recipe(title: "A")
        recipe.summary = "x"
        context.insert(recipe)
        let observer = try ResultsObserver<Recipe, String>(sectionBy: \.summary, modelContext: context)
        let before = observer.sections
        recipe.summary = "y"
        context.processPendingChanges()
        expectEqual(observer.sections?.sectionTitles, ["y"])
        #expect(observer.sections != before)
        recipe.summary = nil
        context.processPendingChanges()
        expectEqual(observer.sections?.sectionTitles, [""])
    }

    @Test func sectionByAComputedPropertyIsRefused() throws {
        let context = try container().mainContext
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try ResultsObserver<Recipe, String>(sectionBy: \.shout, modelContext: context)
        }
    }

    @Test func savesOfOtherContextsAreFollowed() async throws {
        let container = try container()
        let observer = try ResultsObserver(sortBy: [SortDescriptor(\Recipe.title)], modelContainer: container)
        let importer = RecipeImporter(modelContainer: container)
        _ = try await importer.add(["Soup"])
        await waitUntil { observer.results.map(\.title) == ["Soup"] }
    }

    @Test func savesOfAnotherProcessAreFollowed() async throws {
        let container = try container()
        container.mainContext.insert(Recipe(title: "Soup"))
        try container.mainContext.save()
        let observer = try ResultsObserver(sortBy: [SortDescriptor(\Recipe.title)], modelContainer: container)
        let path = folder.path("recipes.store")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let context = ModelContext(
                try ModelContainer(
                    for: Schema(RecipeBox.models),
                    configurations: ModelConfiguration(url: URL(fileURLWithPath: path))))
            let soup = try requireValue(try context.fetch(FetchDescriptor<Recipe>()).first)
            soup.title = "Broth"
            context.insert(Recipe(title: "Bread"))
            try context.save()
        }
        await waitUntil { observer.results.map(\.title) == ["Bread", "Broth"] }
    }

    @Test func observerOfAnActorFollowsOtherContexts() async throws {
        let container = try container()
        let watcher = RecipeWatcher(modelContainer: container)
        let counts = try await watcher.counts()
        container.mainContext.insert(Recipe(title: "Soup"))
        try container.mainContext.save()
        for await count in counts where count == 1 { break }
        await expectEqual(watcher.titles, ["Soup"])
    }

    @Test func observerIsReleased() throws {
        let context = try container().mainContext
        weak var released: AnyObject?
        do {
            let observer = try ResultsObserver<Recipe, Never>(modelContext: context)
            released = observer
            context.insert(Recipe(title: "A"))
            context.processPendingChanges()
            expectEqual(observer.results.count, 1)
        }
        #expect(released == nil)
    }
}

extension Recipe {
    /// A property that isn't stored.
    var shout: String { title.uppercased() }
}

/// Counts calls on any thread.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    var count: Int { lock.withLock { number } }

    func add() { lock.withLock { number += 1 } }
}

@ModelActor
actor RecipeWatcher {
    private var observer: ResultsObserver<Recipe, Never>?

    var titles: [String] { observer?.results.map(\.title) ?? [] }

    /// The numbers of recipes, after each change.
    func counts() throws -> AsyncStream<Int> {
        let observer = try ResultsObserver<Recipe, Never>(modelContext: modelContext)
        self.observer = observer
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        watch(continuation)
        return stream
    }

    private func watch(_ continuation: AsyncStream<Int>.Continuation) {
        let count = withObservationTracking {
            observer?.results.count ?? 0
        } onChange: { [weak self] in
            Task { await self?.watch(continuation) }
        }
        continuation.yield(count)
    }
}
