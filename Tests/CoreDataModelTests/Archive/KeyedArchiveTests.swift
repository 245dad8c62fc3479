import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Keyed archives")
struct KeyedArchiveTests {
    @Test("Objects can refer to each other in a cycle")
    func circles() throws {
        let writer = KeyedArchiveWriter()
        let first = writer.reserve()
        let second = writer.reserve()
        writer.fill(first, class: KeyedArchiveClass("Node"), [("next", second), ("name", writer.add(string: "first"))])
        writer.fill(second, class: KeyedArchiveClass("Node"), [("next", first), ("name", KeyedArchiveWriter.null)])
        let root = try KeyedArchiveReader(writer.data(root: first)).root()
        expectEqual(root.className, "Node")
        try expectEqual(root.string("name"), "first")
        let next = try root.requiredObject("next")
        try expectEqual(next.string("name"), nil)
        try expectEqual(next.requiredObject("next").index, root.index)
    }

    @Test("Objects of classes that were not allowed are refused")
    func allowedClasses() throws {
        let writer = KeyedArchiveWriter()
        let inner = writer.add(class: KeyedArchiveClass("Evil"), [])
        let root = writer.add(class: KeyedArchiveClass("Good"), [("inner", inner)])
        let data = writer.data(root: root)
        let object = try KeyedArchiveReader(data, allowedClasses: ["Good"]).root()
        #expect(throws: CocoaError.self) { try object.value("inner") }
        try expectEqual(KeyedArchiveReader(data).root().object("inner")?.className, "Evil")
    }

    @Test("A string that reads $null is not nil")
    func nullText() throws {
        let writer = KeyedArchiveWriter()
        let root = writer.add(class: KeyedArchiveClass("Node"), [("text", writer.add(string: "$null"))])
        try expectEqual(KeyedArchiveReader(writer.data(root: root)).root().string("text"), "$null")
    }

    @Test(
        "Decimal numbers keep every digit",
        arguments: [
            "0", "1", "-1", "0.1", "65535", "65536", "12345678901234567890123456789012345678",
            "-0.000000000000000000001",
            "340282366920938463463374607431768211455", "99e99", "NaN",
        ])
    func decimals(text: String) throws {
        let number = NSDecimalNumber(decimal: text == "NaN" ? .nan : try requireValue(Decimal(string: text)))
        #expect(try roundTrip(number) as? NSDecimalNumber == number)
    }

    @Test("Foundation's values and collections are decoded unchanged")
    func foundation() throws {
        let value: [AnyHashable: Any] = [
            "list": ["a", NSNumber(value: 1), NSNumber(value: true), NSNumber(value: 2.5)] as [Any],
            "date": Date(timeIntervalSinceReferenceDate: 3), "data": Data([1]), "url": URL(string: "a/b")!,
            "id": UUID(), "null": NSNull(), "set": NSSet(array: ["x", "y"]), NSNumber(value: 3): "number as key",
        ]
        let read = try requireValue(try roundTrip(value) as? [AnyHashable: Any])
        #expect((read as NSDictionary).isEqual(to: value))
    }

    @Test("NSKeyedUnarchiver reads what is written")
    func unarchiver() throws {
        let writer = KeyedArchiveWriter()
        let root = try writer.add(foundation: ["a": ["x", 5] as [Any]] as [AnyHashable: Any], what: "test")
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self], from: writer.data(root: root))
        let dictionary = try requireValue(read as? NSDictionary)
        expectTrue(dictionary.isEqual(to: ["a": ["x", 5] as [Any]]))
    }

    @Test("A value without an archived form is refused with its owner")
    func unarchivable() {
        struct Private {}
        let error = #expect(throws: CocoaError.self) {
            try KeyedArchiveWriter().add(foundation: Private(), what: "the default of x")
        }
        expectEqual(error?.code, .coderInvalidValue)
        expectEqual((error?.userInfo[NSDebugDescriptionErrorKey] as? String)?.contains("the default of x"), true)
    }

    @Test(
        "A property list that is not a keyed archive is refused",
        arguments: [
            PropertyListValue.string("x"), .dictionary([:]),
            .dictionary(["$objects": .array([]), "$top": .dictionary([:])]),
            .dictionary(["$objects": .array([.string("$null")]), "$top": .dictionary(["root": .uid(0)])]),
            .dictionary(["$objects": .array([.string("$null")]), "$top": .dictionary(["root": .uid(9)])]),
        ])
    func noArchive(list: PropertyListValue) {
        let error = #expect(throws: CocoaError.self) {
            try KeyedArchiveReader(BinaryPropertyListWriter.write(list)).root()
        }
        expectEqual(error?.code, .coderReadCorrupt)
    }

    @Test(
        "Archives of unknown classes can be looked into by key", .enabled(if: Corpus.isPresent),
        arguments: [
            "recipes/Recipes.xcdatamodeld/Recipes.xcdatamodel/elements",
            "tweets/RKTwitterCoreData.xcdatamodel/elements",
        ])
    func unknownClasses(path: String) throws {
        let root = try KeyedArchiveReader(Data(contentsOf: Corpus.url(path))).root()
        expectEqual(root.className, "XDPMModel")
        let package = try root.requiredObject("_xd_rootPackage")
        let entities = try requireValue(try package.entries("XDBucketForClassesstorage"))
        #expect(!entities.isEmpty)
        for (name, value) in entities { try expectEqual(value.object?.string("_name"), name) }
    }

    private func roundTrip(_ value: Any) throws -> Any? {
        let writer = KeyedArchiveWriter()
        let root = writer.add(
            class: KeyedArchiveClass("Box"), [("value", try writer.add(foundation: value, what: "test"))])
        return try KeyedArchiveFoundationDecoder.decodeOrPreserve(
            KeyedArchiveReader(writer.data(root: root)).root().value("value"))
    }
}
