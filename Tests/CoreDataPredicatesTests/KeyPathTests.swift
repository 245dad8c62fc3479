import Testing
@testable import CoreDataPredicates

@Suite("Key paths walk objects, collections and operators")
struct KeyPathTests {
    private static var band: Thing {
        Thing([
            "members": [Thing(["name": "A", "age": 20]), Thing(["name": "B"]), Thing(["name": "A", "age": 30])],
            "set": NSSet(array: [Thing(["name": "X"]), Thing(["name": "Y"])]),
            "ordered": NSOrderedSet(array: [Thing(["name": "X"]), Thing(["name": "Y"])]),
            "manager": Thing(["name": "M"]),
        ])
    }

    @Test("Single objects give their value, missing ones nil")
    func single() {
        #expect(Self.band.value(forKeyPath: "manager.name") as? String == "M")
        #expect(Self.band.value(forKeyPath: "nobody.name") == nil)
    }

    @Test("Collections give collections of their kind")
    func collections() {
        #expect(Self.band.value(forKeyPath: "members.name") as? [String] == ["A", "B", "A"])
        #expect((Self.band.value(forKeyPath: "set.name") as? NSSet)?.count == 2)
        #expect((Self.band.value(forKeyPath: "ordered.name") as? NSOrderedSet)?.array as? [String] == ["X", "Y"])
        #expect((Self.band.value(forKeyPath: "members.age") as? NSArray)?.count == 3)
    }

    @Test("Operators gather")
    func operators() {
        func number(_ path: String) -> Double? { (Self.band.value(forKeyPath: path) as? NSNumber)?.doubleValue }
        #expect(number("members.@count") == 3)
        #expect(number("members.@sum.age") == 50)
        #expect(number("members.@avg.age") == 25)
        #expect(number("members.@min.age") == 20)
        #expect(number("members.@max.age") == 30)
        #expect(number("nobody.@count") == 0)
        #expect(Self.band.value(forKeyPath: "members.@unionOfObjects.name") as? [String] == ["A", "B", "A"])
        #expect(Self.band.value(forKeyPath: "members.@distinctUnionOfObjects.name") as? [String] == ["A", "B"])
        #expect(Self.band.value(forKeyPath: "members.@max.name") as? String == "B")
        #expect(Self.band.value(forKeyPath: "members.@avg.nothing") == nil)
    }
}
