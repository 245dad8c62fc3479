import CoreDataModel
import Testing

@Suite("Parts that source models can't represent")
struct UnwritableSourceTests {
    private func model(_ change: (NSEntityDescription, NSManagedObjectModel) -> Void) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Person"
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        change(entity, model)
        return model
    }

    private func refusal(_ change: (NSEntityDescription, NSManagedObjectModel) -> Void) throws -> CocoaError {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("Person.xcdatamodel")
        let error = try #require(throws: CocoaError.self) { try SourceModelWriter.write(model(change), to: target) }
        expectEqual(error.code, .fileWriteUnknown)
        expectFalse(FileManager.default.fileExists(atPath: target.path))
        return error
    }

    @Test(
        "Characters that XML doesn't allow are refused with entity and key", arguments: ["\u{0}", "a\u{1}", "\u{FFFF}"])
    func controlCharacters(text: String) throws {
        let error = try refusal { entity, _ in entity.attributesByName["name"]?.defaultValue = text }
        #expect(error.userInfo[ModelFileError.entityKey] as? String == "Person")
        #expect(error.userInfo[ModelFileError.keyKey] as? String == "name")
        expectContains(error.localizedDescription, "'name' of entity 'Person'")
    }

    @Test("A predicate whose text can't be read again is refused")
    func predicateWithoutText() throws {
        let error = try refusal { entity, model in
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "name"),
                rightExpression: NSExpression(forVariable: "two words"),
                modifier: .direct, type: .equalTo, options: [])
            model.setFetchRequestTemplate(request, forName: "odd")
        }
        #expect(error.userInfo[ModelFileError.keyKey] as? String == "odd")
        expectContains(error.localizedDescription, "of 'odd' of entity 'Person'")
    }
}
