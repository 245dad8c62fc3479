// Models with the schema of a store that Apple's SwiftData has made.

enum Bar {
    @Model final class Cocktail {
        #Index<Cocktail>([\.cocktailName], [\.collectionName], [\.cocktailName, \.collectionName])
        var id = UUID()
        @Attribute(.unique) var cocktailName: String
        var imageAsset: CocktailImage?
        var glasswareType: Glassware
        var garnish: [Garnish]
        var ice: Ice?
        var author: Author?
        @Relationship(deleteRule: .cascade) var spec: [Ingredient]
        var buildOrder: Build?
        var notes: String?
        var compiledTags: Tags = Tags()
        var variation: Variation?
        var variationName: String?
        var collection: Collection?
        var collectionName: String
        var titleCocktail: Bool?
        var isCustomCocktail: Bool
        var favorite: Bool

        init(name: String) {
            cocktailName = name
            glasswareType = .coupe
            garnish = []
            spec = []
            collectionName = "None"
            isCustomCocktail = false
            favorite = false
        }
    }

    @Model final class CocktailImage {
        var drinkColor: Shade
        var backgroundColor: Shade
        var drinkLayer: String
        var glassBackLayer: String
        var glassReflection: String
        var iceLayer: String?
        var innerRim: String
        var straw: String?
        var garnishes: [String]?
        var inDrinkComponents: [String]?

        init() {
            drinkColor = Shade(linearRed: 0, linearGreen: 0, linearBlue: 0, opacity: 1)
            backgroundColor = Shade(linearRed: 1, linearGreen: 1, linearBlue: 1, opacity: 1)
            drinkLayer = ""
            glassBackLayer = ""
            glassReflection = ""
            innerRim = ""
        }
    }

    @Model final class Garnish {
        @Attribute(.unique) var name: String
        @Relationship(inverse: \Cocktail.garnish) var cocktails: [Cocktail]?

        init(name: String) { self.name = name }
    }

    @Model final class Ingredient {
        var id: UUID
        var ingredientBase: IngredientBase
        var value: Double
        var unit: Unit

        init(base: IngredientBase, value: Double) {
            id = UUID()
            ingredientBase = base
            self.value = value
            unit = .ounce
        }
    }

    @Model final class IngredientBase {
        var id: UUID
        @Attribute(.unique) var name: String
        var info: String?
        var umbrellaCategory: String
        var baseCategory: String
        var specialtyCategory: String
        var tags: Tags?
        var prep: Prep?
        var isCustom: Bool = false

        init(name: String) {
            id = UUID()
            self.name = name
            umbrellaCategory = ""
            baseCategory = ""
            specialtyCategory = ""
        }
    }

    static let models: [any PersistentModel.Type] = [
        Cocktail.self, CocktailImage.self, Garnish.self, Ingredient.self, IngredientBase.self,
    ]

    struct Author: Codable {
        var id: UUID
        var person: String?
        var place: String?
        var year: String?
    }

    struct Build: Codable { var instructions: [Instruction] }

    struct Instruction: Codable {
        var id: UUID
        var step: Int
        var method: String
    }

    struct Prep: Codable {
        var id: UUID
        var prepIngredientName: String
        var prepRecipe: [Instruction]
    }

    struct Tags: Codable {
        var flavors: [String]?
        var profiles: [String]?
        var styles: [String]?
        var booze: [Part]?
        var nA: [Part]?
    }

    struct Part: Codable {
        var name: String
        var ingredientType: Kind
    }

    enum Kind: Codable {
        case agaves(String)
        case amari(String)
        case bitters(String)
        case brandies(String)
        case fortifiedWines(String)
        case fruit(String)
        case gins(String)
        case herbs(String)
        case juices(String)
        case liqueurs(String)
        case otherAlcohol(String)
        case otherNonAlc(String)
        case rums(String)
        case seasoning(String)
        case soda(String)
        case syrups(String)
        case vodkas(String)
        case whiskies(String)
        case wines(String)
    }

    struct Shade: Codable {
        var linearRed: Float
        var linearGreen: Float
        var linearBlue: Float
        var opacity: Float
    }

    enum Glassware: String, Codable {
        case coupe = "Coupe"
        case stemmed = "Stemmed"
    }

    enum Ice: String, Codable { case large = "Large cube" }

    enum Variation: String, Codable { case martini = "Martini" }

    enum Collection: Int, Codable {
        case first = 1
        case second
        case third
        case fourth
    }

    enum Unit: String, Codable {
        case ounce = "oz"
        case dash
    }
}

@Model final class Expense {
    var id: UUID = UUID()
    var amount: Decimal = 0
    var createdAt: Date = Date()
    var currencyCode: String = "INR"
    var date: Date = Date()
    var note: String?
    var updatedAt: Date = Date()

    init(amount: Decimal) { self.amount = amount }
}
