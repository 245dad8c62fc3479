import Foundation
import SwiftData

/// Species are separate models. The name stays in plants until all stores have been migrated.
enum GardenSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Garden.self, Bed.self, Plant.self, Species.self]
    }

    @Model
    final class Garden {
        var name: String
        var createdAt: Date = Date.now
        @Relationship(deleteRule: .cascade, inverse: \Bed.garden)
        var beds: [Bed] = []

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

        init(name: String, area: Double) {
            self.name = name
            self.area = area
        }
    }

    @Model
    final class Plant {
        var speciesName: String
        var quantity: Int
        var plantedAt: Date
        var notes: String?
        var bed: Bed?
        var species: Species?

        init(speciesName: String, quantity: Int, plantedAt: Date = .now) {
            self.speciesName = speciesName
            self.quantity = quantity
            self.plantedAt = plantedAt
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
}
