import Foundation
import SwiftData
import Testing

@testable import GardenData

@Suite("Importing gardens")
struct ImporterTests {
    private let json = """
        [{"name": "Allotment", "beds": [
            {"name": "North", "area": 3, "plants": [
                {"species": "Leek", "quantity": 20, "plantedAt": "2025-04-01T08:00:00Z", "remarks": "early"},
                {"species": "Tomato", "quantity": 4, "plantedAt": "2025-05-15T08:00:00Z"}
            ]},
            {"name": "South", "area": 5, "plants": []}
        ]}]
        """

    @Test("an actor imports JSON, and the main context sees the models")
    @MainActor
    func importedGardenIsSeen() async throws {
        let container = try GardenStore.container(inMemory: true)
        container.mainContext.insert(Species(name: "Tomato"))
        try container.mainContext.save()
        let importer = GardenImporter(modelContainer: container)
        let identifiers = try await importer.importGardens(from: Data(json.utf8))
        let context = ModelContext(container)
        let garden = try #require(context.model(for: identifiers[0]) as? Garden)
        #expect(garden.name == "Allotment")
        #expect(garden.beds.map(\.name).sorted() == ["North", "South"])
        let species = try context.fetch(FetchDescriptor<Species>(sortBy: [SortDescriptor(\.name)]))
        #expect(species.map(\.name) == ["Leek", "Tomato"])
        #expect(species.map(\.plants.count) == [1, 1])
    }

    @Test("a mistake in the file imports nothing")
    func mistakeImportsNothing() async throws {
        let container = try GardenStore.container(inMemory: true)
        let importer = GardenImporter(modelContainer: container)
        await #expect(throws: DecodingError.self) {
            try await importer.importGardens(from: Data(#"[{"name": "A"}]"#.utf8))
        }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Garden>()) == 0)
    }

    @Test("several imports at once share the species")
    func importsAtOnce() async throws {
        let container = try GardenStore.container(inMemory: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let importer = GardenImporter(modelContainer: container)
                    _ = try await importer.importGardens(from: Data(json.utf8))
                }
            }
            try await group.waitForAll()
        }
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<Garden>()) == 4)
        #expect(try context.fetchCount(FetchDescriptor<Plant>()) == 8)
    }
}
