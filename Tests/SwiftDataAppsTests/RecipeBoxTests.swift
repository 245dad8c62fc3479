import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct RecipeBoxTests {
    let store: AppStore

    init() throws {
        store = try AppStore(Recipe.self, Ingredient.self, RecipeStep.self, RecipeTag.self, Cookbook.self)
    }

    private func fill(_ context: ModelContext) {
        let sweet = RecipeTag(name: "sweet")
        let pancakes = Recipe(
            name: "Pancakes", preparationTime: 900, difficulty: .medium,
            nutrition: Nutrition(calories: 520, protein: 14, fat: .init(saturated: 3, unsaturated: 8)),
            createdOn: day(0), source: URL(string: "https://example.org/pancakes"), tags: [sweet])
        pancakes.ingredients = [Ingredient("Flour", 250, .gram), Ingredient("Egg", 2, .piece)]
        pancakes.addStep("Mix", duration: .seconds(120))
        pancakes.addStep("Bake")
        let soup = Recipe(name: "Tomato soup", servings: 2, createdOn: day(1), tags: [RecipeTag(name: "vegan")])
        soup.ingredients.append(Ingredient("Tomato", 1, .piece))
        context.insert(Cookbook(title: "Family", shelfMarks: ["A", "Ö 2"], recipes: [pancakes, soup]))
    }

    @Test func nestedStructuresAreRead() throws {
        let context = try store.relaunched(after: fill)
        let pancakes = try context.one(Recipe.self, where: #Predicate { $0.name == "Pancakes" })
        expectEqual(pancakes.nutrition, Nutrition(calories: 520, protein: 14, fat: .init(saturated: 3, unsaturated: 8)))
        expectEqual(pancakes.difficulty, .medium)
        expectEqual(pancakes.source?.host(), "example.org")
    }

    @Test func missingStructureIsNil() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Recipe.self, where: #Predicate { $0.servings == 2 }).nutrition, nil)
    }

    @Test func stepsKeepTheirPositions() throws {
        let context = try store.relaunched(after: fill)
        let pancakes = try context.one(Recipe.self, where: #Predicate { $0.name == "Pancakes" })
        expectEqual(pancakes.orderedSteps.map(\.text), ["Mix", "Bake"])
        expectEqual(pancakes.orderedSteps.map(\.seconds), [120, nil])
    }

    @Test func arrayOfTextsIsRead() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.one(Cookbook.self).shelfMarks, ["A", "Ö 2"])
    }

    @Test func searchLooksAtIngredients() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetch(Recipe.search("TOMATO")).map(\.name), ["Tomato soup"])
        try expectEqual(context.fetch(Recipe.search("flour")).map(\.name), ["Pancakes"])
        try expectEqual(context.fetch(Recipe.search("")).map(\.name), ["Pancakes", "Tomato soup"])
        expectEmpty(try context.fetch(Recipe.search("", favoritesOnly: true)))
    }

    @Test func storedPredicateCounts() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Recipe.quick)), 1)
    }

    @Test func pendingUniqueTagBecomesOne() throws {
        let context = try store.relaunched { context in
            fill(context)
            context.insert(Recipe(name: "Jam", createdOn: day(4), tags: [RecipeTag(name: "sweet")]))
        }
        try expectEqual(context.count(RecipeTag.self), 2)
        let sweet = try context.one(RecipeTag.self, where: #Predicate { $0.name == "sweet" })
        expectContains(sweet.recipes.map(\.name), "Jam")
    }

    @Test func membersOfStructureAreAsked() throws {
        let context = try store.relaunched(after: fill)
        let heavy = #Predicate<Ingredient> { $0.quantity.value > 100 }
        try expectEqual(context.one(Ingredient.self, where: heavy).name, "Flour")
    }

    @Test func changedStructureIsSaved() throws {
        let context = try store.relaunched(after: fill)
        let flour = try context.one(Ingredient.self, where: #Predicate { $0.name == "Flour" })
        flour.quantity.value = 300
        try context.save()
        let after = try store.launch()
        let again = try after.one(Ingredient.self, where: #Predicate { $0.name == "Flour" })
        expectEqual(again.quantity, Quantity(value: 300, unit: .gram))
    }

    @Test func cookbookLeavesItsRecipes() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Cookbook.self))
        try context.save()
        let after = try store.launch()
        let recipes = try after.fetch(FetchDescriptor<Recipe>())
        expectEqual(recipes.count, 2)
        #expect(recipes.allSatisfy { $0.cookbook == nil })
    }

    @Test func recipeLeavesItsTags() throws {
        let context = try store.relaunched(after: fill)
        for recipe in try context.all(Recipe.self) { context.delete(recipe) }
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Ingredient.self), 0)
        try expectEqual(after.count(RecipeStep.self), 0)
        try expectEqual(after.count(RecipeTag.self), 2)
    }

    @Test func coreDataWritesWhatModelsRead() throws {
        _ = try store.relaunched(after: fill)
        let managed = try store.managedContext()
        try managed.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Recipe")
            request.predicate = NSPredicate(format: "name == %@", "Pancakes")
            let pancakes = try requireValue(managed.fetch(request).first)
            pancakes.setValue("With milk", forKey: "summary")
            try managed.save()
        }
        let after = try store.launch()
        let pancakes = try after.one(Recipe.self, where: #Predicate { $0.name == "Pancakes" })
        expectEqual(pancakes.summary, "With milk")
        expectEqual(pancakes.ingredients.count, 2)
    }
}
