import CoreDataModel
import CoreDataPredicates
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
    static let values: [PropertyListValue] = [
        .null, .boolean(true), .boolean(false), .integer(0), .integer(255), .integer(256), .integer(65536),
        .integer(Int64(UInt32.max)), .integer(Int64(UInt32.max) + 1), .integer(-1), .integer(.min), .integer(.max),
        .unsignedInteger(.max), .real(1.5), .real(-.infinity), .single(0.1), .date(-1.25), .data(Data()),
        .data(Data(repeating: 7, count: 300)), .string(""), .string("plain"), .string("ünïcode 🎵"),
        .string(String(repeating: "x", count: 70000)), .uid(0), .uid(255), .uid(70000), .array([]), .set([.integer(1)]),
        .dictionary([:]), .dictionary(["a": .array([.uid(1), .string("b")]), "c": .dictionary(["d": .real(2)])]),
    ]

    @Test("Every kind of value is read as it was written", arguments: values)
    func roundTrip(value: PropertyListValue) throws {
        try expectEqual(PropertyListReader.read(BinaryPropertyListWriter.write(value)), value)
    }

    @Test("A dictionary keeps the order of its entries")
    func order() throws {
        let keys = (0..<40).map { "key\(($0 * 17) % 40)" }
        let dictionary = PropertyListDictionary(keys.map { (key: $0, value: .string($0)) })
        let read = try PropertyListReader.read(BinaryPropertyListWriter.write(.dictionary(dictionary)))
        expectEqual(read.dictionaryValue?.keys, keys)
    }

    @Test("Equal strings and numbers are written once")
    func uniquing() {
        let once = BinaryPropertyListWriter.write(.array([.string("some text")]))
        let twice = BinaryPropertyListWriter.write(.array([.string("some text"), .string("some text")]))
        expectEqual(twice.count, once.count + 1)
    }

    @Test("Foundation reads what is written")
    func foundation() throws {
        let value = PropertyListValue.dictionary([
            "text": .string("ä"), "numbers": .array([.integer(-5), .integer(70000), .real(0.5)]),
            "flag": .boolean(true),
            "data": .data(Data([9])), "date": .date(10),
        ])
        let list = try PropertyListSerialization.propertyList(from: BinaryPropertyListWriter.write(value), format: nil)
        let dictionary = try requireValue(list as? [String: Any])
        #expect(dictionary["text"] as? String == "ä")
        expectEqual((dictionary["numbers"] as? [Any])?.compactMap { ($0 as? NSNumber)?.doubleValue }, [-5, 70000, 0.5])
        expectEqual((dictionary["flag"] as? NSNumber)?.boolValue, true)
        #expect(dictionary["data"] as? Data == Data([9]))
        #expect(dictionary["date"] as? Date == Date(timeIntervalSinceReferenceDate: 10))
    }

    @Test("Archives of Foundation are read")
    func fromFoundation() throws {
        let list: [String: Any] = [
            "a": ["x", 1, 2.5] as [Any], "b": Data([1]), "c": true, "d": Date(timeIntervalSinceReferenceDate: 5),
        ]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            let read = try PropertyListReader.read(data)
            expectEqual(
                read,
                .dictionary([
                    "a": .array([.string("x"), .integer(1), .real(2.5)]), "b": .data(Data([1])),
                    "c": .boolean(true), "d": .date(5),
                ]))
        }
    }

    @Test("Foundation's files are written back byte for byte")
    func sameBytes() throws {
        let list: [String: Any] = [
            "strings": ["a", "ü", String(repeating: "long ", count: 100)],
            "numbers": [1, 1, 300, -1, 1.5, Int.max] as [Any],
            "flags": [true, false, true], "nested": ["x": ["y": ["z": Data([1, 2])]]],
            "date": Date(timeIntervalSinceReferenceDate: 5),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        expectEqual(BinaryPropertyListWriter.write(try PropertyListReader.read(data)), data)
    }

    @Test(
        "Apple's files are written back with equal meaning and in no more bytes", .enabled(if: Corpus.isPresent),
        arguments: [
            "shop/SampleModel.momd/SampleModel.mom", "shop/SampleModel.momd/SampleModel2.mom",
            "shop/SampleModel.momd/SampleModel3.mom", "shop/SampleModel.momd/VersionInfo.plist", "shop/V2toV3.cdm",
            "recipes/Recipes.xcdatamodeld/Recipes.xcdatamodel/elements",
            "tweets/RKTwitterCoreData.xcdatamodel/elements",
        ])
    func appleFiles(path: String) throws {
        let data = try Data(contentsOf: Corpus.url(path))
        let value = try PropertyListReader.read(data)
        let written = BinaryPropertyListWriter.write(value)
        try expectEqual(PropertyListReader.read(written), value)
        #expect(written.count <= data.count)
        expectEqual(BinaryPropertyListWriter.write(try PropertyListReader.read(written)), written)
    }
}
