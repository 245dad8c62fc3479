import CoreDataModel
import Testing

#if compiler(>=6.2)
    @Suite("Programming errors stop the program with a message")
    struct ProgrammingErrorTests {
        @Test("A template's variable without a value is named")
        func missingVariable() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let model = CarModel.make()
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
                request.predicate = NSPredicate(format: "maker == $MAKER AND model == $MODEL")
                model.setFetchRequestTemplate(request, forName: "Search")
                _ = model.fetchRequestFromTemplate(withName: "Search", substitutionVariables: ["MAKER": "x"])
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "template 'Search' has the variable '$MODEL'")
            expectContains(text, "NSNull")
        }

        @Test("Each predicate needs a warning")
        func unequalCounts() async {
            await #expect(processExitsWith: .failure) {
                CarModel.attribute("x", .string).setValidationPredicates(
                    [NSPredicate(value: true)], withValidationWarnings: [])
            }
        }

        @Test("An entity of another model is refused, with the remedy")
        func foreignEntity() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let first = CarModel.make()
                let second = NSManagedObjectModel()
                second.entities = first.entities
                first.versionIdentifiers = []
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "belongs to another model")
            expectContains(text, "entity.copy()")
        }

        @Test("An entity can't inherit from itself")
        func circle() async {
            await #expect(processExitsWith: .failure) {
                let parent = CarModel.entity("A")
                let child = CarModel.entity("B")
                parent.subentities = [child]
                child.subentities = [parent]
            }
        }
    }
#endif
