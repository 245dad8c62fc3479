import Foundation
import SwiftData

/// Photos of plants. The priority of a chore is an enumeration; its former number stays as the level. Chores have an
/// identity that is the same in all containers.
public enum GardenSchemaV5: VersionedSchema {
    public static let versionIdentifier = Schema.Version(5, 0, 0)

    public static var models: [any PersistentModel.Type] {
        [Garden.self, Bed.self, Plant.self, Species.self, Chore.self, JournalEntry.self, Harvest.self, Photo.self]
    }

    @Model
    public final class Garden {
        public var name: String
        public var createdAt: Date = Date.now
        @Relationship(deleteRule: .cascade, inverse: \Bed.garden)
        public var beds: [Bed] = []
        @Relationship(deleteRule: .cascade, inverse: \JournalEntry.garden)
        public var journal: [JournalEntry] = []

        public init(name: String) {
            self.name = name
        }
    }

    @Model
    public final class Bed {
        public var name: String
        public var area: Double
        public var garden: Garden?
        @Relationship(deleteRule: .cascade, inverse: \Plant.bed)
        public var plants: [Plant] = []
        @Relationship(deleteRule: .cascade, inverse: \Chore.bed)
        public var chores: [Chore] = []

        public init(name: String, area: Double) {
            self.name = name
            self.area = area
        }
    }

    @Model
    public final class Plant {
        public var quantity: Int
        public var plantedAt: Date
        public var remarks: String?
        public var bed: Bed?
        public var species: Species?
        @Relationship(deleteRule: .cascade, inverse: \Harvest.plant)
        public var harvests: [Harvest] = []
        @Relationship(deleteRule: .cascade, inverse: \Photo.plant)
        public var photos: [Photo] = []

        public init(species: Species?, quantity: Int, plantedAt: Date = .now) {
            self.quantity = quantity
            self.plantedAt = plantedAt
            self.species = species
        }
    }

    @Model
    public final class Species {
        @Attribute(.unique) public var name: String
        public var sowingMonths: [Int] = []
        @Relationship(inverse: \Plant.species)
        public var plants: [Plant] = []

        public init(name: String) {
            self.name = name
        }
    }

    public enum Priority: String, Codable, CaseIterable, Sendable {
        case low, normal, high
    }

    @Model
    public final class Chore {
        // Not .unique: in the stage to this version all chores have the default value at first.
        @Attribute(.preserveValueOnDeletion) public var uuid: UUID = UUID()
        public var title: String
        public var due: Date?
        public var isDone: Bool = false
        public var priority: Priority = Priority.normal
        @Attribute(originalName: "priority") public var level: Int = 1
        public var bed: Bed?

        public init(uuid: UUID = UUID(), title: String, due: Date? = nil, priority: Priority = .normal) {
            self.uuid = uuid
            self.title = title
            self.due = due
            self.priority = priority
        }
    }

    public struct Weather: Codable, Hashable {
        public var celsius: Double
        public var isRaining: Bool

        public init(celsius: Double, isRaining: Bool) {
            self.celsius = celsius
            self.isRaining = isRaining
        }
    }

    @Model
    public final class JournalEntry {
        public var date: Date
        public var text: String
        public var weather: Weather?
        public var garden: Garden?

        public init(date: Date = .now, text: String) {
            self.date = date
            self.text = text
        }
    }

    @Model
    public final class Harvest {
        public var date: Date
        public var grams: Double
        public var plant: Plant?

        public init(date: Date = .now, grams: Double) {
            self.date = date
            self.grams = grams
        }
    }

    @Model
    public final class Photo {
        @Attribute(.externalStorage) public var data: Data
        public var takenAt: Date
        public var plant: Plant?

        public init(data: Data, takenAt: Date = .now) {
            self.data = data
            self.takenAt = takenAt
        }
    }
}
