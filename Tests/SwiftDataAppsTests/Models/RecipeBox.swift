import Foundation
import SwiftData

struct Quantity: Codable, Hashable, CustomStringConvertible {
    enum Unit: String, Codable {
        case gram = "g"
        case milliliter = "ml"
        case piece = "pc"
    }

    var value: Double
    var unit: Unit

    var description: String { "\(value) \(unit.rawValue)" }
}

struct Nutrition: Codable, Hashable {
    struct Fat: Codable, Hashable {
        var saturated: Double
        var unsaturated: Double
    }

    var calories: Int
    var protein: Double
    var fat: Fat?
}

enum Difficulty: Int, Codable, Comparable {
    case easy = 1
    case medium
    case hard

    static func < (lhs: Difficulty, rhs: Difficulty) -> Bool { lhs.rawValue < rhs.rawValue }
}

@Model
public final class Recipe {
    public var name: String
    public var summary: String
    public var servings: Int
    public var preparationTime: TimeInterval
    var difficulty: Difficulty
    var nutrition: Nutrition?
    public var createdOn: Date
    public var isFavorite: Bool = false
    public var source: URL?

    @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe)
    var ingredients: [Ingredient] = []

    @Relationship(deleteRule: .cascade, inverse: \RecipeStep.recipe)
    var steps: [RecipeStep] = []

    var tags: [RecipeTag]
    var cookbook: Cookbook?

    init(
        name: String, summary: String = "", servings: Int = 4, preparationTime: TimeInterval = 1_800,
        difficulty: Difficulty = .easy, nutrition: Nutrition? = nil, createdOn: Date = .now, source: URL? = nil,
        tags: [RecipeTag] = []
    ) {
        self.name = name
        self.summary = summary
        self.servings = servings
        self.preparationTime = preparationTime
        self.difficulty = difficulty
        self.nutrition = nutrition
        self.createdOn = createdOn
        self.source = source
        self.tags = tags
    }

    /// SwiftData keeps no order of a relationship, so each step has its position.
    var orderedSteps: [RecipeStep] { steps.sorted { $0.position < $1.position } }

    func addStep(_ text: String, duration: Duration? = nil) {
        steps.append(
            RecipeStep(position: steps.count, text: text, seconds: duration.map { Int($0.components.seconds) }))
    }
}

@Model
final class Ingredient {
    var name: String
    var quantity: Quantity
    var isOptional = false
    var recipe: Recipe?

    init(_ name: String, _ value: Double, _ unit: Quantity.Unit) {
        self.name = name
        self.quantity = Quantity(value: value, unit: unit)
    }
}

@Model
final class RecipeStep {
    var position: Int
    var text: String
    var seconds: Int?
    var recipe: Recipe?
    @Attribute(.externalStorage) var photo: Data?

    init(position: Int, text: String, seconds: Int? = nil) {
        self.position = position
        self.text = text
        self.seconds = seconds
    }
}

@Model
final class RecipeTag {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Recipe.tags) var recipes: [Recipe] = []

    init(name: String) {
        self.name = name
    }
}

@Model
final class Cookbook {
    var title: String
    var shelfMarks: [String]
    @Relationship(deleteRule: .nullify, inverse: \Recipe.cookbook) var recipes: [Recipe]

    init(title: String, shelfMarks: [String] = [], recipes: [Recipe] = []) {
        self.title = title
        self.shelfMarks = shelfMarks
        self.recipes = recipes
    }
}

extension Recipe {
    static let quick = #Predicate<Recipe> { $0.preparationTime <= 900 }

    static func search(_ text: String, favoritesOnly: Bool = false) -> FetchDescriptor<Recipe> {
        let predicate = #Predicate<Recipe> { recipe in
            (text.isEmpty || recipe.name.localizedStandardContains(text)
                || recipe.ingredients.contains { $0.name.localizedStandardContains(text) })
                && (!favoritesOnly || recipe.isFavorite)
        }
        return FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])
    }
}
