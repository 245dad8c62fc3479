import Testing

@testable import CoreDataModel

/// Damaged and hostile source models. Each is refused with file, entity and key.
@Suite("Hostile source models")
struct HostileSourceTests {
    private func refusal(of xml: String, _ comment: Comment? = nil) throws -> CocoaError {
        let folder = try TemporaryFolder()
        let file = try folder.write(xml, to: "Bad.xcdatamodel/contents")
        let error = try #require(throws: CocoaError.self, comment) {
            try ModelFile.load(at: folder.url.appendingPathComponent("Bad.xcdatamodel"))
        }
        expectEqual(error.code, .fileReadCorruptFile)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
        expectContains(error.localizedDescription, file.path)
        return error
    }

    @Test("Exponentially nested entities (billion laughs) are refused before they are expanded")
    func billionLaughs() throws {
        var text = "<?xml version=\"1.0\"?><!DOCTYPE model [<!ENTITY a \"ha\">"
        for (name, previous) in zip("bcdefghij", "abcdefghi") {
            text += "<!ENTITY \(name) \"" + String(repeating: "&\(previous);", count: 10) + "\">"
        }
        let error = try refusal(of: text + "]><model><entity name=\"&j;\"/></model>")
        expectContains(error.localizedDescription, "it defines entities")
    }

    @Test(
        "An external entity is not read, however it is declared",
        arguments: [
            "<!DOCTYPE model [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><model><entity name=\"&x;\"/></model>",
            "<!DOCTYPE model [<!ENTITY % x SYSTEM \"file:///etc/passwd\"> %x;]><model/>",
        ])
    func externalEntity(text: String) throws {
        expectContains(try refusal(of: text).localizedDescription, "it defines entities")
    }

    @Test("An external definition of the document type is not fetched")
    func externalDefinition() throws {
        let folder = try TemporaryFolder()
        let definition = try folder.write("<!ENTITY x \"Stolen\">", to: "x.dtd")
        let xml =
            """
            <!DOCTYPE model SYSTEM \"\(definition.absoluteString)\"><model><entity name=\"A\"/><entity \
            name=\"&x;\"/></model>
            """
        let file = try folder.write(xml, to: "Bad.xcdatamodel/contents")
        let model = try? ModelFile.load(at: file)
        expectEqual(model?.entitiesByName["Stolen"], nil)
    }

    @Test(
        "Processing instructions without data are left out, and text that looks like one stays",
        arguments: ["<?a?>", "<?a?><?b?>", "<?a ?>", "<!-- <?a?> -->", "<?a b?>"])
    func instructions(text: String) throws {
        let folder = try TemporaryFolder()
        let xml = "\(text)<model>\(text)<entity name=\"A\"/>\(text)</model>\(text)"
        let file = try folder.write(xml, to: "Good.xcdatamodel/contents")
        expectEqual(try ModelFile.load(at: file).entities.map(\.name), ["A"])
    }

    @Test("A processing instruction that doesn't end is an error", arguments: ["<?", "<?a", "<?a?", "<?a?><?b"])
    func openInstruction(text: String) throws {
        expectContains(try refusal(of: "<model>\(text)").localizedDescription, "XML")
    }

    @Test("Entities in a UTF-16 document are found")
    func hiddenEntities() throws {
        let folder = try TemporaryFolder()
        let text =
            """
            <?xml version=\"1.0\" encoding=\"UTF-16\"?><!DOCTYPE model [<!ENTITY a \"A\">]><model><entity \
            name=\"&a;\"/></model>
            """
        let file = try folder.write(try requireValue(text.data(using: .utf16)), to: "contents")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: file) }
        expectContains(error.localizedDescription, "it defines entities")
    }

    @Test("The error of an inheritance cycle names one of its entities", arguments: [1, 2, 300])
    func circle(length: Int) throws {
        let entities = (0..<length).map { "<entity name=\"E\($0)\" parentEntity=\"E\(($0 + 1) % length)\"/>" }
        let error = try refusal(of: "<model>\(entities.joined())</model>")
        expectContains(error.localizedDescription, "entity 'E0' inherits from itself")
        #expect(error.userInfo[ModelFileError.entityKey] as? String == "E0")
        #expect(error.userInfo[ModelFileError.keyKey] as? String == "parentEntity")
    }

    @Test("Very deep inheritance is refused")
    func deepInheritance() throws {
        let entities = (0..<(TestRun.isLong ? 20_000 : 5_000)).map {
            $0 == 0 ? "<entity name=\"E0\"/>" : "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>"
        }
        let error = try refusal(of: "<model>\(entities.joined())</model>")
        expectContains(error.localizedDescription, "more than 256 ancestors")
        #expect(error.userInfo[ModelFileError.keyKey] as? String == "parentEntity")
    }

    @Test("A compound index over an unknown property is refused, as for other indexes")
    func compoundIndex() throws {
        let body =
            "<compoundIndexes><compoundIndex><index value=\"x\"/><index value=\"y\"/></compoundIndex></compoundIndexes>"
        let error = try refusal(of: "<model><entity name=\"A\"><attribute name=\"x\"/>\(body)</entity></model>")
        expectContains(error.localizedDescription, "a compound index of entity 'A' names 'y'")
        #expect(error.userInfo[ModelFileError.entityKey] as? String == "A")
        #expect(error.userInfo[ModelFileError.keyKey] as? String == "y")
    }

    @Test("Deeply nested expressions are refused with the property", arguments: [500, 50_000])
    func deepFormula(depth: Int) throws {
        let formula = String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
        let attribute =
            "<attribute name=\"x\" attributeType=\"Integer 32\" derived=\"YES\" derivationExpression=\"\(formula)\"/>"
        let derived = try refusal(of: "<model><entity name=\"A\">\(attribute)</entity></model>")
        #expect(derived.userInfo[ModelFileError.keyKey] as? String == "x")
        let request = "<fetchRequest name=\"F\" entity=\"A\" predicateString=\"\(formula) == 1\"/>"
        #expect(
            try refusal(of: "<model><entity name=\"A\"/>\(request)</model>").userInfo[ModelFileError.keyKey] as? String
                == "F")
    }

    @Test("Composites with exponentially many elements are refused")
    func unfoldingComposites() throws {
        // Each composite contains the next one ten times: ten thousand million attributes.
        let composites = (0..<10).map { level in
            let elements = (0..<10).map {
                "<attribute name=\"a\($0)\" attributeType=\"Composite\" composite=\"C\(level + 1)\"/>"
            }
            return "<composite name=\"C\(level)\">\(elements.joined())</composite>"
        }
        let last = "<composite name=\"C10\"><attribute name=\"x\" attributeType=\"String\"/></composite>"
        let entity = "<entity name=\"A\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
        let error = try refusal(of: "<model>\(entity)\(composites.joined())\(last)</model>")
        #expect(error.userInfo[ModelFileError.entityKey] as? String == "A")
    }

    @Test("The time for reading many related entities grows with their number")
    func manyEntities() throws {
        let folder = try TemporaryFolder()
        let growth = try TestRun.growth(upTo: TestRun.isLong ? 100_000 : 2_000, below: 10) { count in
            var text = "<model><entity name=\"Root\"/>"
            for number in 0..<count {
                let next = (number + 1) % count
                let last = (number + count - 1) % count
                text += """
                    <entity name="E\(number)" parentEntity="Root"><attribute name="a" attributeType="String"/>
                    <relationship name="next" maxCount="1" destinationEntity="E\(next)" inverseName="last" \
                    inverseEntity="E\(next)"/>
                    <relationship name="last" maxCount="1" destinationEntity="E\(last)" inverseName="next" \
                    inverseEntity="E0"/></entity>

                    """
            }
            let model = try ModelFile.load(at: try folder.write(text + "</model>", to: "contents"))
            expectEqual(model.entities.count, count + 1)
            #expect(model.firstProblem() == nil)
        }
        #expect(growth < 10)
    }

    @Test("The time for reading many relationships of an entity grows with their number")
    func manyProperties() throws {
        let folder = try TemporaryFolder()
        let growth = try TestRun.growth(upTo: TestRun.isLong ? 20_000 : 4_000, below: 10) { count in
            var text = "<model><entity name=\"A\">"
            for number in 0..<count {
                text += """
                    <relationship name="r\(number)" maxCount="1" destinationEntity="A" inverseName="r\(number)" \
                    inverseEntity="A"/>
                    """
            }
            let model = try ModelFile.load(at: try folder.write(text + "</entity></model>", to: "contents"))
            expectEqual(model.entitiesByName["A"]?.ownProperties.count, count)
        }
        #expect(growth < 10)
    }

    @Test("A pipe or device is refused without waiting for its end")
    func device() throws {
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: URL(fileURLWithPath: "/dev/zero")) }
        #expect(error.userInfo[NSFilePathErrorKey] as? String == "/dev/zero")
        expectContains(error.localizedDescription, "not a regular file")
    }

    @Test("A symbolic link to a model is resolved")
    func link() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("<model><entity name=\"A\"/></model>", to: "contents")
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        try expectEqual(ModelFile.load(at: link).entities.count, 1)
    }
}
