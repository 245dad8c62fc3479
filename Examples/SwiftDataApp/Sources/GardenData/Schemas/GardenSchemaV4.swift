import Foundation
import SwiftData

/// Harvests, and the weather in the journal. The notes of plants are called remarks.
enum GardenSchemaV4: VersionedSchema {
    static let versionIdentifier = Schema.Version(4, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Garden.self, Bed.self, Plant.self, Species.self, Chore.self, JournalEntry.self, Harvest.self]
    }

    @Model
    final class Garden {
        var name: String
        var createdAt: Date = Date.now
        @Relationship(deleteRule: .cascade, inverse: \Bed.garden)
        var beds: [Bed] = []
        @Relationship(deleteRule: .cascade, inverse: \JournalEntry.garden)
        var journal: [JournalEntry] = []

        init(name: String) {
            self.name = name
        }
    }

    @Model
    final class Bed {
        var name: String
        var area: Double
        var garden: Garden?
        @Relationship(deleteRule: .cascade, inverse: \Plant.bed)
        var plants: [Plant] = []
        @Relationship(deleteRule: .cascade, inverse: \Chore.bed)
        var chores: [Chore] = []

        init(name: String, area: Double) {
            self.name = name
            self.area = area
        }
    }

    @Model
    final class Plant {
        var quantity: Int
        var plantedAt: Date
        @Attribute(originalName: "notes") var remarks: String?
        var bed: Bed?
        var species: Species?
        @Relationship(deleteRule: .cascade, inverse: \Harvest.plant)
        var harvests: [Harvest] = []

        init(species: Species?, quantity: Int, plantedAt: Date = .now) {
            self.quantity = quantity
            self.plantedAt = plantedAt
            self.species = species
        }
    }

    @Model
    final class Species {
        @Attribute(.unique) var name: String
        var sowingMonths: [Int] = []
        @Relationship(inverse: \Plant.species)
        var plants: [Plant] = []

        init(name: String) {
            self.name = name
        }
    }

    @Model
    final class Chore {
        var title: String
        var due: Date?
        var isDone: Bool = false
        var priority: Int = 1
        var bed: Bed?

        init(title: String, due: Date? = nil, priority: Int = 1) {
            self.title = title
            self.due = due
            self.priority = priority
        }
    }

    struct Weather: Codable, Hashable {
        var celsius: Double
        var isRaining: Bool
    }

    @Model
    final class JournalEntry {
        var date: Date
        var text: String
        var weather: Weather?
        var garden: Garden?

        init(date: Date = .now, text: String) {
            self.date = date
            self.text = text
        }
    }

    @Model
    final class Harvest {
        var date: Date
        var grams: Double
        var plant: Plant?

        init(date: Date = .now, grams: Double) {
            self.date = date
            self.grams = grams
        }
    }
}
