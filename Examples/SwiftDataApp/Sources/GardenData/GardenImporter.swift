import Foundation
import SwiftData

/// Imports gardens from JSON, away from the main actor.
@ModelActor
public actor GardenImporter {
    /// A garden in a file.
    struct GardenFile: Decodable {
        struct BedFile: Decodable {
            var name: String
            var area: Double
            var plants: [PlantFile]
        }

        struct PlantFile: Decodable {
            var species: String
            var quantity: Int
            var plantedAt: Date
            var remarks: String?
        }

        var name: String
        var beds: [BedFile]
    }

    /// Imports gardens, and saves them.
    ///
    /// - Returns: the identifiers of the gardens.
    public func importGardens(from data: Data) throws -> [PersistentIdentifier] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let files = try decoder.decode([GardenFile].self, from: data)
        var species: [String: Species] = [:]
        for known in try modelContext.fetch(FetchDescriptor<Species>()) {
            species[known.name] = known
        }
        var gardens: [Garden] = []
        for file in files {
            try Task.checkCancellation()
            let garden = Garden(name: file.name)
            modelContext.insert(garden)
            for bedFile in file.beds {
                let bed = Bed(name: bedFile.name, area: bedFile.area)
                garden.beds.append(bed)
                for plantFile in bedFile.plants {
                    let kind = species[plantFile.species] ?? Species(name: plantFile.species)
                    species[plantFile.species] = kind
                    let plant = Plant(
                        species: kind, quantity: plantFile.quantity, plantedAt: plantFile.plantedAt)
                    plant.remarks = plantFile.remarks
                    bed.plants.append(plant)
                }
            }
            gardens.append(garden)
        }
        try modelContext.save()
        return gardens.map(\.persistentModelID)
    }
}
