import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Hostile mapping models")
struct HostileMappingTests {
    private static func model() throws -> NSMappingModel {
        let source = try ModelText.model(SourceMapping.before)
        let model = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: ModelText.model(SourceMapping.after))
        model.entityMappings[0].userInfo = ["owner": "tests", "level": NSNumber(value: 3)]
        model.entityMappings[1].entityMigrationPolicyClassName = "App.Policy"
        return model
    }

    @Test("User info and policies are written and read")
    func userInfo() throws {
        let model = try Self.model()
        let again = try MappingModelArchive.decode(MappingModelArchive.encode(model))
        expectEqual(MappingText.text(of: again), MappingText.text(of: model))
    }

    @Test("Flipped bits cause no more than a thrown error")
    func bitFlips() throws {
        let data = try MappingModelArchive.encode(Self.model())
        let seed = TestRun.seed(for: "Flipped bits of a mapping model")
        let count = TestRun.quick(80, long: 2000)
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for number in 0..<count {
            var damaged = data
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            do {
                let model = try MappingModelArchive.decode(damaged)
                let copy = try MappingModelArchive.decode(MappingModelArchive.encode(model))
                expectEqual(MappingText.text(of: copy), MappingText.text(of: model), "seed \(seed), number \(number)")
            } catch is CocoaError {
                refused += 1
            }
        }
        #expect((1..<count).contains(refused), "seed \(seed)")
    }

    @Test("Every truncated file is refused")
    func truncation() throws {
        let data = try MappingModelArchive.encode(Self.model())
        for length in stride(from: 0, to: data.count, by: 37) {
            #expect(throws: CocoaError.self) { try MappingModelArchive.decode(data.prefix(length)) }
        }
    }

    @Test("An unexpected class, an unknown type, and an expression that contains itself are refused")
    func wrongContents() throws {
        let data = try MappingModelArchive.encode(Self.model())
        let type = try ArchiveEditing.editing(data, class: "NSEntityMapping") { $0["NSMappingType"] = .integer(6) }
        #expect(throws: CocoaError.self) { try MappingModelArchive.decode(type) }
        let property = try ArchiveEditing.editing(data, class: "NSEntityMapping") {
            $0["NSAttributeMappings"] = $0["NSMappingName"]
        }
        #expect(throws: CocoaError.self) { try MappingModelArchive.decode(property) }
        let none = try ArchiveEditing.editing(data, class: "NSMappingModel") { $0["NSEntityMappings"] = .uid(0) }
        #expect(throws: CocoaError.self) { try MappingModelArchive.decode(none) }
        let circle = try ArchiveEditing.editing(data) { objects in
            for index in objects.indices {
                guard case .dictionary(var contents) = objects[index], contents["NSFRExpression"] != nil else {
                    continue
                }
                contents["NSFRExpression"] = .uid(index)
                objects[index] = .dictionary(contents)
            }
        }
        #expect(throws: CocoaError.self) { try MappingModelArchive.decode(circle) }
        let model = try ModelArchive.encode(LibraryModel.make(), as: .compiled)
        #expect(throws: CocoaError.self) { try MappingModelArchive.decode(model) }
    }

    @Test("An expression with a block is an error of writing that names the mapping")
    func blocks() throws {
        let model = try Self.model()
        model.entityMappings[0].attributeMappings = [
            NSPropertyMapping(name: "x", valueExpression: NSExpression(block: { _, _, _ in 1 }, arguments: nil))
        ]
        let error = #expect(throws: CocoaError.self) { try MappingModelArchive.encode(model) }
        expectEqual((error?.userInfo[NSDebugDescriptionErrorKey] as? String)?.contains("IEM_"), true)
    }

    @Test("Damaged XML causes no more than an error")
    func damagedSource() throws {
        let text =
            SourceMapping.model
            + SourceMapping.entity("z2", ["sourcename": "Song", "destinationname": "Song"], ["attributemappings": "a"])
            + SourceMapping.entity("z3", ["sourcename": "Artist", "destinationname": "Artist"])
            + SourceMapping.attribute("a", ["name": "mood"])
        let source = try SourceMapping(text)
        let file = source.url.appendingPathComponent("xcmapping.xml")
        let data = try Data(contentsOf: file)
        let seed = TestRun.seed(for: "Damaged source mapping model")
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for number in 0..<200 {
            var damaged = data
            damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(
                in: 0 ... .max, using: &generator)
            try damaged.write(to: file)
            do {
                let model = try MappingModelFile.load(at: file)
                let copy = try MappingModelArchive.decode(MappingModelArchive.encode(model))
                expectEqual(MappingText.text(of: copy), MappingText.text(of: model), "seed \(seed), number \(number)")
            } catch let error as CocoaError {
                refused += 1
                #expect(error.userInfo[NSFilePathErrorKey] != nil, "seed \(seed), number \(number)")
            }
        }
        #expect((1..<200).contains(refused), "seed \(seed)")
    }
}
