import Testing

@testable import CoreDataModel
@testable import CoreDataPredicates

@Suite("Compiled models")
struct ModelArchiveTests {
    @Test("A model with all features is read as it was written")
    func everything() throws {
        let model = LibraryModel.make()
        let first = try ModelArchive.decode(ModelArchive.encode(model, as: .compiled))
        let second = try ModelArchive.decode(ModelArchive.encode(first, as: .compiled))
        expectEqual(first, second)
        expectEqual(first.entityVersionHashesByName, model.entityVersionHashesByName)
        for entity in model.entities {
            let name = try requireValue(entity.name)
            let read = try requireValue(first.entitiesByName[name])
            expectEqual(read.managedObjectClassName, entity.managedObjectClassName)
            expectEqual(read.superentity?.name, entity.superentity?.name)
            expectEqual(read.userInfo?.count, entity.userInfo?.count)
            expectEqual(read.renamingIdentifier, entity.renamingIdentifier)
            expectEqual(read.uniquenessConstraintNames, entity.uniquenessConstraintNames)
            for (key, property) in entity.propertiesByName where !(property.hasLegacyIndex || key == "name") {
                expectEqual(read.propertiesByName[key], property, "\(name).\(key)")
            }
        }
    }

    @Test("Equal models have equal files")
    func deterministic() throws {
        try expectEqual(
            ModelArchive.encode(LibraryModel.make(), as: .compiled),
            ModelArchive.encode(LibraryModel.make(), as: .compiled))
    }

    @Test("Default values keep their kinds")
    func defaults() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(LibraryModel.make(), as: .compiled))
        let attributes = try requireValue(read.entitiesByName["Item"]?.attributesByName)
        #expect(
            attributes["price"]?.defaultValue as? NSDecimalNumber
                == NSDecimalNumber(string: "-12345678901234567890.125"))
        #expect(attributes["key"]?.defaultValue as? UUID == UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        #expect(attributes["link"]?.defaultValue as? URL == URL(string: "https://example.org/a?b#c"))
        #expect(attributes["added"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 1000.5))
        expectEqual((attributes["stock"]?.defaultValue as? NSNumber)?.int64Value, .min)
        #expect(attributes["cover"]?.defaultValue as? Data == Data([1, 2, 3]))
        #expect(read.entitiesByName["Author"]?.attributesByName["name"]?.defaultValue as? String == "$null")
    }

    @Test("Indexes are written in their new and their legacy form")
    func indexes() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(LibraryModel.make(), as: .compiled))
        expectEqual(read.entitiesByName["Item"]?.indexes.map(\.name), ["title"])
        expectEqual(read.entitiesByName["Shelf"]?.indexes.map(\.name), ["row_isbn"])
        expectEqual(read.entitiesByName["Shelf"]?.compoundIndexNames, [["row", "isbn"]])
        let author = try requireValue(read.entitiesByName["Author"])
        expectEqual(author.indexes.map(\.name), ["byName", "byObject"])
        expectEqual(author.indexes[0].elements[0].isAscending, false)
        expectEqual(author.indexes[0].partialIndexPredicate?.predicateText, "name != nil")
        #expect(author.indexes[1].elements[0].property is NSExpressionDescription)
        expectEqual(author.indexes[1].elements[0].collationType, .rTree)
    }

    @Test(
        "The only attribute of an ascending index gets the legacy flag, and no second index when read and written again"
    )
    func singleAttributeIndex() throws {
        let entity = LibraryModel.entity("Task", className: nil)
        entity.properties = [LibraryModel.attribute("isDone", .booleanAttributeType)]
        entity.indexes = [
            NSFetchIndexDescription(
                name: "byIsDone",
                elements: [NSFetchIndexElementDescription(propertyName: "isDone", collationType: .binary)])
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let once = try ModelArchive.decode(ModelArchive.encode(model, as: .compiled))
        let twice = try ModelArchive.decode(ModelArchive.encode(once, as: .compiled))
        for read in [once, twice] {
            expectEqual(read.entitiesByName["Task"]?.indexes.map(\.name), ["byIsDone"])
            expectEqual(read.entitiesByName["Task"]?.propertiesByName["isDone"]?.hasLegacyIndex, true)
        }
        expectEqual(once.entitiesByName["Task"]?.convertedIndexes.map(\.name), ["isDone", "byIsDone"])
    }

    @Test("Counts that Xcode 3 wrote as decimal numbers are read")
    func decimalCounts() throws {
        let model = LibraryModel.make()
        let data = try ModelArchive.encode(model, as: .compiled)
        let edited = try ArchiveEditing.editing(data) { objects in
            func decimal(_ units: [UInt8], exponent: Int64, of classIndex: Int) -> PropertyListValue {
                .dictionary([
                    "$class": .uid(classIndex), "NS.mantissa": .data(Data(units)), "NS.length": .integer(1),
                    "NS.exponent": .integer(exponent), "NS.negative": .boolean(false), "NS.mantissa.bo": .integer(1),
                ])
            }
            let first = objects.count
            objects.append(
                .dictionary([
                    "$classname": .string("NSDecimalNumber"),
                    "$classes": .array([.string("NSDecimalNumber"), .string("NSNumber"), .string("NSObject")]),
                ]))
            var numbers: [Int64: Int] = [:]
            for index in objects.indices {
                guard case .dictionary(var contents) = objects[index] else { continue }
                for key in ["NSMinCount", "NSMaxCount", "NSDeleteRule", "NSAttributeType"] {
                    guard case .integer(let number) = contents[key] else { continue }
                    if numbers[number] == nil {
                        numbers[number] = objects.count
                        let units = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
                        objects.append(decimal(units, exponent: 0, of: first))
                    }
                    contents[key] = numbers[number].map { .uid($0) }
                }
                objects[index] = .dictionary(contents)
            }
        }
        #expect(edited != data)
        try expectEqual(ModelArchive.decode(edited).entityVersionHashesByName, model.entityVersionHashesByName)
    }

    @Test("Templates and fetched properties keep their requests")
    func requests() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(LibraryModel.make(), as: .compiled))
        let request = try requireValue(read.fetchRequestTemplate(forName: "byName"))
        expectEqual(request, LibraryModel.make().fetchRequestTemplate(forName: "byName"))
        #expect(request.entity === read.entitiesByName["Author"])
        expectEqual(request.predicate?.predicateText, "name BEGINSWITH \"a\"")
        expectEqual(request.sortDescriptors?.map(\.key), ["name", "books.@count"])
        expectEqual(request.includesSubentities, false)
        expectTrue(request.returnsObjectsAsFaults)
        let fetched = read.entitiesByName["Author"]?.propertiesByName["recent"] as? NSFetchedPropertyDescription
        expectEqual(fetched?.fetchRequest?.entityName, "Book")
        expectEqual(fetched?.fetchRequest?.predicate?.predicateText, "ANY authors == $FETCH_SOURCE")
    }

    @Test("An immutable model can be written")
    func frozen() throws {
        let model = LibraryModel.make()
        let before = try ModelArchive.encode(model, as: .compiled)
        model.freeze()
        try expectEqual(ModelArchive.encode(model, as: .compiled), before)
    }

    @Test("The summary bits repeat the values of the keys")
    func summaryWord() throws {
        let root = try KeyedArchiveReader(ModelArchive.encode(LibraryModel.make(), as: .compiled)).root()
        let entities = try requireValue(try root.entries("NSEntities"))
        let item = try requireValue(entities.first { $0.key == "Item" }?.value.object)
        let words = try requireValue(try item.entries("NSProperties")).map {
            ($0.key, try $0.value.object?.integer("_P"))
        }
        let byName = Dictionary(uniqueKeysWithValues: words)
        expectEqual(byName["price"], 243)
        expectEqual(byName["title"], 0xF1 & ~0x40 & ~0x80)
        expectEqual(byName["draft"], 0x1FB)
        expectEqual(byName["tags"], 0x8F3)
        expectEqual(byName["stock"], 0xF3 & ~0x30)
    }

    @Test("A default value of an application's class stays undecoded and is written back")
    func applicationClasses() throws {
        let original = try ModelArchive.encode(LibraryModel.make(), as: .compiled)
        let data = try ArchiveEditing.replacingDefault(of: "tags", in: original)
        let read = try ModelArchive.decode(data)
        let kept = try requireValue(
            read.entitiesByName["Item"]?.attributesByName["tags"]?.defaultValue as? UndecodedArchiveValue)
        expectEqual(kept.className, "MyApp.Color")
        let again = try ModelArchive.decode(ModelArchive.encode(read, as: .compiled))
        expectEqual(again, read)
        #expect(again.entitiesByName["Item"]?.attributesByName["tags"]?.defaultValue as? UndecodedArchiveValue == kept)
    }

    @Test("An XML archive is read like a binary one")
    func xml() throws {
        let data = try ModelArchive.encode(LibraryModel.make(), as: .compiled)
        let xml = Data(ArchiveEditing.xml(try PropertyListReader.read(data)).utf8)
        try expectEqual(ModelArchive.decode(xml), ModelArchive.decode(data))
    }

    @Test(
        "Apple's models are read, written and read with equal results, and hashes as declared",
        .enabled(if: Corpus.isPresent), arguments: ["SampleModel", "SampleModel2", "SampleModel3"])
    func appleModels(name: String) throws {
        let bundle = try CompiledModelBundle(at: Corpus.url("shop/SampleModel.momd"))
        let model = try bundle.model(ofVersion: name)
        expectEqual(model.entityVersionHashesByName, bundle.versionHashes[name])
        let again = try ModelArchive.decode(ModelArchive.encode(model, as: .compiled))
        expectEqual(again, model)
        expectEqual(again.entityVersionHashesByName, bundle.versionHashes[name])
    }
}
