import Testing

@testable import CoreDataModel
@testable import CoreDataPredicates

/// Compiled models that an attacker could make.
@Suite("Hostile compiled models")
struct HostileCompiledTests {
    private func refusal(of data: Data) throws -> CocoaError {
        let folder = try TemporaryFolder()
        let file = try folder.write(data, to: "Bad.mom")
        let error = try #require(throws: CocoaError.self) { try ModelFile.load(at: file) }
        #expect(error.userInfo[NSFilePathErrorKey] as? String == file.path)
        expectContains(error.localizedDescription, file.path)
        return error
    }

    private func archive() throws -> Data { try ModelArchive.encode(LibraryModel.make(), as: .compiled) }

    @Test("A default value of another class is refused with entity and attribute")
    func defaultValue() throws {
        let data = try ArchiveEditing.editing(try archive(), class: "NSAttributeDescription") { contents in
            if contents["NSAttributeType"] == .integer(200) { contents["NSDefaultValue"] = .string("many") }
        }
        let error = try refusal(of: data)
        expectContains(
            error.localizedDescription, "the default value of attribute 'pages' of entity 'Book' is of the class String"
        )
        expectContains(error.localizedDescription, "which is not NSNumber")
    }

    @Test(
        "Unexpected classes are refused by name",
        arguments: ["NSEntityDescription", "NSAttributeDescription"])
    func foreignClass(name: String) throws {
        let data = try ArchiveEditing.editing(try archive()) { objects in
            for index in objects.indices where objects[index].dictionaryValue?["$classname"] == .string(name) {
                objects[index] = .dictionary(["$classname": .string("NSTask"), "$classes": .array([.string("NSTask")])])
            }
        }
        let error = try refusal(of: data)
        #expect(name == "NSEntityDescription" || error.localizedDescription.contains("NSTask"))
    }

    @Test("A user info that contains itself is refused")
    func selfReference() throws {
        let data = try ArchiveEditing.editing(try archive()) { objects in
            for index in objects.indices {
                guard case .dictionary(var contents) = objects[index],
                    contents["NS.keys"]?.arrayValue?.isEmpty == false,
                    let values = contents["NS.objects"]?.arrayValue, values.count == 2
                else { continue }
                contents["NS.objects"] = .array([.uid(index), .uid(index)])
                objects[index] = .dictionary(contents)
            }
        }
        _ = try refusal(of: data)
    }

    @Test("An index over an unknown property is refused with entity and property")
    func index() throws {
        let data = try ArchiveEditing.editing(try archive(), class: "NSFetchIndexElementDescription") { contents in
            if contents["NSIndexedProperty"] == nil { contents["NSPropertyName"] = .string("nothing") }
        }
        let error = try refusal(of: data)
        expectContains(
            error.localizedDescription,
            """
            of entity 'Author' names 'nothing', which is not one of its properties
            """)
    }

    @Test("An empty constraint is refused")
    func emptyConstraint() throws {
        let lists = try ArchiveEditing.editing(try archive()) { objects in
            for index in objects.indices {
                guard case .dictionary(var contents) = objects[index],
                    let tuples = contents["NSUniqueTuples"]?.uidValue,
                    case .dictionary(var list) = objects[tuples]
                else { continue }
                let empty = objects.count
                objects.append(.dictionary(["$class": list["$class"] ?? .null, "NS.objects": .array([])]))
                list["NS.objects"] = .array([.uid(empty)])
                objects.append(.dictionary(list))
                contents["NSUniqueTuples"] = .uid(empty + 1)
                objects[index] = .dictionary(contents)
            }
        }
        expectContains(
            try refusal(of: lists).localizedDescription, "a uniqueness constraint of entity 'Shelf' names ''")
    }

    @Test("Counts beyond the end of the file are refused")
    func counts() throws {
        let data = [UInt8](try archive())
        // Each object gets the greatest possible length.
        for position in stride(from: 8, to: data.count - 40, by: 37) {
            var damaged = data
            damaged.replaceSubrange(
                position..<(position + 10), with: [0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
            do {
                _ = try ModelArchive.decode(Data(damaged))
            } catch is CocoaError {}
        }
        var trailer = data
        trailer.replaceSubrange((data.count - 24)..<(data.count - 16), with: [0x7F] + Array(repeating: 0xFF, count: 7))
        _ = try refusal(of: Data(trailer))
    }

    @Test("The time for reading many dates grows with their number")
    func manyDates() throws {
        let growth = try TestRun.growth(upTo: TestRun.isLong ? 100_000 : 10_000, below: 10) { count in
            let dates = String(repeating: "<date>2024-02-29T12:30:59Z</date>", count: count)
            let xml = "<?xml version=\"1.0\"?><plist version=\"1.0\"><array>\(dates)</array></plist>"
            let list = try PropertyListReader.read(Data(xml.utf8))
            expectEqual(list.arrayValue?.count, count)
            expectEqual(list.arrayValue?.first, .date(730_902_659))
        }
        #expect(growth < 10)
    }

    @Test(
        "An invalid date is refused",
        arguments: [
            "2024-13-01T00:00:00Z", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01",
            "2024-01-01T24:00:00Z", "x", "",
            "99999999999999999999-01-01T00:00:00Z",
        ])
    func badDate(text: String) {
        let xml = "<?xml version=\"1.0\"?><plist version=\"1.0\"><date>\(text)</date></plist>"
        #expect(throws: CocoaError.self) { try PropertyListReader.read(Data(xml.utf8)) }
    }

    @Test("A model cache contains an attribute that an entity redeclares")
    func redeclared() throws {
        let model = LibraryModel.make()
        let book = try requireValue(model.entitiesByName["Book"])
        let title = LibraryModel.attribute("title", .stringAttributeType)
        title.versionHashModifier = "again"
        book.properties = book.ownProperties + [title]
        let again = try ModelArchive.decode(try ModelArchive.encode(model, as: .storeCache))
        expectEqual(again.entityVersionHashesByName, model.entityVersionHashesByName)
        expectEqual(again.entitiesByName["Book"]?.attributesByName["title"]?.versionHashModifier, "again")
    }

    @Test(
        "A redeclaration of another kind is refused",
        arguments: ["type", "kind", "count", "destination"])
    func redeclaredOtherwise(what: String) throws {
        let model = LibraryModel.make()
        let book = try requireValue(model.entitiesByName["Book"])
        let parent = try requireValue(book.superentity)
        let relationship = NSRelationshipDescription()
        relationship.name = "extra"
        relationship.destinationEntity = parent
        let other = NSRelationshipDescription()
        other.name = "extra"
        other.destinationEntity = what == "destination" ? model.entitiesByName["Shelf"] : parent
        relationship.maxCount = 1
        other.maxCount = what == "count" ? 0 : 1
        parent.properties = parent.ownProperties + [relationship]
        switch what {
        case "type": book.properties = book.ownProperties + [LibraryModel.attribute("title", .integer16AttributeType)]
        case "kind": book.properties = book.ownProperties + [LibraryModel.attribute("extra", .integer16AttributeType)]
        default: book.properties = book.ownProperties + [other]
        }
        let text = try requireValue(model.firstProblem()).message
        #expect(throws: CocoaError.self) { try ModelArchive.encode(model, as: .storeCache) }
        expectContains(text, what == "type" ? "'title'" : "'extra'", "\(text)")
        expectContains(text, "'Book'", "\(text)")
    }

    @Test(
        "A damaged archive whose subentity declares an inherited attribute again with another type is refused",
        arguments: [ModelArchive.Form.compiled, .storeCache])
    func redeclaredWithAnotherType(form: ModelArchive.Form) throws {
        let model = LibraryModel.make()
        let book = try requireValue(model.entitiesByName["Book"])
        let title = LibraryModel.attribute("title", .stringAttributeType)
        title.versionHashModifier = "declared again"
        book.properties = book.ownProperties + [title]
        let data = try ModelArchive.encode(model, as: form)
        let damaged = try ArchiveEditing.editing(data) { objects in
            let modifier = objects.firstIndex(of: .string("declared again"))
            for position in objects.indices {
                guard case .dictionary(var contents) = objects[position], let modifier,
                    contents["NSVersionHashModifier"] == .uid(modifier)
                else { continue }
                contents["NSAttributeType"] = .integer(Int64(NSAttributeType.integer16AttributeType.rawValue))
                objects[position] = .dictionary(contents)
            }
        }
        #expect(damaged != data)
        let error = try #require(throws: CocoaError.self) { try ModelArchive.decode(damaged) }
        let reason = error.userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
        expectContains(reason, "'title'", "\(reason)")
        expectContains(reason, "'Book'", "\(reason)")
        expectContains(reason, "type", "\(reason)")
    }
}
