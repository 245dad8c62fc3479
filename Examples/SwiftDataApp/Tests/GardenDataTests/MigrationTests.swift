import Foundation
import SwiftData
import Testing

@testable import GardenData

@Suite("Stores of earlier releases")
struct MigrationTests {
    let folder: URL
    let url: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Garden-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Garden.store")
    }

    private func container(_ version: any VersionedSchema.Type) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: url))
    }

    private func makeFirstRelease() throws {
        let context = ModelContext(try container(GardenSchemaV1.self))
        let garden = GardenSchemaV1.Garden(name: "Home")
        context.insert(garden)
        let bed = GardenSchemaV1.Bed(name: "South", area: 4.5)
        garden.beds.append(bed)
        for (name, quantity) in [("Tomato", 6), (" Tomato ", 2), ("Basil", 12)] {
            let plant = GardenSchemaV1.Plant(speciesName: name, quantity: quantity)
            plant.notes = "\(quantity) of them"
            bed.plants.append(plant)
        }
        try context.save()
    }

    @Test("names of species become models")
    func speciesAreMade() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeFirstRelease()
        let context = ModelContext(try GardenStore.container(url: url))
        let species = try context.fetch(FetchDescriptor<Species>(sortBy: [SortDescriptor(\.name)]))
        #expect(species.map(\.name) == ["Basil", "Tomato"])
        #expect(species.map { $0.plants.map(\.quantity).sorted() } == [[12], [2, 6]])
        let plants = try context.fetch(FetchDescriptor<Plant>(sortBy: [SortDescriptor(\.quantity)]))
        #expect(plants.map(\.remarks) == ["2 of them", "6 of them", "12 of them"])
        #expect(plants.allSatisfy { $0.bed?.garden?.name == "Home" })
    }

    @Test("levels of chores become priorities")
    func prioritiesAreMade() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let context = ModelContext(try container(GardenSchemaV4.self))
            for level in 0...2 {
                context.insert(GardenSchemaV4.Chore(title: "Chore \(level)", priority: level))
            }
            let entry = GardenSchemaV4.JournalEntry(text: "Rain")
            entry.weather = GardenSchemaV4.Weather(celsius: 12.5, isRaining: true)
            context.insert(entry)
            try context.save()
        }
        let context = ModelContext(try GardenStore.container(url: url))
        let chores = try context.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.title)]))
        #expect(chores.map(\.priority) == [.low, .normal, .high])
        #expect(chores.map(\.level) == [0, 1, 2])
        #expect(Set(chores.map(\.uuid)).count == 3)
        let entry = try #require(try context.fetch(FetchDescriptor<JournalEntry>()).first)
        #expect(entry.weather == GardenSchemaV5.Weather(celsius: 12.5, isRaining: true))
    }

    @Test("the store of each release opens", arguments: 0..<5)
    func storesOpen(release: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try container(GardenMigrationPlan.schemas[release])
        let context = ModelContext(try GardenStore.container(url: url))
        context.insert(Garden(name: "New"))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Garden>()) == 1)
    }
}
