/// The declarations that `@Model` takes for stored properties, and the names of key paths to them.
@Suite("Declarations of models")
struct DeclarationTests {
    @Test("The schema has the stored properties without @Transient")
    func schema() throws {
        let entity = try requireValue(Schema([Declared.Properties.self]).entity(for: Declared.Properties.self))
        expectEqual(
            entity.storedProperties.map(\.name),
            [
                "plain", "packaged", "implicit", "readable", "observed", "willBe", "parts", "backingData",
            ])
    }

    @Test("Properties of each kind are saved, and their observers aren't called")
    func values() throws {
        let context = try Declared.context()
        let new = Declared.Properties(willBe: 11)
        new.packaged = 10
        new.observed = 12
        new.willBe = 13
        new.parts = [Declared.Part(name: "a")]
        new.setReadable(14)
        new.backingData = Data([1])
        context.insert(new)
        try context.save()
        let saved = try requireValue(
            ModelContext(context.container).fetch(FetchDescriptor<Declared.Properties>()).first)
        let values: [Int] = [saved.plain, saved.packaged, saved.readable, saved.observed, saved.willBe]
        expectEqual(values, [1, 10, 14, 12, 13])
        expectEqual(saved.parts.map(\.name), ["a"])
        expectEqual(saved.backingData, Data([1]))
        expectEqual(Declared.Properties.calls, 0)
    }

    // MARK: Inverses

    @Model final class Yard {
        @Relationship(deleteRule: .cascade, inverse: \Plant.yard) var leading: [Plant] = []
        @Relationship(deleteRule: .cascade, inverse: \Plant.yard) var trailing: [Plant] = []

        init() {}
    }

    @Model final class Plant {
        var name: String
        var yard: Yard?

        init(name: String) { self.name = name }
    }

    @Test("Two relationships that name one inverse keep the models of each")
    func sharedInverse() throws {
        let context = ModelContext(
            try ModelContainer(for: Yard.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let yard = Yard()
        context.insert(yard)
        yard.leading = [Plant(name: "fern")]
        yard.trailing = [Plant(name: "moss"), Plant(name: "rose")]
        try context.save()
        let saved = try requireValue(ModelContext(context.container).fetch(FetchDescriptor<Yard>()).first)
        expectEqual(saved.leading.map(\.name), ["fern"])
        expectEqual(saved.trailing.map(\.name).sorted(), ["moss", "rose"])
        #expect(saved.leading[0].yard === saved)
    }

    // MARK: Key paths

    /// Objects of the subclass, with values that no key path could be read from.
    private func derived() throws -> ModelContext {
        let context = try Declared.context()
        for (kind, level, title) in [(Declared.Kind.low, Declared.Level.first, "c"), (.high, .second, "a")] {
            let model = Declared.Derived(
                kind: kind, level: level, content: .picture(width: 1), info: Declared.Info(title: title, level: level))
            context.insert(model)
            model.owner = Declared.Owner(info: Declared.Info(title: "owner of \(title)"))
        }
        try context.save()
        return ModelContext(context.container)
    }

    @Test("An inherited enumeration is compared, whatever its cases are")
    func inheritedEnumerations() throws {
        let context = try derived()
        let high = Declared.Kind.high
        let second = Declared.Level.second
        func count(_ predicate: Predicate<Declared.Derived>) throws -> Int {
            try context.fetchCount(FetchDescriptor(predicate: predicate))
        }
        try expectEqual(count(#Predicate { $0.kind == high }), 1)
        try expectEqual(count(#Predicate { $0.level == second }), 1)
        try expectEqual(count(#Predicate { $0.kind.rawValue == "low" }), 1)
        try expectEqual(count(#Predicate { $0.level.rawValue > 800 }), 1)
    }

    @Test("Properties of inherited and related structures are sort keys")
    func structures() throws {
        let context = try derived()
        func titles(_ order: SortDescriptor<Declared.Derived>) throws -> [String] {
            try context.fetch(FetchDescriptor(sortBy: [order])).map(\.info.title)
        }
        try expectEqual(titles(SortDescriptor(\.info.title)), ["a", "c"])
        try expectEqual(titles(SortDescriptor(\.owner?.info.title, order: .reverse)), ["c", "a"])
        try expectEqual(titles(SortDescriptor(\.owner!.info.title)), ["a", "c"])
    }

    @Test("Inherited properties are fetched and read by their key paths")
    func propertiesToFetch() throws {
        let context = try derived()
        var fetch = FetchDescriptor<Declared.Derived>(sortBy: [SortDescriptor(\.info.title)])
        fetch.propertiesToFetch = [\.kind, \.content, \.own]
        let model = try requireValue(context.fetch(fetch).first)
        expectEqual(model.getValue(forKey: \.kind), .high)
        expectEqual(model.getValue(forKey: \.content), .picture(width: 1))
    }

    @Test("A key path to something that isn't stored throws")
    func computed() throws {
        let context = try derived()
        #expect(throws: SwiftDataError.self) {
            try context.fetch(FetchDescriptor<Declared.Derived>(sortBy: [SortDescriptor(\.info.summary)]))
        }
    }

    // MARK: #Index and #Unique

    @Model final class IndexedMember {
        #Index<IndexedMember>([\.info.title])
        var info: Declared.Info

        init(info: Declared.Info) { self.info = info }
    }

    @Model final class IndexedRelated {
        #Unique<IndexedRelated>([\.owner?.info])
        var owner: Declared.Owner?

        init() {}
    }

    @Model class Numbered {
        var number = 0

        init() {}
    }

    @Model final class IndexedInherited: Numbered {
        #Index<IndexedInherited>([\.number])
        var own = 0

        override init() { super.init() }
    }

    @Test("An index over an inherited property is made")
    func indexOverInherited() throws {
        let context = ModelContext(
            try ModelContainer(
                for: IndexedInherited.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(IndexedInherited())
        try context.save()
        let zero = FetchDescriptor<IndexedInherited>(predicate: #Predicate { $0.number == 0 })
        try expectEqual(context.fetchCount(zero), 1)
    }

    @Test("An index over a part of a property is an error of the container")
    func indexOverMember() throws {
        for type in [IndexedMember.self, IndexedRelated.self] as [any PersistentModel.Type] {
            #expect(throws: SwiftDataError.self) {
                try ModelContainer(
                    for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
            }
        }
    }
}
