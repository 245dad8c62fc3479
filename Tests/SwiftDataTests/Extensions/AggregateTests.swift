/// Sums and groups.
@Suite struct AggregateTests {
    private func context() throws -> ModelContext {
        let container = try ModelContainer(
            for: Schema(RecipeBox.models), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        for (title, course, servings) in [
            ("A", Course.main, 2), ("B", .main, 4), ("C", .dessert, 6), ("D", .starter, 8),
        ] {
            context.insert(Recipe(title: title, course: course, servings: servings))
        }
        try context.save()
        return context
    }

    @Test func allModelsAreOneGroup() throws {
        let groups = try context().aggregates(
            of: FetchDescriptor<Recipe>(),
            [.count, .sum(\.servings), .average(\.servings), .minimum(\.title), .maximum(\.servings)])
        let group = try requireValue(groups.first)
        expectEqual(groups.count, 1)
        expectEqual(group[number: 0], 4)
        expectEqual(group[number: 1], 20)
        expectEqual(group[number: 2], 5)
        expectEqual(group[3, as: String.self], "A")
        expectEqual(group[4, as: Int.self], 8)
    }

    @Test func modelsAreGroupedByAnEnumeration() throws {
        let groups = try context().aggregates(
            of: FetchDescriptor<Recipe>(), groupedBy: [\.course], [.count, .sum(\.servings)])
        expectEqual(groups.map { $0[\.course] }, [.dessert, .main, .starter])
        expectEqual(groups.map { $0[number: 0] }, [1, 2, 1])
        expectEqual(groups.map { $0[number: 1] }, [6, 6, 8])
    }

    @Test func predicateSelectsTheModels() throws {
        let groups = try context().aggregates(
            of: FetchDescriptor<Recipe>(predicate: #Predicate { $0.servings > 3 }), groupedBy: [\.isFavorite],
            [.count])
        expectEqual(groups.map { $0[\.isFavorite] }, [false])
        expectEqual(groups.map { $0[number: 0] }, [3])
    }

    @Test func missingValueIsAGroup() throws {
        let groups = try context().aggregates(of: FetchDescriptor<Recipe>(), groupedBy: [\.summary], [.count])
        expectEqual(groups.count, 1)
        expectEqual(groups.first?[\.summary], nil)
    }

    @Test func computedPropertyIsRefused() throws {
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context().aggregates(of: FetchDescriptor<Recipe>(), groupedBy: [\.shout], [.count])
        }
    }
}
