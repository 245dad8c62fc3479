import CoreDataPredicates
import Testing

@Suite("Archives of plain values")
struct PlainArchiveTests {
    private func decoded(_ data: Data) throws -> NSObject? {
        let archive = try KeyedArchiveReader(data)
        try archive.checkNesting()
        return try PlainArchive.root(of: archive)
    }

    @Test("They give what Foundation's unarchiver gives")
    func equal() throws {
        let array = NSMutableArray(array: ["x", NSNumber(value: 3)])
        let values: [NSObject] = [
            NSArray(array: ["a", NSNumber(value: 1.5), NSNumber(value: true), NSNull()]), array,
            NSDictionary(dictionary: ["k": array, "l": array]), NSSet(array: ["a", "b"]),
            NSOrderedSet(array: ["b", "a"]), NSString(string: "text"), NSMutableString(string: "text"),
            NSData(data: Data([1, 2])), NSDate(timeIntervalSinceReferenceDate: 5), NSUUID(),
            try requireValue(NSURL(string: "https://example.org/a")),
        ]
        for value in values {
            let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
            let result = try decoded(data)
            expectEqual(result?.isEqual(value), true, "\(value)")
            #expect(value is NSMutableArray == (result is NSMutableArray), "\(value)")
        }
    }

    private func archive(_ objects: [Any], top: [String: Any]) throws -> Data {
        // Property lists of Foundation have no references, so the text form is changed afterwards.
        let list: [String: Any] = [
            "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": objects,
        ]
        return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }

    private func reference(_ index: Int) -> [String: Any] { ["CF$UID": index] }

    @Test("Damaged ones throw: references to nothing, objects without class, values of other types")
    func damaged() throws {
        let array: [String: Any] = ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]
        let date: [String: Any] = ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]]
        let damaged: [[Any]] = [
            ["$null", ["NS.objects": [reference(9)], "$class": reference(2)], array],
            ["$null", ["NS.objects": [reference(2)]], array],
            ["$null", ["NS.objects": [reference(2)], "$class": reference(2)], array],
            ["$null", ["NS.time": "text", "$class": reference(2)], date],
            ["$null", ["$class": reference(2)], date],
        ]
        for objects in damaged {
            let data = try archive(objects, top: ["root": reference(1)])
            #expect(throws: (any Error).self, "\(objects)") { try decoded(data) }
        }
        let valid = try archive(
            ["$null", ["NS.objects": [], "$class": reference(2)], array], top: ["root": reference(1)])
        try expectEqual(decoded(valid), NSArray())
        #expect(throws: (any Error).self) { try decoded(archive(["$null"], top: ["root": reference(0)])) }
        #expect(throws: (any Error).self) { try decoded(archive(["$null", "a"], top: [:])) }
    }
}
