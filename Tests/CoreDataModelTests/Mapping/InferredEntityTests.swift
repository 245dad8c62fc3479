import CoreDataModel
import Testing

@Suite("Entities of inferred mapping models")
struct InferredEntityTests {
    private func infer(_ source: String, _ destination: String) throws -> NSMappingModel {
        try NSMappingModel.inferredMappingModel(
            forSourceModel: ModelText.model(source), destinationModel: ModelText.model(destination))
    }

    private static let added = """
        <entity name="Added"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="song" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Song"/></entity>
        """

    @Test("The mapping of a new entity has its name and hash, and its properties without values")
    func addition() throws {
        let after = "<entity name=\"Song\"/>" + Self.added
        let mapping = try requireValue(infer("<entity name=\"Song\"/>", after).entityMappings.first)
        expectEqual(mapping.name, "IEM_Add_Added")
        expectEqual(mapping.destinationEntityName, "Added")
        let hash = try ModelText.model(after).entityVersionHashesByName["Added"]
        #expect(hash != nil)
        expectEqual(mapping.destinationEntityVersionHash, hash)
        expectEqual(mapping.attributeMappings?.map(\.name), ["name"])
        expectEqual(mapping.relationshipMappings?.map(\.name), ["song"])
        let properties = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
        expectEqual(properties.compactMap(\.valueExpression), [])
    }

    @Test("The mapping of a removed entity has its name and hash, the objects, and no properties")
    func removal() throws {
        let before = "<entity name=\"Song\"/>" + Self.added
        let mapping = try requireValue(infer(before, "<entity name=\"Song\"/>").entityMappings.last)
        expectEqual(mapping.name, "IEM_Remove_Added")
        expectEqual(mapping.sourceEntityName, "Added")
        let hash = try ModelText.model(before).entityVersionHashesByName["Added"]
        #expect(hash != nil)
        expectEqual(mapping.sourceEntityVersionHash, hash)
        expectContains(mapping.sourceExpression?.description ?? "", "\"Added\"")
        expectEqual(mapping.attributeMappings?.count, 0)
        expectEqual(mapping.relationshipMappings?.count, 0)
    }

    @Test("An optional attribute with a default value is copied as it is")
    func optionalWithDefault() throws {
        let song = """
            <entity name="Song"><attribute name="count" optional="YES" attributeType="Integer 16" \
            defaultValueString="3"/></entity>
            """
        let mapping = try infer(song, song + "<entity name=\"Other\"/>").entityMappings[1]
        expectEqual(mapping.attributeMappings?.first?.valueExpression?.description, "$source.count")
    }

    @Test("A required attribute without default may be added to an abstract entity, before or now: it has no objects")
    func abstractEntity() throws {
        let required = "<attribute name=\"title\" attributeType=\"String\"/>"
        let plain = "<entity name=\"Song\"/>"
        for (before, after) in [("YES", "NO"), ("NO", "YES")] {
            let mapping = try infer(
                plain.replacingOccurrences(of: "/>", with: " isAbstract=\"\(before)\"/>"),
                "<entity name=\"Song\" isAbstract=\"\(after)\">\(required)</entity>"
            ).entityMappings[0]
            expectEqual(mapping.attributeMappings?.map(\.name), ["title"])
        }
        #expect(throws: CocoaError.self) { try infer(plain, "<entity name=\"Song\">\(required)</entity>") }
    }

    @Test("A relationship to an abstract entity can lead to its one concrete subentity, and not if it isn't abstract")
    func abstractDestination() throws {
        func model(isAbstract: String, destination: String) -> String {
            """
            <entity name="Owner"><relationship name="vehicle" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="\(destination)"/></entity>
            <entity name="Vehicle" isAbstract="\(isAbstract)"/><entity name="Car" parentEntity="Vehicle"/>
            """
        }
        let mapping = try infer(
            model(isAbstract: "YES", destination: "Vehicle"), model(isAbstract: "YES", destination: "Car"))
        let owner = try requireValue(mapping.entityMappings.first { $0.destinationEntityName == "Owner" })
        #expect(owner.relationshipMappings?.first?.valueExpression != nil)
        #expect(throws: CocoaError.self) {
            try infer(model(isAbstract: "NO", destination: "Vehicle"), model(isAbstract: "NO", destination: "Car"))
        }
    }
}
