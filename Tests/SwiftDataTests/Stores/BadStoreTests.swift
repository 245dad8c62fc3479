import SwiftDataStores

/// Stores of the program's own that throw, or answer what they must not.
@Suite struct BadStoreTests {
    private func context(_ fault: Fault) throws -> ModelContext {
        ModelContext(
            try ModelContainer(for: Schema([Lexicon.self]), configurations: [FaultyConfiguration(fault: fault)]))
    }

    /// A context with a saved model, over a store that fails from then on.
    private func contextWithModel(_ fault: Fault) throws -> (ModelContext, Lexicon) {
        let configuration = FaultyConfiguration(fault: .none)
        let context = ModelContext(
            try ModelContainer(for: Schema([Lexicon.self]), configurations: [configuration]))
        let lexicon = Lexicon(name: "Larousse")
        context.insert(lexicon)
        try context.save()
        configuration.behaviour.fault = fault
        return (context, lexicon)
    }

    @Test func errorOfTheInitializerIsThrown() {
        #expect(throws: StoreFailure(step: "init")) { try context(.initializer) }
    }

    @Test func errorOfTheConfigurationIsThrown() {
        #expect(throws: StoreFailure(step: "validate")) { try context(.validation) }
    }

    @Test func errorOfAFetchIsThrown() throws {
        let context = try context(.fetch)
        #expect(throws: StoreFailure(step: "fetch")) { try context.fetch(FetchDescriptor<Lexicon>()) }
        #expect(throws: StoreFailure(step: "fetch")) { try context.fetchCount(FetchDescriptor<Lexicon>()) }
        #expect(throws: StoreFailure(step: "fetch")) { try context.fetchIdentifiers(FetchDescriptor<Lexicon>()) }
    }

    @Test func errorOfASaveIsThrownAndTheChangesRemain() throws {
        let context = try context(.save)
        context.insert(Lexicon(name: "Larousse"))
        #expect(throws: StoreFailure(step: "save")) { try context.save() }
        expectTrue(context.hasChanges)
        expectEqual(context.insertedModelsArray.count, 1)
    }

    @Test func saveSucceedsAfterAnError() throws {
        let configuration = FaultyConfiguration(fault: .save)
        let container = try ModelContainer(for: Schema([Lexicon.self]), configurations: [configuration])
        let context = ModelContext(container)
        context.insert(Lexicon(name: "Larousse"))
        #expect(throws: StoreFailure(step: "save")) { try context.save() }
        configuration.behaviour.fault = .none
        try context.save()
        try expectEqual(ModelContext(container).fetch(FetchDescriptor<Lexicon>()).map(\.name), ["Larousse"])
    }

    @Test func errorOfErasingIsThrown() throws {
        #expect(throws: StoreFailure(step: "erase")) { try context(.erase).container.erase() }
    }

    @Test func missingIdentifierIsThrown() throws {
        let context = try context(.tooFewIdentifiers)
        context.insert(Lexicon(name: "A"))
        context.insert(Lexicon(name: "B"))
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        expectEqual(error?.description.contains("identifiers for 1 of 2 inserted models"), true)
    }

    @Test func identifierOfAnotherStoreIsThrown() throws {
        let context = try context(.foreignIdentifiers)
        context.insert(Lexicon(name: "A"))
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        expectEqual(error?.description.contains("for an inserted model of Lexicon"), true)
    }

    @Test func oneIdentifierForTwoModelsIsThrown() throws {
        let context = try context(.sameIdentifiers)
        context.insert(Lexicon(name: "A"))
        context.insert(Lexicon(name: "B"))
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        expectEqual(error?.description.contains("for several inserted models"), true)
    }

    @Test func resultOfAnotherStoreIsThrown() throws {
        let context = try context(.foreignResult)
        context.insert(Lexicon(name: "A"))
        let error = #expect(throws: SwiftDataError.self) { try context.save() }
        expectEqual(error?.description.contains("into the store elsewhere"), true)
    }

    @Test func snapshotOfAnotherStoreIsThrown() throws {
        let (context, _) = try contextWithModel(.foreignSnapshots)
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContext(context.container).fetch(FetchDescriptor<Lexicon>())
        }
        expectEqual(error?.description.contains("is of the store elsewhere"), true)
    }

    @Test func snapshotOfAnotherModelIsThrown() throws {
        let (context, _) = try contextWithModel(.foreignModels)
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContext(context.container).fetch(FetchDescriptor<Lexicon>())
        }
        expectEqual(error?.description.contains("'Almanac'"), true)
    }

    @Test func negativeCountIsThrown() throws {
        let context = try context(.negativeCount)
        #expect(throws: SwiftDataError.self) { try context.fetchCount(FetchDescriptor<Lexicon>()) }
    }

    @Test func storeThatAlwaysPrefersMemoryIsThrown() throws {
        let context = try context(.endlessPreference)
        #expect(throws: DataStoreError.preferInMemoryFilter) { try context.fetch(FetchDescriptor<Lexicon>()) }
    }

    @Test func missingSnapshotIsNoTrap() throws {
        let configuration = FaultyConfiguration(fault: .none)
        let context = ModelContext(
            try ModelContainer(for: Schema([Lexicon.self]), configurations: [configuration]))
        let lexicon = Lexicon(name: "Larousse")
        context.insert(lexicon)
        try context.save()
        configuration.behaviour.fault = .noSnapshots
        // Another container, whose store has no rows of the first one.
        let other = ModelContext(
            try ModelContainer(for: Schema([Lexicon.self]), configurations: [configuration]))
        let model = other.model(for: lexicon.persistentModelID) as? Lexicon
        expectEqual(model?.name, "")
        expectEqual(lexicon.name, "Larousse")
    }

    @Test func errorOfAReadIsThrownByTheSave() throws {
        let configuration = FaultyConfiguration(fault: .none)
        let context = ModelContext(
            try ModelContainer(for: Schema([Lexicon.self]), configurations: [configuration]))
        let lexicon = Lexicon(name: "Larousse")
        context.insert(lexicon)
        try context.save()
        configuration.behaviour.fault = .cachedSnapshots
        let other = ModelContext(
            try ModelContainer(for: Schema([Lexicon.self]), configurations: [configuration]))
        let model = try requireValue(other.model(for: lexicon.persistentModelID) as? Lexicon)
        // A property can't throw: it answers the default, and the model can't be saved.
        expectEqual(model.name, "")
        model.name = "Petit Larousse"
        #expect(throws: (any Error).self) { try other.save() }
        expectEqual(configuration.behaviour.snapshots.map(\.name), ["Larousse"])
    }

    @Test func valueOfAnotherTypeIsThrown() throws {
        let (context, _) = try contextWithModel(.wrongValues)
        let error = #expect(throws: SwiftDataError.self) {
            try ModelContext(context.container).fetch(FetchDescriptor<Lexicon>())
        }
        expectEqual(error?.description.contains("'name'"), true)
    }

    @Test func changedSnapshotsAreReadAgain() throws {
        let context = try context(.reregisteredNames)
        let lexicon = Lexicon(name: "larousse")
        context.insert(lexicon)
        try context.save()
        expectEqual(lexicon.name, "LAROUSSE")
    }
}
