import SwiftData

enum GardenVersion1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Bed.self, Plant.self] }

    @Model
    final class Bed {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Plant.bed) var plants: [Plant] = []

        init(name: String) { self.name = name }
    }

    @Model
    final class Plant {
        var name: String
        var height = 1.0
        var bed: Bed?

        init(name: String) { self.name = name }
    }
}

enum GardenVersion2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Bed.self, Plant.self] }

    enum Light: String, Codable { case sun, shade }
    struct Size: Codable { var width = 1.0, length = 2.0 }

    @Model
    final class Bed {
        @Attribute(.unique) var name: String
        private(set) var size = Size()
        var light: Light = Light.sun
        @Relationship(deleteRule: .cascade, inverse: \Plant.bed) var plants: [Plant] = []

        init(name: String) { self.name = name }

        func resize(_ size: Size) { self.size = size }
    }

    @Model
    final class Plant {
        #Index<Plant>([\.name])
        var name: String
        // The macro takes the accessors over, as Apple's does: the observer isn't called.
        var height = 1.0 { didSet { observed += 1 } }
        @Transient var observed = 0
        private(set) var sownAt: Date = Date(timeIntervalSinceReferenceDate: 0)
        var bed: Bed?
        var title: String { "\(name) in \(bed?.name ?? "no bed")" }

        init(name: String) { self.name = name }
    }
}

enum GardenPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [GardenVersion1.self, GardenVersion2.self] }
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: GardenVersion1.self, toVersion: GardenVersion2.self, willMigrate: nil,
                didMigrate: { context in
                    for plant in try context.fetch(FetchDescriptor<GardenVersion2.Plant>()) { plant.height += 1 }
                    try context.save()
                })
        ]
    }
}

@ModelActor
actor Gardener {
    func plant(_ names: [String], in bed: String) throws -> Int {
        let bed = GardenVersion2.Bed(name: bed)
        modelContext.insert(bed)
        bed.plants = names.map { GardenVersion2.Plant(name: $0) }
        bed.resize(GardenVersion2.Size(width: 3, length: 4))
        try modelContext.save()
        return try modelContext.fetchCount(FetchDescriptor<GardenVersion2.Plant>())
    }
}
