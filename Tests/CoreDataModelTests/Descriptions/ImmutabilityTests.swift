import CoreDataModel
import Testing

@Suite("Nothing of a model in use can be changed")
struct ImmutabilityTests {
    #if compiler(>=6.3)
        @Test("Every setter stops with Apple's message and its key", arguments: FrozenSample.changes.indices)
        func setters(index: Int) async throws {
            let change = FrozenSample.changes[index]
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
                FrozenSample.changes[index].make(FrozenSample())
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Can't modify an immutable model.", "\(change.name): \(text)")
            expectContains(text, "key '\(change.key)'", "\(change.name): \(text)")
        }

        @Test(
            "Every setter of a named request stops, and so does that of a fetched property",
            arguments: FrozenSample.requestChanges.indices)
        func requests(index: Int) async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
                let sample = FrozenSample()
                guard
                    let request = index % 2 == 0
                        ? sample.model.fetchRequestTemplate(forName: "All") : sample.fetched.fetchRequest
                else { return }
                FrozenSample.requestChanges[index](request)
            }
            let text = String(decoding: try requireValue(result).standardErrorContent, as: UTF8.self)
            expectContains(text, "Can't modify a named fetch request in an immutable model.", "\(text)")
        }
    #endif

    @Test("Copies can be changed without a change of the originals")
    func copies() throws {
        let sample = FrozenSample()
        let model = try requireValue(sample.model.copy() as? NSManagedObjectModel)
        model.versionIdentifiers = ["2"]
        model.localizationDictionary = ["a": "b"]
        let entity = try requireValue(model.entitiesByName["Item"])
        entity.isAbstract = true
        entity.indexes[0].name = "other"
        entity.indexes[0].elements[0].isAscending = false
        (entity.indexes[0].elements[0].property as? NSExpressionDescription)?.expression = nil
        entity.attributesByName["name"]?.defaultValue = "x"
        (entity.attributesByName["place"] as? NSCompositeAttributeDescription)?.elements[0].defaultValue = 1.0
        (entity.propertiesByName["all"] as? NSFetchedPropertyDescription)?.fetchRequest?.fetchLimit = 3
        entity.relationshipsByName["parent"]?.isOrdered = true
        let column = model.fetchRequestTemplate(forName: "All")?.propertiesToFetch?.first as? NSExpressionDescription
        column?.expression = nil
        #expect(column != nil)
        #expect(sample.column.expression != nil)
        for change in FrozenSample.requestChanges {
            change(try requireValue(model.fetchRequestTemplate(forName: "All")))
            change(try #require(sample.template.copy() as? NSFetchRequest<any NSFetchRequestResult>))
        }
        expectFalse(sample.entity.isAbstract)
        expectEqual(sample.index.name, "byName")
        expectTrue(sample.indexElement.isAscending)
        #expect(sample.indexExpression.expression != nil)
        #expect(sample.attribute.defaultValue == nil)
        #expect(sample.element.defaultValue == nil)
        expectEqual(sample.fetchedRequest.fetchLimit, 0)
        expectEqual(sample.template.fetchLimit, 0)
        expectFalse(sample.relationship.isOrdered)
        expectFalse(sample.model.isEqual(model))
    }
}
