import SwiftData
import SwiftDataStores

// A recipe box as an app for Apple's platforms declares it.

@Model
final class Recipe {
    @Attribute(.unique) var title: String
    var summary: String?
    var servings: Int = 2
    var rating: Double = 0
    var isFavorite = false
    var created: Date
    var course: Course
    var difficulty: Difficulty?
    var source: Source?
    var tags: [String] = []
    @Attribute(.externalStorage) var photo: Data?
    var website: URL?
    var cost: Decimal = 0
    @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient] = []
    var cuisine: Cuisine?
    @Transient var isSelected = false

    init(title: String, course: Course = .main, servings: Int = 2, created: Date = .now) {
        self.title = title
        self.course = course
        self.servings = servings
        self.created = created
    }
}

enum Course: String, Codable, CaseIterable {
    case starter
    case main
    case dessert
}

enum Difficulty: Int, Codable {
    case easy = 1
    case hard = 5
}

struct Source: Codable, Equatable {
    var name: String
    var page: Int?
    var authors: [String]
}

@Model
final class Ingredient {
    var name: String
    var amount: Double
    var recipe: Recipe?

    init(name: String, amount: Double = 1, recipe: Recipe? = nil) {
        self.name = name
        self.amount = amount
        self.recipe = recipe
    }
}

@Model
final class Cuisine {
    var name: String
    @Relationship(inverse: \Recipe.cuisine) var recipes: [Recipe]?

    init(name: String) { self.name = name }
}

enum RecipeBox {
    static let models: [any PersistentModel.Type] = [Recipe.self, Ingredient.self, Cuisine.self]

    /// A container in memory, or over a store of the kind in the environment variable `COREDATA_SWIFTDATA_STORE`.
    static func container() throws -> ModelContainer {
        switch ProcessInfo.processInfo.environment["COREDATA_SWIFTDATA_STORE"] {
        case "json": return try jsonContainer()
        case "memory":
            return try ModelContainer(
                for: Schema(models), configurations: [MemoryConfiguration(name: "recipes", models: models)])
        default:
            return try ModelContainer(
                for: Schema(models), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
    }

    /// Whether the containers have stores of model configurations.
    static var hasDefaultStores: Bool { ProcessInfo.processInfo.environment["COREDATA_SWIFTDATA_STORE"] == nil }

    private static func jsonContainer() throws -> ModelContainer {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("recipes-\(UUID().uuidString).json")
        return try ModelContainer(
            for: Schema(models), configurations: [JSONFileConfiguration(name: "recipes", url: url)])
    }

    /// A context of a container in memory.
    static func context() throws -> ModelContext { ModelContext(try container()) }
}
