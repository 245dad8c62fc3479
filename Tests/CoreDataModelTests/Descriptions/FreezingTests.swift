import Testing

@testable import CoreDataModel

@Suite("A model in use is immutable")
struct FreezingTests {
    @Test("A frozen model has unchanged values, and its copy is mutable")
    func frozen() throws {
        let model = CarModel.make()
        model.freeze()
        model.freeze()
        expectTrue(model.isFrozen)
        let car = try requireValue(model.entitiesByName["Car"])
        let sport = try requireValue(model.entitiesByName["ExpensiveSportCar"])
        expectTrue(sport.isKindOf(entity: car))
        expectFalse(car.isKindOf(entity: sport))
        expectEqual(sport.propertiesByName.count, 8)
        expectEqual(
            sport.relationships(forDestination: try requireValue(model.entitiesByName["Person"])).map(\.name), ["owner"]
        )
        expectEqual(car.relationshipsByName["owner"]?.inverseRelationship?.name, "cars")
        let copy = try requireValue(model.copy() as? NSManagedObjectModel)
        expectFalse(copy.isFrozen)
        expectTrue(copy.isEqual(model))
        copy.entitiesByName["Car"]?.name = "Auto"
        expectEqual(copy.entitiesByName["Person"]?.relationshipsByName["cars"]?.destinationEntity?.name, "Auto")
        expectEqual(car.name, "Car")
    }

    @Test("Many threads may freeze and read one model")
    func threads() async {
        let model = SharedModel(CarModel.make())
        let names = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    model.value.freeze()
                    return model.value.entitiesByName["SportCar"]?.propertiesByName.keys.sorted() ?? []
                }
            }
            return await group.reduce(into: Set<[String]>()) { $0.insert($1) }
        }
        expectEqual(names.count, 1)
        expectEqual(names.first?.count, 7)
    }

    /// Threads can read a frozen model. Only the test needs the conformance.
    private final class SharedModel: @unchecked Sendable {
        let value: NSManagedObjectModel
        init(_ value: NSManagedObjectModel) { self.value = value }
    }

    #if compiler(>=6.2)
        @Test("Changing a frozen model stops the program")
        func changes() async {
            await #expect(processExitsWith: .failure) {
                let model = CarModel.make()
                model.freeze()
                model.entities[0].name = "Other"
            }
            await #expect(processExitsWith: .failure) {
                let model = CarModel.make()
                model.freeze()
                model.entities[0].properties[0].isOptional = false
            }
            await #expect(processExitsWith: .failure) {
                let model = CarModel.make()
                model.freeze()
                model.entities = []
            }
        }

        @Test("The message names entity, key and remedy")
        func message() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let model = CarModel.make()
                model.freeze()
                model.entitiesByName["Car"]?.attributesByName["maker"]?.defaultValue = "x"
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Can't modify an immutable model.")
            expectContains(text, "'maker' of entity 'Car', key 'defaultValue'")
            expectContains(text, "copy()")
        }

        @Test("A named fetch request of an immutable model can't be changed; a copy can")
        func template() async throws {
            await #expect(processExitsWith: .failure) {
                let model = CarModel.make()
                model.setFetchRequestTemplate(
                    NSFetchRequest<any NSFetchRequestResult>(entityName: "Car"), forName: "All")
                model.freeze()
                model.fetchRequestTemplate(forName: "All")?.fetchLimit = 3
            }
        }

        @Test("Using a model with a relationship without a destination stops the program")
        func dangling() async {
            await #expect(processExitsWith: .failure) {
                let model = NSManagedObjectModel()
                let entity = CarModel.entity("A")
                let relationship = NSRelationshipDescription()
                relationship.name = "b"
                entity.properties = [relationship]
                model.entities = [entity]
                model.freeze()
            }
        }
    #endif
}
