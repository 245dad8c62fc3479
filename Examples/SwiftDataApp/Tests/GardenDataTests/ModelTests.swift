import Foundation
import SwiftData
import Testing

@testable import GardenData

@Suite("The models of the app")
struct ModelTests {
    private func context() throws -> ModelContext {
        ModelContext(try GardenStore.container(inMemory: true))
    }

    @Test("open chores of a garden are sorted by their due date")
    func openChores() throws {
        let context = try context()
        let garden = Garden(name: "Home")
        context.insert(garden)
        let bed = Bed(name: "South", area: 2)
        garden.beds.append(bed)
        bed.chores = [
            Chore(title: "Weed", due: Date(timeIntervalSince1970: 200)),
            Chore(title: "Water", due: Date(timeIntervalSince1970: 100), priority: .high),
        ]
        let done = Chore(title: "Sow")
        done.isDone = true
        bed.chores.append(done)
        context.insert(Chore(title: "Elsewhere"))
        try context.save()
        #expect(try garden.openChores(in: context).map(\.title) == ["Water", "Weed"])
    }

    @Test("deleting a garden deletes what is in it, and leaves species")
    func deletion() throws {
        let context = try context()
        let garden = Garden(name: "Home")
        context.insert(garden)
        let bed = Bed(name: "South", area: 2)
        garden.beds.append(bed)
        let plant = Plant(species: Species(name: "Leek"), quantity: 3)
        bed.plants.append(plant)
        plant.photos.append(Photo(data: Data([1, 2, 3])))
        garden.journal.append(JournalEntry(text: "Begun"))
        try context.save()
        context.delete(garden)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Bed>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Plant>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Photo>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<JournalEntry>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Species>()) == 1)
    }

    @Test("a second species of one name is the first one")
    func uniqueSpecies() throws {
        let context = try context()
        context.insert(Species(name: "Leek"))
        try context.save()
        let second = Species(name: "Leek")
        second.sowingMonths = [3, 4]
        context.insert(second)
        try context.save()
        let species = try context.fetch(FetchDescriptor<Species>())
        #expect(species.map(\.sowingMonths) == [[3, 4]])
    }

    @Test("harvests add up")
    func harvests() throws {
        let context = try context()
        let plant = Plant(species: nil, quantity: 1)
        context.insert(plant)
        plant.harvests = [Harvest(grams: 250), Harvest(grams: 125.5)]
        try context.save()
        #expect(plant.harvestedGrams == 375.5)
    }
}
