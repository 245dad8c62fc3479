/// Explanations of fetches.
@Suite struct FetchExplanationTests {
    @Test func explanationHasTheStatementAndItsPlan() throws {
        let store = try VoyageStore()
        let days = 3
        let explanation = try store.context.explanation(
            of: FetchDescriptor<Voyage>(predicate: #Predicate { $0.days > days }, sortBy: [SortDescriptor(\.name)]))
        let statement = try requireValue(explanation.statements.first)
        expectContains(statement.sql, "ZVOYAGE")
        expectContains(statement.sql, "ORDER BY")
        #expect(!statement.plan.isEmpty)
        expectEqual(explanation.predicate?.contains("days > 3"), true)
        expectEmpty(explanation.inMemory)
        expectContains(explanation.description, "SQL: SELECT")
    }

    @Test func unsavedChangesAreWorkInMemory() throws {
        let store = try VoyageStore()
        store.context.insert(Voyage(name: "A"))
        let explanation = try store.context.explanation(of: FetchDescriptor<Voyage>())
        expectEqual(explanation.inMemory.count, 1)
        expectEqual(explanation.inMemory.first?.hasPrefix("1 inserted"), true)
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func predicateThatCannotBeTranslatedIsThrown() throws {
        let context = try RecipeBox.context()
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try context.explanation(of: FetchDescriptor<Recipe>(predicate: #Predicate { $0.isSelected }))
        }
    }
}
