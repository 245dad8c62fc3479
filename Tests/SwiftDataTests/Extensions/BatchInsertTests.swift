/// Models that are inserted in parts.
@Suite struct BatchInsertTests {
    @Test func allModelsAreSaved() throws {
        let container = try RecipeBox.container()
        let context = ModelContext(container)
        try context.insert(contentsOf: (0..<25).lazy.map { Recipe(title: "Recipe \($0)") }, batchSize: 10)
        expectFalse(context.hasChanges)
        try expectEqual(ModelContext(container).fetchCount(FetchDescriptor<Recipe>()), 25)
    }

    @Test func modelsAreReleasedPartByPart() throws {
        let context = try RecipeBox.context()
        weak var first: Recipe?
        var isReleased = false
        let recipes = (0..<30).lazy.map { number -> Recipe in
            let recipe = Recipe(title: "Recipe \(number)")
            if number == 0 { first = recipe }
            if number == 15 { isReleased = first == nil }
            return recipe
        }
        try context.insert(contentsOf: recipes, batchSize: 10)
        expectTrue(isReleased)
    }

    @Test func relatedModelsAreInserted() throws {
        let context = try RecipeBox.context()
        let recipes = (0..<3).map { number in
            let recipe = Recipe(title: "Recipe \(number)")
            recipe.ingredients = [Ingredient(name: "Water")]
            return recipe
        }
        try context.insert(contentsOf: recipes, batchSize: 2)
        try expectEqual(context.fetchCount(FetchDescriptor<Ingredient>()), 3)
        expectEqual(recipes[0].ingredients.map(\.name), ["Water"])
    }
}
