import Testing

@testable import CoreDataPredicates

/// Untrusted archives that would overflow the stack of Foundation's unarchiver, or that it would read in another way
/// than the check.
@Suite("Harmful archives")
struct ArchiveNestingTests {
    /// An archive whose object 1 is an array; `count` arrays follow, each in the one before; the last holds `last`.
    private func archive(arrays count: Int, last: PropertyListValue) throws -> KeyedArchiveReader {
        var objects: [PropertyListValue] = [.string("$null")]
        for index in 1...count {
            objects.append(
                .dictionary([
                    "$class": .uid(count + 1), "NS.objects": .array([index == count ? last : .uid(index + 1)]),
                ]))
        }
        objects.append(
            .dictionary([
                "$classname": .string("NSArray"), "$classes": .array([.string("NSArray"), .string("NSObject")]),
            ]))
        return try KeyedArchiveReader(
            propertyList: .dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$top": .dictionary(["root": .uid(1)]),
                "$objects": .array(objects),
            ]))
    }

    @Test("An object that contains itself, directly or indirectly, is refused", arguments: [1, 2, 50])
    func circles(count: Int) throws {
        let archive = try archive(arrays: count, last: .uid(1))
        #expect(throws: (any Error).self) { try archive.checkNesting() }
    }

    @Test("Deep nesting is refused, and allowed nesting can be decoded on a small stack")
    func depth() throws {
        #expect(throws: (any Error).self) { try archive(arrays: 100_000, last: .uid(0)).checkNesting() }
        try archive(arrays: KeyedArchiveReader.nestingLimit, last: .uid(0)).checkNesting()
        var value: NSObject = NSArray()
        // Foundation's cost on Linux grows with the fourth power of the depth.
        let depth = TestRun.quick(25, long: KeyedArchiveReader.nestingLimit)
        for _ in 1..<depth { value = NSArray(object: value) }
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
        try KeyedArchiveReader(data).checkNesting()
        let isDecoded = SmallThread.run {
            (try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: data)) != nil
        }
        expectEqual(isDecoded, true)
    }

    @Test("An object with several references is no cycle")
    func shared() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: ["a", "a", NSArray(object: "a")] as [Any]), requiringSecureCoding: false)
        try KeyedArchiveReader(data).checkNesting()
    }

    @Test("A dictionary with a duplicate key is refused, as readers differ in the value that they use")
    func repeatedKeys() {
        let table: [UInt8] = [0xD2, 1, 1, 2, 3, 0x51, 0x61, 0x10, 1, 0x10, 2]
        let offsets: [UInt8] = [8, 13, 15, 17]
        var trailer = [UInt8](repeating: 0, count: 32)
        (trailer[6], trailer[7], trailer[15], trailer[31]) = (1, 1, 4, UInt8(8 + table.count))
        let binary = Data(Array("bplist00".utf8) + table + offsets + trailer)
        let xml = Data(
            """
            <plist \
            version=\"1.0\"><dict><key>a</key><integer>1</integer><key>a</key><integer>2</integer></dict></plist>
            """
            .utf8)
        for data in [binary, xml] {
            #expect { try PropertyListReader.read(data) } throws: { "\($0)".contains("twice") }
        }
    }
}
