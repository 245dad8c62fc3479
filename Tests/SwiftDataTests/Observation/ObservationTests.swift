/// Changes of models as Swift's observation reports them.
@Suite struct ObservationTests {
    /// Whether a change is reported to an observer of a value.
    private func isReported<Value>(_ read: () -> Value, _ change: () throws -> Void) rethrows -> Bool {
        let reported = Reported()
        withObservationTracking {
            _ = read()
        } onChange: {
            reported.set()
        }
        try change()
        return reported.isSet
    }

    @Test func changeByCodeIsReported() {
        let recipe = Recipe(title: "Soup")
        expectTrue(isReported({ recipe.title }, { recipe.title = "Stew" }))
    }

    @Test func changeOfAnotherPropertyIsNotReported() {
        let recipe = Recipe(title: "Soup")
        expectFalse(isReported({ recipe.title }, { recipe.servings = 9 }))
    }

    @Test func inverseIsReported() {
        let recipe = Recipe(title: "Soup")
        let water = Ingredient(name: "Water")
        expectTrue(isReported({ water.recipe }, { recipe.ingredients.append(water) }))
        expectTrue(isReported({ recipe.ingredients }, { water.recipe = nil }))
    }

    @Test func mergedChangeIsReported() throws {
        let container = try RecipeBox.container()
        let one = ModelContext(container)
        one.insert(Recipe(title: "Soup"))
        try one.save()
        let other = ModelContext(container)
        let recipe = try requireValue(try one.fetch(FetchDescriptor<Recipe>()).first)
        let same = try requireValue(try other.fetch(FetchDescriptor<Recipe>()).first)
        let isReported = try isReported({ same.rating }) {
            recipe.rating = 3
            try one.save()
            other.processPendingChanges()
        }
        expectTrue(isReported)
        expectEqual(same.rating, 3)
    }

    @Test func rollbackIsReported() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        recipe.rating = 2
        context.processPendingChanges()
        let isReported = isReported({ recipe.rating }) {
            context.rollback()
            context.processPendingChanges()
        }
        expectTrue(isReported)
        expectEqual(recipe.rating, 0)
    }

    @Test func undoIsReported() throws {
        let context = try RecipeBox.context()
        let recipe = Recipe(title: "Soup")
        context.insert(recipe)
        try context.save()
        context.undoManager = UndoManager()
        recipe.rating = 2
        context.processPendingChanges()
        let isReported = isReported({ recipe.rating }) {
            context.undoManager?.undo()
            context.processPendingChanges()
        }
        expectTrue(isReported)
    }
}

private final class Reported: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    func set() { lock.withLock { value = true } }

    var isSet: Bool { lock.withLock { value } }
}
