import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Compiled models")
struct ModelArchiveTests {
    @Test("A model with all features is read as it was written")
    func everything() throws {
        let model = LibraryModel.make()
        let first = try ModelArchive.decode(ModelArchive.encode(model, as: .compiled))
        let second = try ModelArchive.decode(ModelArchive.encode(first, as: .compiled))
        #expect(first == second)
        #expect(first.entityVersionHashesByName == model.entityVersionHashesByName)
        for entity in model.entities {
            let name = try #require(entity.name)
            let read = try #require(first.entitiesByName[name])
            #expect(read.managedObjectClassName == entity.managedObjectClassName)
            #expect(read.superentity?.name == entity.superentity?.name)
            #expect(read.userInfo?.count == entity.userInfo?.count)
            #expect(read.renamingIdentifier == entity.renamingIdentifier)
            #expect(read.uniquenessConstraintNames == entity.uniquenessConstraintNames)
            for (key, property) in entity.propertiesByName where !(property.hasLegacyIndex || key == "name") {
                #expect(read.propertiesByName[key] == property, "\(name).\(key)")
            }
        }
    }

    @Test("Equal models have equal files")
    func deterministic() throws {
        #expect(
            try ModelArchive.encode(LibraryModel.make(), as: .compiled)
                == ModelArchive.encode(LibraryModel.make(), as: .compiled))
    }

    @Test("Default values keep their kinds")
    func defaults() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(LibraryModel.make(), as: .compiled))
        let attributes = try #require(read.entitiesByName["Item"]?.attributesByName)
        #expect(
            attributes["price"]?.defaultValue as? NSDecimalNumber
                == NSDecimalNumber(string: "-12345678901234567890.125"))
        #expect(attributes["key"]?.defaultValue as? UUID == UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        #expect(attributes["link"]?.defaultValue as? URL == URL(string: "https://example.org/a?b#c"))
        #expect(attributes["added"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 1000.5))
        #expect((attributes["stock"]?.defaultValue as? NSNumber)?.int64Value == .min)
        #expect(attributes["cover"]?.defaultValue as? Data == Data([1, 2, 3]))
        #expect(read.entitiesByName["Author"]?.attributesByName["name"]?.defaultValue as? String == "$null")
    }

    @Test("Indexes are written in their new and their legacy form")
    func indexes() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(LibraryModel.make(), as: .compiled))
        #expect(read.entitiesByName["Item"]?.indexes.map(\.name) == ["title"])
        #expect(read.entitiesByName["Shelf"]?.indexes.map(\.name) == ["row_isbn"])
        #expect(read.entitiesByName["Shelf"]?.compoundIndexNames == [["row", "isbn"]])
        let author = try #require(read.entitiesByName["Author"])
        #expect(author.indexes.map(\.name) == ["byName", "byObject"])
        #expect(author.indexes[0].elements[0].isAscending == false)
        #expect(author.indexes[0].partialIndexPredicate?.predicateText == "name != nil")
        #expect(author.indexes[1].elements[0].property is NSExpressionDescription)
        #expect(author.indexes[1].elements[0].collationType == .rTree)
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
            #expect(read.entitiesByName["Task"]?.indexes.map(\.name) == ["byIsDone"])
            #expect(read.entitiesByName["Task"]?.propertiesByName["isDone"]?.hasLegacyIndex == true)
        }
        #expect(once.entitiesByName["Task"]?.convertedIndexes.map(\.name) == ["isDone", "byIsDone"])
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
        #expect(try ModelArchive.decode(edited).entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test("Templates and fetched properties keep their requests")
    func requests() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(LibraryModel.make(), as: .compiled))
        let request = try #require(read.fetchRequestTemplate(forName: "byName"))
        #expect(request == LibraryModel.make().fetchRequestTemplate(forName: "byName"))
        #expect(request.entity === read.entitiesByName["Author"])
        #expect(request.predicate?.predicateText == "name BEGINSWITH \"a\"")
        #expect(request.sortDescriptors?.map(\.key) == ["name", "books.@count"])
        #expect(request.includesSubentities == false)
        #expect(request.returnsObjectsAsFaults)
        let fetched = read.entitiesByName["Author"]?.propertiesByName["recent"] as? NSFetchedPropertyDescription
        #expect(fetched?.fetchRequest?.entityName == "Book")
        #expect(fetched?.fetchRequest?.predicate?.predicateText == "ANY authors == $FETCH_SOURCE")
    }

    @Test("An immutable model can be written")
    func frozen() throws {
        let model = LibraryModel.make()
        let before = try ModelArchive.encode(model, as: .compiled)
        model.freeze()
        #expect(try ModelArchive.encode(model, as: .compiled) == before)
    }

    @Test("The summary bits repeat the values of the keys")
    func summaryWord() throws {
        let root = try KeyedArchiveReader(ModelArchive.encode(LibraryModel.make(), as: .compiled)).root()
        let entities = try #require(try root.entries("NSEntities"))
        let item = try #require(entities.first { $0.key == "Item" }?.value.object)
        let words = try #require(try item.entries("NSProperties")).map { ($0.key, try $0.value.object?.integer("_P")) }
        let byName = Dictionary(uniqueKeysWithValues: words)
        #expect(byName["price"] == 243)
        #expect(byName["title"] == 0xF1 & ~0x40 & ~0x80)
        #expect(byName["draft"] == 0x1FB)
        #expect(byName["tags"] == 0x8F3)
        #expect(byName["stock"] == 0xF3 & ~0x30)
    }

    @Test("A default value of an application's class stays undecoded and is written back")
    func applicationClasses() throws {
        let original = try ModelArchive.encode(LibraryModel.make(), as: .compiled)
        let data = try ArchiveEditing.replacingDefault(of: "tags", in: original)
        let read = try ModelArchive.decode(data)
        let kept = try #require(
            read.entitiesByName["Item"]?.attributesByName["tags"]?.defaultValue as? UndecodedArchiveValue)
        #expect(kept.className == "MyApp.Color")
        let again = try ModelArchive.decode(ModelArchive.encode(read, as: .compiled))
        #expect(again == read)
        #expect(again.entitiesByName["Item"]?.attributesByName["tags"]?.defaultValue as? UndecodedArchiveValue == kept)
    }

    @Test("An XML archive is read like a binary one")
    func xml() throws {
        let data = try ModelArchive.encode(LibraryModel.make(), as: .compiled)
        let xml = Data(ArchiveEditing.xml(try PropertyListReader.read(data)).utf8)
        #expect(try ModelArchive.decode(xml) == ModelArchive.decode(data))
    }

    @Test(
        "Apple's models are read, written and read with equal results, and hashes as declared",
        .enabled(if: Corpus.isPresent), arguments: ["SampleModel", "SampleModel2", "SampleModel3"])
    func appleModels(name: String) throws {
        let bundle = try CompiledModelBundle(at: Corpus.url("shop/SampleModel.momd"))
        let model = try bundle.model(ofVersion: name)
        #expect(model.entityVersionHashesByName == bundle.versionHashes[name])
        let again = try ModelArchive.decode(ModelArchive.encode(model, as: .compiled))
        #expect(again == model)
        #expect(again.entityVersionHashesByName == bundle.versionHashes[name])
    }
}
