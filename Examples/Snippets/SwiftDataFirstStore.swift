// Makes a store of SwiftData, saves models and fetches them.
// snippet.models
// snippet.hide
import MusicLibrary
// snippet.show
import SwiftData

@Model
final class Recipe {
    var title: String
    var minutes: Int
    @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
    var ingredients: [Ingredient] = []

    init(title: String, minutes: Int) {
        self.title = title
        self.minutes = minutes
    }
}

@Model
final class Ingredient {
    var name: String
    var recipe: Recipe?

    init(name: String) {
        self.name = name
    }
}
// snippet.end

// snippet.hide
// The store of the program is in the current folder.
expect(FileManager.default.changeCurrentDirectoryPath(temporaryFolder().path))
// snippet.show

// snippet.container
let file = URL(fileURLWithPath: "Recipes.store")
let container = try ModelContainer(
    for: Recipe.self, Ingredient.self, configurations: ModelConfiguration(url: file))
// snippet.end

// snippet.insert
let context = container.mainContext
let soup = Recipe(title: "Soup", minutes: 40)
soup.ingredients = [Ingredient(name: "Water"), Ingredient(name: "Leek")]
context.insert(soup)
context.insert(Recipe(title: "Salad", minutes: 10))
try context.save()
// snippet.end

// snippet.fetch
let quick = FetchDescriptor<Recipe>(
    predicate: #Predicate { $0.minutes <= 30 },
    sortBy: [SortDescriptor(\.title)])
for recipe in try context.fetch(quick) {
    print(recipe.title)
}
// snippet.end

// snippet.change
soup.minutes = 25
try context.save()
print(try context.fetchCount(quick))
context.delete(soup)
try context.save()
// snippet.end
// snippet.hide
try expect(context.fetch(quick).map(\.title) == ["Salad"])
try expect(context.fetchCount(FetchDescriptor<Ingredient>()) == 0)
