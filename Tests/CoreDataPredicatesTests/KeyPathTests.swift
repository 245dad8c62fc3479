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

    @Test(
        "Plain values answer the properties of their classes",
        arguments: [
            ("number.stringValue CONTAINS '2.5'", true), ("number.intValue == 12", true),
            ("number.doubleValue < 12.5", false), ("huge.intValue == nil", true),
            ("date.timeIntervalSinceReferenceDate == 60", true), ("date.timeIntervalSince1970 > 60", true),
            ("link.host == 'a.example'", true),
            ("link.fragment == nil", true), ("uuid.UUIDString BEGINSWITH 'E621'", true), ("data.length == 3", true),
            ("ANY list.stringValue == '7'", true),
        ])
    func plainValues(format: String, holds: Bool) throws {
        let object = Thing([
            "number": NSNumber(value: 12.5), "huge": NSNumber(value: 1e300),
            "date": Date(timeIntervalSinceReferenceDate: 60),
            "link": URL(string: "http://a.example/b")!,
            "uuid": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, "data": Data([1, 2, 3]),
            "list": [NSNumber(value: 1), NSNumber(value: 7)],
        ])
        expectEqual(NSPredicate(format: format).evaluate(with: object), holds)
    }

    @Test("Collections give collections of their kind")
    func collections() {
        #expect(Self.band.value(forKeyPath: "members.name") as? [String] == ["A", "B", "A"])
        expectEqual((Self.band.value(forKeyPath: "set.name") as? NSSet)?.count, 2)
        #expect((Self.band.value(forKeyPath: "ordered.name") as? NSOrderedSet)?.array as? [String] == ["X", "Y"])
        expectEqual((Self.band.value(forKeyPath: "members.age") as? NSArray)?.count, 3)
    }

    @Test("Operators gather")
    func operators() {
        func number(_ path: String) -> Double? { (Self.band.value(forKeyPath: path) as? NSNumber)?.doubleValue }
        expectEqual(number("members.@count"), 3)
        expectEqual(number("members.@sum.age"), 50)
        expectEqual(number("members.@avg.age"), 25)
        expectEqual(number("members.@min.age"), 20)
        expectEqual(number("members.@max.age"), 30)
        expectEqual(number("nobody.@count"), 0)
        #expect(Self.band.value(forKeyPath: "members.@unionOfObjects.name") as? [String] == ["A", "B", "A"])
        #expect(Self.band.value(forKeyPath: "members.@distinctUnionOfObjects.name") as? [String] == ["A", "B"])
        #expect(Self.band.value(forKeyPath: "members.@max.name") as? String == "B")
        #expect(Self.band.value(forKeyPath: "members.@avg.nothing") == nil)
    }

    @Test("Foundation's collections answer keys and key paths as on Apple's platforms")
    func collectionsThemselves() {
        let rows: NSArray = [["a": 1, "b": ["c": 2]], ["a": 3]]
        #expect(rows.value(forKey: "a") as? [Int] == [1, 3])
        expectEqual((rows.value(forKeyPath: "@sum.a") as? NSNumber)?.intValue, 4)
        expectEqual((rows.value(forKey: "@count") as? NSNumber)?.intValue, 2)
        expectEqual((rows.value(forKeyPath: "b.c") as? NSArray)?.count, 2)
        #expect((rows.value(forKeyPath: "b.c") as? NSArray)?.lastObject is NSNull)
        expectEqual((NSSet(array: [["a": 1], ["a": 1], [:]] as [Any]).value(forKey: "a") as? NSSet)?.count, 1)
        expectEqual(
            (NSOrderedSet(array: [["a": 2], ["a": 1]] as [Any]).value(forKeyPath: "@max.a") as? NSNumber)?.intValue, 2
        )
        let dictionary: NSDictionary = ["list": [1, 2, 3], "deep": ["x": "y"]]
        expectEqual((dictionary.value(forKeyPath: "list.@avg.self") as? NSNumber)?.intValue, 2)
        #expect(dictionary.value(forKeyPath: "deep.x") as? String == "y")
        expectEqual((dictionary.value(forKeyPath: "@count") as? NSNumber)?.intValue, 2)
    }

    @Test("Sets of any values are compared, united and searched without looking at every pair")
    func largeSets() {
        let numbers = (0..<20_000).map { NSNumber(value: $0) }
        let even = (0..<20_000).map { NSNumber(value: Double($0 * 2)) }
        let (one, two) = (NSExpression(forConstantValue: numbers), NSExpression(forConstantValue: even))
        expectEqual(
            (NSExpression(forIntersectSet: one, with: two).expressionValue(with: nil, context: nil) as? NSSet)?.count,
            10_000)
        expectEqual(
            (NSExpression(forMinusSet: one, with: two).expressionValue(with: nil, context: nil) as? NSSet)?.count,
            10_000)
        expectEqual(
            (NSExpression(forUnionSet: one, with: two).expressionValue(with: nil, context: nil) as? NSSet)?.count,
            30_000)
        expectTrue(Values.equal(Set(numbers), NSSet(array: numbers)))
        let predicate = NSPredicate(format: "SELF IN %@", even)
        expectEqual((numbers as NSArray).filtered(using: predicate).count, 10_000)
    }

    @Test("a dictionary gives the NSNull at the end of a key path, and the text of a variable's key path is its own")
    func nullsAndVariables() {
        let dictionary: NSDictionary = ["a": NSNull(), "b": ["c": NSNull()] as NSDictionary]
        #expect(dictionary.value(forKeyPath: "a") is NSNull)
        #expect(dictionary.value(forKeyPath: "b.c") is NSNull)
        #expect(dictionary.value(forKeyPath: "b.d") == nil)
        expectEqual(NSExpression(forKeyPath: "$song.artist.name").description, "$song.artist.name")
    }
}
