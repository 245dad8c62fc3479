import Foundation
import SwiftData

public typealias Garden = GardenSchemaV5.Garden
public typealias Bed = GardenSchemaV5.Bed
public typealias Plant = GardenSchemaV5.Plant
public typealias Species = GardenSchemaV5.Species
public typealias Chore = GardenSchemaV5.Chore
public typealias JournalEntry = GardenSchemaV5.JournalEntry
public typealias Harvest = GardenSchemaV5.Harvest
public typealias Photo = GardenSchemaV5.Photo

extension Garden {
    /// The chores of all beds that aren't done, the urgent ones first.
    public func openChores(in context: ModelContext) throws -> [Chore] {
        let name = name
        let descriptor = FetchDescriptor<Chore>(
            predicate: #Predicate { !$0.isDone && $0.bed?.garden?.name == name },
            sortBy: [SortDescriptor(\.due), SortDescriptor(\.title)]
        )
        return try context.fetch(descriptor)
    }
}

extension Plant {
    public var harvestedGrams: Double {
        harvests.reduce(0) { $0 + $1.grams }
    }
}

public enum GardenStore {
    /// The container of the app, or one in memory for previews and tests.
    public static func container(url: URL? = nil, inMemory: Bool = false) throws -> ModelContainer {
        let schema = Schema(versionedSchema: GardenSchemaV5.self)
        let configuration =
            if let url {
                ModelConfiguration(schema: schema, url: url)
            } else {
                ModelConfiguration("Garden", schema: schema, isStoredInMemoryOnly: inMemory)
            }
        return try ModelContainer(
            for: schema, migrationPlan: GardenMigrationPlan.self, configurations: [configuration])
    }
}
