import Testing

@testable import CoreDataModel
@testable import CoreDataPredicates

@Suite("Hostile archives")
struct HostileArchiveTests {
    private static let compiled = try? ModelArchive.encode(LibraryModel.make(), as: .compiled)
    private static let cache = try? ModelArchive.encode(LibraryModel.make(), as: .storeCache)
    /// The number of damaged archives of a test.
    private static let count = TestRun.quick(60, long: 2000)

    /// An accepted model can be frozen, and its archive is read as a model with the same hashes.
    private static func use(_ model: NSManagedObjectModel, _ comment: Comment) throws {
        let hashes = model.entityVersionHashesByName
        let archive = try ModelArchive.encode(model, as: .compiled)
        try expectEqual(ModelArchive.decode(archive).entityVersionHashesByName, hashes, comment)
        model.freeze()
        expectEqual(model.entityVersionHashesByName, hashes, comment)
    }

    @Test("Flipped bits cause no more than a thrown error", arguments: [0, 1])
    func bitFlips(form: Int) throws {
        let data = try #require(form == 0 ? Self.compiled : Self.cache)
        let seed = TestRun.seed(for: "Flipped bits of a model")
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for number in 0..<Self.count {
            var damaged = data
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let position = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
            do {
                try Self.use(try ModelArchive.decode(damaged), "seed \(seed), number \(number)")
            } catch is CocoaError {
                refused += 1
            }
        }
        #expect((1..<Self.count).contains(refused), "seed \(seed)")
    }

    @Test("Exchanged references cause no more than a thrown error")
    func swappedReferences() throws {
        let data = try requireValue(Self.compiled)
        let seed = TestRun.seed(for: "Swapped references of a model")
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for number in 0..<Self.count {
            let damaged = try ArchiveEditing.editing(data) { objects in
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let index = Int.random(in: objects.indices, using: &generator)
                    let count = objects.count
                    var remaining = Int.random(in: 0..<8, using: &generator)
                    objects[index] = objects[index].mappingReferences { reference in
                        remaining -= 1
                        return remaining == 0 ? Int.random(in: 0..<count, using: &generator) : reference
                    }
                }
            }
            do {
                try Self.use(try ModelArchive.decode(damaged), "seed \(seed), number \(number)")
            } catch is CocoaError {
                refused += 1
            }
        }
        #expect((1..<Self.count).contains(refused), "seed \(seed)")
    }

    @Test("Every truncated file is refused")
    func truncation() throws {
        let data = try requireValue(Self.compiled)
        for length in stride(from: 0, to: data.count, by: 61) {
            #expect(throws: CocoaError.self) { try ModelArchive.decode(data.prefix(length)) }
        }
    }

    @Test("Deep nesting is refused")
    func nesting() {
        var value = PropertyListValue.string("core")
        for _ in 0..<500 { value = .array([value]) }
        #expect(throws: CocoaError.self) { try PropertyListReader.read(BinaryPropertyListWriter.write(value)) }
    }

    @Test("A file with exponentially many references is refused")
    func unfolding() {
        // Thirty arrays, each with eight references to the next one.
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<30 {
            offsets.append(UInt8(bytes.count))
            bytes.append(0xA5)
            bytes += Array(repeating: UInt8(level + 1), count: 5)
        }
        offsets.append(UInt8(bytes.count))
        bytes.append(0x09)
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [31, 0, table] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        #expect(throws: CocoaError.self) { try PropertyListReader.read(Data(bytes)) }
    }

    @Test("An array that contains itself is refused")
    func selfContainment() {
        var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 8, 0, 0, 0, 0, 0, 0, 1, 1]
        for number in [1, 0, 10] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        #expect(throws: CocoaError.self) { try PropertyListReader.read(Data(bytes)) }
    }

    @Test("An entity that inherits from itself is refused")
    func inheritanceCircle() throws {
        let data = try requireValue(Self.compiled)
        let root = try KeyedArchiveReader(data).root()
        let book = try requireValue(try root.entries("NSEntities")?.first { $0.key == "Book" }?.value.object)
        let circle = try ArchiveEditing.editing(data, class: "NSEntityDescription") {
            $0["NSSuperentity"] = .uid(book.index)
        }
        let error = #expect(throws: CocoaError.self) { try ModelArchive.decode(circle) }
        expectEqual(error?.code, .coderReadCorrupt)
    }

    @Test("Parents are found by their lists of subentities too")
    func parentsBySubentities() throws {
        let data = try ArchiveEditing.editing(try requireValue(Self.compiled), class: "NSEntityDescription") {
            contents in
            contents["NSSuperentity"] = nil
        }
        let model = try ModelArchive.decode(data)
        expectEqual(model.entitiesByName["Book"]?.superentity?.name, "Item")
    }

    @Test("A missing destination or inverse is refused with the names")
    func dangling() throws {
        let data = try requireValue(Self.compiled)
        let destination = try ArchiveEditing.editing(data, class: "NSRelationshipDescription") { contents in
            contents["NSDestinationEntity"] = nil
            contents["_NSDestinationEntityName"] = nil
        }
        let error = #expect(throws: CocoaError.self) { try ModelArchive.decode(destination) }
        let reason = error?.userInfo[NSDebugDescriptionErrorKey] as? String
        expectEqual(reason?.contains("books"), true)
        expectEqual(reason?.contains("Author"), true)
    }

    @Test("Archives of other objects are refused", .enabled(if: Corpus.isPresent))
    func otherArchives() throws {
        let mapping = try Data(contentsOf: Corpus.url("shop/V2toV3.cdm"))
        let error = #expect(throws: CocoaError.self) { try ModelArchive.decode(mapping) }
        expectEqual((error?.userInfo[NSDebugDescriptionErrorKey] as? String)?.contains("NSMappingModel"), true)
    }
}
