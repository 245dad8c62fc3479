import Dispatch

/// The main actor and model actors under load.
@Suite(.timeLimit(.minutes(TestRun.hangMinutes))) struct ModelActorLoadTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Schema(RecipeBox.models), configurations: ModelConfiguration(url: folder.file("recipes.store")))
    }

    @Test func mainActorAndModelActorsDoNotBlockEachOther() async throws {
        let container = try container()
        let rounds = TestRun.quick(10, long: 100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let importer = RecipeImporter(modelContainer: container)
                    for round in 0..<rounds {
                        let ids = try await importer.add(["\(number)-\(round)"])
                        // The model of the main context, by the identifier of another actor's model.
                        let title = await MainActor.run { (container.mainContext.model(for: ids[0]) as? Recipe)?.title }
                        expectEqual(title, "\(number)-\(round)")
                        try await importer.rate(ids[0], Double(round))
                    }
                }
            }
            group.addTask {
                for round in 0..<rounds {
                    try await MainActor.run {
                        container.mainContext.insert(Recipe(title: "main-\(round)"))
                        try container.mainContext.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let main = try await MainActor.run { try container.mainContext.fetch(FetchDescriptor<Recipe>()).map(\.rating) }
        expectEqual(main.count, 5 * rounds)
        expectEqual(main.filter { $0 == Double(rounds - 1) }.count, 4)
    }

    @Test func savesOfActorsAreMergedIntoTheMainContext() async throws {
        let container = try container()
        let importer = RecipeImporter(modelContainer: container)
        let id = try await importer.add(["Soup"])[0]
        await MainActor.run { expectEqual((container.mainContext.model(for: id) as? Recipe)?.rating, 0) }
        try await importer.rate(id, 5)
        // The merge runs on the main queue, behind the save.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        await MainActor.run { expectEqual((container.mainContext.model(for: id) as? Recipe)?.rating, 5) }
    }

    @Test func cancelledImportKeepsItsSavedParts() async throws {
        let container = try container()
        let importer = CancellableImporter(modelContainer: container)
        let (progress, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task { try await importer.run(1_000_000, continuation) }
        for await count in progress where count == 3 { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        let count = try ModelContext(container).fetchCount(FetchDescriptor<Recipe>())
        #expect(count >= 3)
        await expectEqual(importer.hasChanges, false)
    }

    @Test func cancelledTaskDoesNotStopTheActor() async throws {
        let container = try container()
        let importer = RecipeImporter(modelContainer: container)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await importer.add(["A"])
        }
        try await expectEqual(task.value.count, 1)
        try await expectEqual(importer.add(["B"]).count, 1)
    }

    @Test func executorKnowsItsContext() async throws {
        let container = try container()
        let context = ModelContext(container)
        let executor = DefaultSerialModelExecutor(modelContext: context)
        #expect(executor.modelContext === context)
    }

    @Test func actorRunsOnItsOwnExecutor() async throws {
        let container = try container()
        let importer = RecipeImporter(modelContainer: container)
        expectEqual(importer.modelExecutor.modelContext.container, container)
        await importer.checkIsolation()
    }
}

extension RecipeImporter {
    func checkIsolation() { preconditionIsolated() }
}

@ModelActor
actor CancellableImporter {
    var hasChanges: Bool { modelContext.hasChanges }

    /// Inserts and saves recipes until the task is cancelled.
    func run(_ count: Int, _ progress: AsyncStream<Int>.Continuation) async throws {
        defer { progress.finish() }
        for number in 1...count {
            try Task.checkCancellation()
            modelContext.insert(Recipe(title: "Recipe \(number)"))
            try modelContext.save()
            progress.yield(number)
            await Task.yield()
        }
    }
}
