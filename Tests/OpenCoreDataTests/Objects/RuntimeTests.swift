import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// The assumptions of the framework's memory layout.
@Suite("What rests on the Swift runtime")
struct RuntimeTests {
    private final class Thing {
        let onDeinit: () -> Void
        init(_ onDeinit: @escaping () -> Void = {}) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    @Test("all-zero bytes are nil for strings and objects")
    func zeroBytes() {
        let cells = Cells.allocate(wordCount: 2)
        defer { cells.deallocate() }
        cells.initializeEmpty(wordCount: 2)
        expectEqual(cells.string(0).pointee, nil)
        #expect(cells.object(0).pointee == nil)
        expectEqual(MemoryLayout<String?>.size, 16)
        expectEqual(MemoryLayout<AnyObject?>.size, 8)
        for text in ["", "short", "exactly fifteen", String(repeating: "long", count: 20)] {
            cells.string(0).pointee = text
            expectEqual(cells.string(0).pointee, text)
            #expect((cells.bits(0) != 0 || cells.bits(1) != 0))
            cells.string(0).pointee = nil
            expectEqual(cells.bits(0), 0)
            expectEqual(cells.bits(1), 0)
        }
    }

    @Test("a living object is retained by its address, a dying one is not")
    func retaining() throws {
        var found: Thing?? = .none
        var address: MemoryAddress?
        var thing: Thing? = Thing { found = address.map { tryRetain($0, as: Thing.self) } }
        address = MemoryAddress(thing!)
        #expect(tryRetain(address!, as: Thing.self) === thing)
        thing = nil
        // The look-up ran while the object was going.
        guard case .some(.none) = found else {
            Issue.record("the look-up of a dying object gave \(String(describing: found))")
            return
        }
    }

    @Test("the results for the objects of an array take the objects' places, without those that are left out")
    func resultsInPlace() {
        for leftOut in [[], [0], [2], [0, 1, 2, 3, 4], [4], [1, 3]] {
            var goneCount = 0
            var things: [Thing] = (0..<5).map { _ in Thing { goneCount += 1 } }
            let all = things.map { ObjectIdentifier($0) }
            var index = -1
            var holders: [Holder] = mapInPlace(exchange(&things, with: [])) { thing in
                index += 1
                let thing = thing.takeRetainedValue()
                return leftOut.contains(index) ? nil : Holder(thing)
            }
            let kept = all.indices.filter { !leftOut.contains($0) }.map { all[$0] }
            expectEqual(holders.map { ObjectIdentifier($0.thing) }, kept)
            expectEqual(goneCount, leftOut.count)
            holders = []
            expectEqual(goneCount, 5)
        }
    }

    @Test("an array that is used elsewhere stays as it is when results are made in place")
    func resultsOfSharedArray() {
        let things = (0..<3).map { _ in Thing() }
        let holders: [Holder] = mapInPlace(things) { Holder($0.takeRetainedValue()) }
        #expect(zip(things, holders).allSatisfy { $0 === $1.thing })
        expectEmpty(mapInPlace([Thing]()) { Holder($0.takeRetainedValue()) })
    }

    private final class Holder {
        let thing: Thing
        init(_ thing: Thing) { self.thing = thing }
    }

    private func exchange<Value>(_ value: inout Value, with other: Value) -> Value {
        defer { value = other }
        return value
    }

    @Test("references that are counted at once keep their object until the last one is released")
    func countedReferences() throws {
        var isGone = false
        var holders: [Thing?] = []
        do {
            let thing = Thing { isGone = true }
            var references = CountedReferences(thing, count: 3)
            for _ in 0..<3 { holders.append(references.take()) }
        }
        expectEqual(Set(holders.map { $0.map { ObjectIdentifier($0) } }).count, 1)
        for index in holders.indices {
            expectFalse(isGone)
            holders[index] = nil
        }
        expectTrue(isGone)
    }

    @Test("an object is found in a strong reference and in an array without counting")
    func unretainedObjects() throws {
        let thing: Thing? = Thing()
        let identity = thing.map { ObjectIdentifier($0) }
        expectEqual(thing.unretained?._withUnsafeGuaranteedRef { ObjectIdentifier($0) }, identity)
        let none: Thing? = nil
        #expect(none.unretained == nil)
        let things = [Thing(), Thing()]
        var found: [ObjectIdentifier] = []
        things.forEachUnretained { index, thing in
            expectEqual(index, found.count)
            found.append(ObjectIdentifier(thing))
        }
        expectEqual(found, things.map { ObjectIdentifier($0) })
    }

    @Test("keys are found by their words, or left to the dictionary")
    func quickKeys() {
        var positions: [String: Int] = [
            "": 0, "a": 1, "exactly fifteen": 2, "a key that is longer than that": 3, "naïve": 4, "日本": 5,
        ]
        for index in 0..<200 { positions["key\(index)"] = 6 + index }
        let table = QuickKeyTable(positions)
        defer { table.deallocate() }
        for (key, position) in positions {
            // Only short ASCII keys need to be here; the dictionary has all of them.
            let expected = key.utf8.count <= 15 && key.utf8.allSatisfy { $0 < 128 } ? position : nil
            expectEqual(table[key], expected, "\(key)")
            // The same key from other memory.
            expectEqual(table[String(decoding: Array(key.utf8), as: UTF8.self)], expected, "\(key)")
        }
        for key in ["b", "key", "key200", "exactly fiftee", "exactly fifteen "] {
            expectEqual(table[key], nil, "\(key)")
        }
    }

    @Test("a row buffer releases what its rows own, once")
    func rowBuffer() throws {
        let model = RuntimeModel.make()
        defer { withExtendedLifetime(model) {} }
        let layout = try requireValue(ModelLayout.of(model).byName["Item"])
        let text = try requireValue(layout.slot(named: "text"))
        let thing = try requireValue(layout.slot(named: "thing"))
        nonisolated(unsafe) var released = 0
        do {
            var buffer: RowBuffer? = RowBuffer(layout: layout, includesSubentities: false, capacity: 8)
            let copy = Cells.allocate(layout)
            for index in 0..<8 {
                let row = buffer!.append(primaryKey: Int64(index), version: 1, layout: layout)
                row.cells.string(text.cell).pointee = "a text of more than fifteen bytes, number \(index)"
                row.cells.object(thing.cell).pointee = Thing { released += 1 }
            }
            layout.copy(buffer![3].cells, to: copy)
            buffer = nil
            expectEqual(released, 7)
            expectEqual(copy.string(text.cell).pointee, "a text of more than fifteen bytes, number 3")
            layout.destroy(copy)
            copy.deallocate()
        }
        expectEqual(released, 8)
    }

    @Test(
        "numbers made by CFNumberCreate are those that NSNumber makes",
        arguments: [Int64.min, -1_000_000, -129, -128, 0, 1, 1023, 1024, 1 << 40, .max])
    func numbers(value: Int64) {
        let number = NumberObjects.integer(value)
        let expected = NSNumber(value: value)
        #expect(type(of: number) == type(of: expected))
        expectEqual(number, expected)
        expectEqual(number.hash, expected.hash)
        expectEqual(number.int64Value, value)
        #expect(number as? Int64 == value)
        #expect(number as? Int == Int(value))
        expectEqual(number.stringValue, "\(value)")
        let half = NumberObjects.double(Double(value) / 2)
        expectEqual(half, NSNumber(value: Double(value) / 2))
        expectEqual(half.doubleValue, Double(value) / 2)
    }

    #if os(Linux)
        @Test("CFNumberCreate is usable with this Foundation")
        func numberCreation() {
            expectTrue(NumberObjects.isCreateFunctionUsable)
        }
    #endif

    @Test("a table of keys that can't use the words of strings leaves every key to the dictionary")
    func unusableKeys() {
        expectTrue(QuickKeyTable.isUsable)
        let table = QuickKeyTable(["a": 1, "b": 2], isUsable: false)
        defer { table.deallocate() }
        for key in ["a", "b", "c", ""] { expectEqual(table[key], nil) }
    }

    #if os(Linux)
        @Test("the layout of type records is known, and another version of it is refused before a record is read")
        func typeRecords() {
            let images = ProgramClasses.sections()
            expectTrue(ProgramClasses.isLayoutKnown(images))
            expectFalse(ProgramClasses.isLayoutKnown(images, version: 4))
            expectFalse(ProgramClasses.isLayoutKnown(images, version: 6))
            expectFalse(ProgramClasses.isLayoutKnown([]))
            // A list of sections of the known version whose other words are no addresses.
            let foreign = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
            defer { foreign.deallocate() }
            foreign.initialize(repeating: 0, count: 16)
            foreign[0] = 5
            expectFalse(ProgramClasses.isLayoutKnown([UnsafeRawPointer(foreign)]))
            foreign[0] = 7
            expectFalse(ProgramClasses.isLayoutKnown(images + [UnsafeRawPointer(foreign)]))
        }
    #endif

    @Test("inherited properties keep their positions in subentities, whose numbers follow")
    func layouts() throws {
        let model = RuntimeModel.make()
        defer { withExtendedLifetime(model) {} }
        let layouts = ModelLayout.of(model)
        let item = try requireValue(layouts.byName["Item"])
        let special = try requireValue(layouts.byName["Special"])
        expectTrue(special.isKind(of: item))
        expectFalse(item.isKind(of: special))
        expectEqual(special.root, item.number)
        for slot in item.properties {
            let inherited = try requireValue(special.slot(named: slot.name))
            expectEqual(inherited.index, slot.index)
            expectEqual(inherited.cell, slot.cell)
            expectEqual(inherited.link, slot.link)
        }
        #expect(layouts[special.number] === special)
        expectEqual(item.position(of: "nothing"), nil)
    }
}

enum RuntimeModel {
    static func make() -> NSManagedObjectModel {
        let item = AlbumModel.entity("Item")
        let special = AlbumModel.entity("Special")
        item.properties = [
            AlbumModel.attribute("text", .stringAttributeType), AlbumModel.transformable("thing"),
            AlbumModel.toOne("other", item),
        ]
        special.properties = [
            AlbumModel.attribute("a", .integer64AttributeType), AlbumModel.attribute("zeta", .stringAttributeType),
        ]
        item.subentities = [special]
        let model = NSManagedObjectModel()
        model.entities = [item, special]
        return model
    }
}
