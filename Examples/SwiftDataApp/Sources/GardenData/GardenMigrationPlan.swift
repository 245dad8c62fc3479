import Foundation
import SwiftData

enum GardenMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [
            GardenSchemaV1.self, GardenSchemaV2.self, GardenSchemaV3.self, GardenSchemaV4.self, GardenSchemaV5.self,
        ]
    }

    static var stages: [MigrationStage] {
        [migrateV1toV2, migrateV2toV3, migrateV3toV4, migrateV4toV5]
    }

    /// Makes a species of each name.
    static let migrateV1toV2 = MigrationStage.custom(
        fromVersion: GardenSchemaV1.self,
        toVersion: GardenSchemaV2.self,
        willMigrate: { context in
            for plant in try context.fetch(FetchDescriptor<GardenSchemaV1.Plant>()) {
                plant.speciesName = plant.speciesName.trimmingCharacters(in: .whitespaces)
            }
            try context.save()
        },
        didMigrate: { context in
            let plants = try context.fetch(FetchDescriptor<GardenSchemaV2.Plant>())
            for (name, plants) in Dictionary(grouping: plants, by: \.speciesName) {
                let species = GardenSchemaV2.Species(name: name)
                context.insert(species)
                for plant in plants {
                    plant.species = species
                }
            }
            try context.save()
        }
    )

    static let migrateV2toV3 = MigrationStage.lightweight(
        fromVersion: GardenSchemaV2.self,
        toVersion: GardenSchemaV3.self
    )

    static let migrateV3toV4 = MigrationStage.lightweight(
        fromVersion: GardenSchemaV3.self,
        toVersion: GardenSchemaV4.self
    )

    /// Makes a priority of each level, and gives each chore a unique identity.
    static let migrateV4toV5 = MigrationStage.custom(
        fromVersion: GardenSchemaV4.self,
        toVersion: GardenSchemaV5.self,
        willMigrate: nil,
        didMigrate: { context in
            for chore in try context.fetch(FetchDescriptor<GardenSchemaV5.Chore>()) {
                chore.priority = chore.level < 1 ? .low : chore.level > 1 ? .high : .normal
                chore.uuid = UUID()
            }
            try context.save()
        }
    )
}
