import CoreDataModel
import Testing

@Suite("Renaming identifiers of inferred mapping models")
struct InferredRenamingTests {
    /// An attribute: its name, its renaming identifier after a colon, and its type after a blank.
    private func song(_ attributes: String...) -> String {
        let elements = attributes.map { text in
            let words = text.split(separator: " ").map(String.init)
            let names = words[0].split(separator: ":").map(String.init)
            let identifier = names.count > 1 ? " elementID=\"\(names[1])\"" : ""
            let type = words.count > 1 ? words[1] : "String"
            return "<attribute name=\"\(names[0])\"\(identifier) optional=\"YES\" attributeType=\"\(type)\"/>"
        }
        return "<entity name=\"Song\">\(elements.joined())</entity>"
    }

    private func infer(_ source: String, _ destination: String) throws -> NSMappingModel {
        try NSMappingModel.inferredMappingModel(
            forSourceModel: ModelText.model(source), destinationModel: ModelText.model(destination))
    }

    /// The sources of the attributes of the one entity.
    private func sources(_ source: String, _ destination: String) throws -> [String: String] {
        let attributes = try infer(source, destination).entityMappings[0].attributeMappings ?? []
        return attributes.reduce(into: [:]) { sources, mapping in
            sources[mapping.name ?? ""] = mapping.valueExpression?.description ?? "none"
        }
    }

    private func failure(_ source: String, _ destination: String) throws -> CocoaError {
        try requireValue(#expect(throws: CocoaError.self) { try infer(source, destination) })
    }

    // MARK: Sources

    @Test("A renaming identifier may be the name that the source has now")
    func lastName() throws {
        expectEqual(try sources(song("b:a"), song("c:b")), ["c": "$source.b"])
    }

    @Test("Of several sources with one identifier the one of the same name is the source")
    func sameName() throws {
        expectEqual(try sources(song("p:x", "q:x"), song("q:x")), ["q": "$source.q"])
    }

    @Test("A name that is given back takes precedence over the name that a new property has")
    func givenBack() throws {
        expectEqual(try sources(song("a:z"), song("z", "a:q")), ["z": "$source.a", "a": "none"])
    }

    @Test("A renaming identifier may be removed again")
    func removedIdentifier() throws {
        expectEqual(try sources(song("a:z"), song("a")), ["a": "$source.a"])
    }

    @Test("A renaming identifier that no source has leaves the source of the same name")
    func unknownIdentifier() throws {
        expectEqual(try sources(song("a"), song("a:q")), ["a": "$source.a"])
    }

    // MARK: Conflicts

    @Test("Two attributes with the name of one source as identifier are refused")
    func twoRenamed() throws {
        let error = try failure(song("title"), song("a:title", "b:title", "c"))
        #expect(error.userInfo["entity"] as? String == "Song")
        #expect(error.userInfo["attribute"] as? String == "b")
        expectContains(error.localizedDescription, "'b' and 'a' share a renaming identifier")
        expectContains(error.localizedDescription, "the values of 'title'")
    }

    @Test("So are two attributes of which the second has another type, since it is renamed")
    func twoRenamedOfDifferentTypes() throws {
        let error = try failure(song("title"), song("a:title", "b:title Date"))
        #expect(error.userInfo["attribute"] as? String == "b")
    }

    @Test("Two attributes with the identifier of one source are refused, whatever name the source has")
    func sharedIdentifier() throws {
        let error = try failure(song("s:x"), song("a:x", "b:x"))
        #expect(error.userInfo["attribute"] as? String == "b")
    }

    @Test("Two attributes with the last name of a renamed source as identifier are refused")
    func sharedLastName() throws {
        let error = try failure(song("b:a"), song("c:b", "d:b"))
        #expect(error.userInfo["attribute"] as? String == "d")
    }

    @Test("An attribute with the name and the identifier of a source is that source; others with it are new")
    func sameNameAndIdentifier() throws {
        expectEqual(try sources(song("s:x"), song("s:x", "t:x")), ["s": "$source.s", "t": "none"])
    }

    @Test("An attribute of another type that has the name of a renamed one is new; one of the same type is refused")
    func formerName() throws {
        expectEqual(
            try sources(song("title", "length Date"), song("name:title", "title Date", "length Date")),
            ["name": "$source.title", "title": "none", "length": "$source.length"])
        let error = try failure(song("title", "length Date"), song("name:title", "title", "length Date"))
        #expect(error.userInfo["attribute"] as? String == "title")
    }

    @Test("Two relationships that were one are refused")
    func relationships() throws {
        func song(_ relationships: [(name: String, identifier: String)]) -> String {
            let elements = relationships.map {
                """
                <relationship name="\($0.name)" elementID="\($0.identifier)" optional="YES" maxCount="1" \
                deletionRule="Nullify" destinationEntity="Artist"/>
                """
            }
            return "<entity name=\"Song\">\(elements.joined())</entity><entity name=\"Artist\"/>"
        }
        let error = try failure(song([("artist", "artist")]), song([("band", "artist"), ("singer", "artist")]))
        #expect(error.userInfo["relationship"] as? String == "singer")
    }

    @Test("Two entities that were one are refused")
    func entities() throws {
        let error = try failure(
            "<entity name=\"Vehicle\"/>",
            "<entity name=\"Bike\" elementID=\"Vehicle\"/><entity name=\"Car\" elementID=\"Vehicle\"/>")
        #expect(error.userInfo["entity"] as? String == "Car")
        expectEqual(error.userInfo["attribute"] == nil, true)
        expectContains(error.localizedDescription, "'Car' and 'Bike' share a renaming identifier")
    }

    // MARK: Elements

    /// A model whose one attribute is a composite one, with a composite element that has the given elements.
    private func model(_ names: [(name: String, identifier: String)]) -> NSManagedObjectModel {
        func composite(_ name: String, _ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
            let composite = NSCompositeAttributeDescription()
            composite.name = name
            composite.elements = elements
            return composite
        }
        let elements = names.map { name, identifier in
            let element = NSAttributeDescription()
            element.name = name
            element.attributeType = .stringAttributeType
            element.renamingIdentifier = identifier
            return element
        }
        let plain = NSAttributeDescription()
        plain.name = "note"
        plain.attributeType = .stringAttributeType
        let entity = NSEntityDescription()
        entity.name = "Order"
        entity.properties = [composite("payment", [plain, composite("card", elements)])]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test("Two elements that were one are refused, at any depth")
    func elements() throws {
        let error = #expect(throws: CocoaError.self) {
            _ = try NSMappingModel.inferredMappingModel(
                forSourceModel: model([("number", "number")]),
                destinationModel: model([("code", "number"), ("digits", "number")]))
        }
        expectContains(error?.localizedDescription ?? "", "'digits' and 'code' share a renaming identifier")
        _ = try NSMappingModel.inferredMappingModel(
            forSourceModel: model([("number", "number")]), destinationModel: model([("code", "number")]))
    }
}
