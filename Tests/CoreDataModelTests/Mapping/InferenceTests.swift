import CoreDataModel
import Testing

@Suite("Inferred mapping models")
struct InferenceTests {
    private static let song = """
        <entity name="Song"><attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="artist" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Artist" \
        inverseName="songs"/></entity>
        <entity name="Artist"><attribute name="name" attributeType="String"/>
        <relationship name="songs" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Song" \
        inverseName="artist"/></entity>
        """

    private func infer(_ source: String, _ destination: String) throws -> NSMappingModel {
        try NSMappingModel.inferredMappingModel(
            forSourceModel: ModelText.model(source), destinationModel: ModelText.model(destination))
    }

    private func entity(_ content: String, _ attributes: String = "") -> String {
        "<entity name=\"Song\" \(attributes)>\(content)</entity>"
    }

    private func value(_ name: String, in mapping: NSEntityMapping?) -> String? {
        ((mapping?.attributeMappings ?? []) + (mapping?.relationshipMappings ?? [])).first { $0.name == name }?
            .valueExpression?.description
    }

    @Test("Unchanged entities are copied, property by property")
    func copies() throws {
        let model = try infer(Self.song, Self.song)
        expectEqual(model.entityMappings.map(\.name), ["IEM_Copy_Artist", "IEM_Copy_Song"])
        let song = try requireValue(model.entityMappingsByName["IEM_Copy_Song"])
        expectEqual(song.mappingType, .copyEntityMappingType)
        expectEqual(song.sourceEntityName, "Song")
        expectEqual(song.destinationEntityName, "Song")
        #expect(song.sourceEntityVersionHash != nil)
        expectEqual(song.sourceEntityVersionHash, song.destinationEntityVersionHash)
        expectEqual(value("title", in: song), "$source.title")
        expectEqual(
            value("artist", in: song),
            """
            FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \
            \"artist\", $source.artist)
            """
        )
        expectEqual(
            song.sourceExpression?.description,
            """
            FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Song\", \
            \"TRUEPREDICATE\"), $manager.sourceContext, NO)
            """
        )
    }

    @Test("An inferred mapping model matches its models, and can be written and read")
    func files() throws {
        let source = try ModelText.model(Self.song)
        let destination = try ModelText.model(Self.song.replacingOccurrences(of: "title", with: "name"))
        let model = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        expectTrue(model.matches(from: source, to: destination))
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Inferred.cdm")
        try MappingModelFile.write(model, to: file)
        let read = try requireValue(NSMappingModel(contentsOf: file))
        expectEqual(MappingText.text(of: read), MappingText.text(of: model))
    }

    @Test("Entities and properties are added and removed")
    func additionsAndRemovals() throws {
        let model = try infer(
            entity("<attribute name=\"old\" optional=\"YES\" attributeType=\"String\"/>") + "<entity name=\"Gone\"/>",
            entity("<attribute name=\"new\" optional=\"YES\" attributeType=\"Date\"/>") + "<entity name=\"Added\"/>")
        expectEqual(model.entityMappings.map(\.name), ["IEM_Add_Added", "IEM_Transform_Song", "IEM_Remove_Gone"])
        expectEqual(
            model.entityMappings.map(\.mappingType),
            [
                .addEntityMappingType, .transformEntityMappingType, .removeEntityMappingType,
            ])
        expectEqual(model.entityMappings[0].sourceEntityName, nil)
        expectEqual(model.entityMappings[0].sourceExpression, nil)
        expectEqual(model.entityMappings[2].destinationEntityName, nil)
        expectEqual(model.entityMappings[1].attributeMappings?.map(\.name), ["new"])
        expectEqual(value("new", in: model.entityMappings[1]), nil)
    }

    @Test("Renamed entities, attributes and relationships are found by their renaming identifiers")
    func renaming() throws {
        let after = """
            <entity name="Track" elementID="Song"><attribute name="name" elementID="title" optional="YES" \
            attributeType="String"/>
            <relationship name="performer" elementID="artist" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Band" inverseName="tracks"/></entity>
            <entity name="Band" elementID="Artist"><attribute name="name" attributeType="String"/>
            <relationship name="tracks" elementID="songs" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Track" inverseName="performer"/></entity>
            """
        let model = try infer(Self.song, after)
        let track = try requireValue(model.entityMappingsByName["IEM_Transform_Track"])
        expectEqual(track.sourceEntityName, "Song")
        expectEqual(value("name", in: track), "$source.title")
        expectEqual(value("performer", in: track)?.contains("\"artist\", $source.artist"), true)
        expectEqual(model.entityMappings.count, 2)
    }

    @Test("A second renaming is followed back to the first name; the next version may give the old name again")
    func renamingTwice() throws {
        let first = entity("<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>")
        let second = entity("<attribute name=\"b\" elementID=\"a\" optional=\"YES\" attributeType=\"String\"/>")
        let third = entity(
            """
            <attribute name=\"c\" elementID=\"a\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"a\" \
            optional=\"YES\" attributeType=\"String\"/>
            """
        )
        try expectEqual(value("c", in: infer(second, third).entityMappings[0]), "$source.b")
        try expectEqual(value("a", in: infer(second, third).entityMappings[0]), nil)
        // Both would have the values of the first version, unless the new one says that it is new.
        #expect(throws: CocoaError.self) { try infer(first, third) }
        let marked = entity(
            """
            <attribute name=\"c\" elementID=\"a\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"a\" \
            elementID=\"new\" optional=\"YES\" attributeType=\"String\"/>
            """
        )
        try expectEqual(value("c", in: infer(first, marked).entityMappings[0]), "$source.a")
        try expectEqual(value("a", in: infer(first, marked).entityMappings[0]), nil)
    }

    @Test("An optional attribute that becomes required gets its default value instead of nil")
    func requiredWithDefault() throws {
        let model = try infer(
            entity("<attribute name=\"count\" optional=\"YES\" attributeType=\"Integer 16\"/>"),
            entity("<attribute name=\"count\" attributeType=\"Integer 16\" defaultValueString=\"3\"/>"))
        expectEqual(value("count", in: model.entityMappings[0]), "TERNARY($source.count == nil, 3, $source.count)")
    }

    @Test("A required attribute that becomes optional is copied")
    func optional() throws {
        let model = try infer(
            entity("<attribute name=\"count\" attributeType=\"Integer 16\"/>"),
            entity("<attribute name=\"count\" optional=\"YES\" attributeType=\"Integer 16\"/>"))
        expectEqual(value("count", in: model.entityMappings[0]), "$source.count")
    }

    @Test("Transient and derived attributes are not mapped; a transient one that becomes stored has no value")
    func transientAttributes() throws {
        let model = try infer(
            entity("<attribute name=\"cache\" optional=\"YES\" transient=\"YES\" attributeType=\"String\"/>"),
            entity(
                """
                <attribute name="cache" optional="YES" attributeType="String"/><attribute name="note" optional="YES" \
                transient="YES" attributeType="String"/>
                <attribute name="stamp" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
                """))
        expectEqual(model.entityMappings[0].attributeMappings?.map(\.name), ["cache"])
        expectEqual(value("cache", in: model.entityMappings[0]), nil)
    }

    @Test("A to-one relationship can become to-many, and a to-many relationship ordered or unordered")
    func cardinality() throws {
        let one = Self.song
        let many = one.replacingOccurrences(
            of: "name=\"artist\" optional=\"YES\" maxCount=\"1\"",
            with: "name=\"artist\" optional=\"YES\" toMany=\"YES\"")
        let ordered = many.replacingOccurrences(of: "toMany=\"YES\"", with: "toMany=\"YES\" ordered=\"YES\"")
        _ = try infer(one, many)
        _ = try infer(one, ordered)
        _ = try infer(many, ordered)
        _ = try infer(ordered, many)
        let error = #expect(throws: CocoaError.self) { try infer(many, one) }
        #expect(error?.userInfo["entity"] as? String == "Song")
        #expect(error?.userInfo["relationship"] as? String == "artist")
    }

    @Test("Entities get a new parent or leave a hierarchy, and properties move up")
    func hierarchies() throws {
        let flat = entity("<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>")
        let nested =
            """
            <entity name=\"Item\" isAbstract=\"YES\"><attribute name=\"title\" optional=\"YES\" \
            attributeType=\"String\"/></entity>
            """
            + entity("", "parentEntity=\"Item\"")
        let up = try infer(flat, nested)
        expectEqual(value("title", in: up.entityMappingsByName["IEM_Transform_Song"]), "$source.title")
        let out = try infer(nested, flat)
        expectEqual(out.entityMappings.map(\.name), ["IEM_Transform_Song", "IEM_Remove_Item"])
        expectEqual(value("title", in: out.entityMappings[0]), "$source.title")
    }

    @Test("A relationship can get a new parent of its destination as destination")
    func widerDestination() throws {
        let after = Self.song.replacingOccurrences(
            of: "destinationEntity=\"Artist\" inverseName=\"songs\"", with: "destinationEntity=\"Performer\""
        )
        .replacingOccurrences(of: " inverseName=\"artist\"", with: "")
        .replacingOccurrences(
            of: "<entity name=\"Artist\">",
            with: "<entity name=\"Performer\" isAbstract=\"YES\"/><entity name=\"Artist\" parentEntity=\"Performer\">")
        let model = try infer(Self.song, after)
        #expect(value("artist", in: model.entityMappingsByName["IEM_Transform_Song"]) != nil)
        // In the opposite direction performers that are not artists would have no entity.
        #expect(throws: CocoaError.self) {
            try infer(
                after.replacingOccurrences(of: " isAbstract=\"YES\"", with: ""),
                Self.song.replacingOccurrences(
                    of: "</entity>\n<entity name=\"Artist\">",
                    with: "</entity><entity name=\"Performer\"/><entity name=\"Artist\">"))
        }
    }

    // MARK: What can't be inferred

    private func failure(_ source: String, _ destination: String) throws -> CocoaError {
        try requireValue(#expect(throws: CocoaError.self) { try infer(source, destination) })
    }

    @Test("An attribute of another type is refused, with Apple's code and reason")
    func typeChange() throws {
        let error = try failure(
            entity("<attribute name=\"length\" optional=\"YES\" attributeType=\"Integer 16\"/>"),
            entity("<attribute name=\"length\" optional=\"YES\" attributeType=\"String\"/>"))
        expectEqual(error.errorCode, 134190)
        #expect(error.userInfo["reason"] as? String == "Source and destination attribute types are incompatible")
        #expect(error.userInfo["entity"] as? String == "Song")
        #expect(error.userInfo["attribute"] as? String == "length")
        expectContains(error.localizedDescription, "Integer 16")
        expectContains(error.localizedDescription, "Song.length")
    }

    @Test("An element of another type is refused by its name")
    func elementTypeChange() throws {
        func kind(_ type: NSAttributeType) throws -> NSManagedObjectModel {
            let element = NSAttributeDescription()
            element.name = "cash"
            element.attributeType = type
            let composite = NSCompositeAttributeDescription()
            composite.name = "payment"
            composite.elements = [element]
            let entity = NSEntityDescription()
            entity.name = "Order"
            entity.properties = [composite]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        let error = #expect(throws: CocoaError.self) {
            _ = try NSMappingModel.inferredMappingModel(
                forSourceModel: try kind(.binaryDataAttributeType), destinationModel: try kind(.stringAttributeType))
        }
        let text = "The type of the element 'cash' was Binary and is String"
        expectEqual(error?.localizedDescription.contains(text), true, "\(error?.localizedDescription ?? "")")
    }

    @Test(
        "Numbers convert to numbers of any type, renamed too",
        arguments: ["Boolean", "Integer 16", "Integer 32", "Integer 64", "Float", "Double", "Decimal"])
    func numberTypes(_ type: String) throws {
        let mapping = try infer(
            entity("<attribute name=\"isLive\" optional=\"YES\" attributeType=\"Boolean\"/>"),
            entity(
                "<attribute name=\"kind\" optional=\"YES\" attributeType=\"\(type)\" elementID=\"isLive\"/>"))
        expectEqual(mapping.entityMappings.first?.attributeMappings?.map(\.name), ["kind"])
        expectEqual(
            mapping.entityMappings.first?.attributeMappings?.first?.valueExpression?.description.contains("isLive"),
            true)
    }

    @Test("Two inferences of the same models are equal")
    func equality() throws {
        func attribute(_ name: String) -> String {
            "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"Date\"/>"
        }
        let mappings = try (0..<2).map { _ in try infer(entity(attribute("a")), entity(attribute("b"))) }
        expectEqual(mappings[0], mappings[1])
        expectEqual(mappings[0].hash, mappings[1].hash)
        let other = try infer(entity(attribute("a")), entity(attribute("a")))
        #expect(other != mappings[0])
    }

    @Test("A required attribute without default is refused, whether new or made required")
    func missingValues() throws {
        let required = entity("<attribute name=\"title\" attributeType=\"String\"/>")
        let reason = "Validation error missing attribute values on mandatory destination attribute"
        #expect(try failure(entity(""), required).userInfo["reason"] as? String == reason)
        let optional = entity("<attribute name=\"title\" optional=\"YES\" attributeType=\"String\"/>")
        #expect(try failure(optional, required).userInfo["reason"] as? String == reason)
        // A new entity has no objects.
        _ = try infer("<entity name=\"Other\"/>", "<entity name=\"Other\"/>" + required)
    }

    @Test("A new required relationship is inferred, to one object and to many", arguments: ["", "toMany minCount"])
    func missingRelationship(_ kind: String) throws {
        let count = kind.isEmpty ? "maxCount=\"1\"" : "toMany=\"YES\" minCount=\"1\""
        let after =
            entity("<relationship name=\"album\" \(count) deletionRule=\"Nullify\" destinationEntity=\"Album\"/>")
            + "<entity name=\"Album\"/>"
        let mapping = try requireValue(
            try infer(entity(""), after).entityMappings.first { $0.mappingType == .transformEntityMappingType })
        let property = try requireValue(mapping.relationshipMappings?.first)
        expectEqual(property.name, "album")
        expectEqual(property.valueExpression, nil)
    }

    @Test("Two hierarchies can't be merged")
    func mergedHierarchies() throws {
        let error = try failure(
            "<entity name=\"A\"/><entity name=\"B\"/>",
            """
            <entity name=\"P\" isAbstract=\"YES\"/><entity name=\"A\" parentEntity=\"P\"/><entity name=\"B\" \
            parentEntity=\"P\"/>
            """
        )
        expectEqual(error.errorCode, 134190)
        expectContains(error.localizedDescription, "'A'")
        expectContains(error.localizedDescription, "'B'")
    }

    @Test("Each problem is reported once, even if subentities share it")
    func severalProblems() throws {
        let source =
            entity("<attribute name=\"x\" optional=\"YES\" attributeType=\"Date\"/>")
            + "<entity name=\"Single\" parentEntity=\"Song\"/>"
        let destination =
            entity(
                """
                <attribute name=\"x\" optional=\"YES\" attributeType=\"UUID\"/><attribute name=\"y\" \
                attributeType=\"UUID\"/>
                """
            )
            + "<entity name=\"Single\" parentEntity=\"Song\"/>"
        let error = try failure(source, destination)
        let details = try requireValue(error.userInfo["NSDetailedErrors"] as? [CocoaError])
        expectEqual(details.compactMap { $0.userInfo["attribute"] as? String }, ["x", "y"])
        #expect(error.userInfo["reason"] as? String == "Source and destination attribute types are incompatible")
    }
}
