import CoreDataPredicates
import Testing

@Suite("Equality of values")
struct ValueEqualityTests {
    private static var odd: [AnyHashable: Any] {
        [
            Date(timeIntervalSinceReferenceDate: 1): "a",
            Data([1, 2]): [UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF") ?? UUID(): 1], 3: ["x"],
            NSNull(): NSNull(),
        ]
    }

    @Test("Dictionaries with keys of any class are compared, also inside of other collections")
    func oddKeys() {
        expectTrue(Values.equal(Self.odd, Self.odd))
        expectTrue(Values.equal([Self.odd], [Self.odd]))
        expectTrue(Values.equal(["deep": [Self.odd]], ["deep": [Self.odd]]))
        var other = Self.odd
        other[3] = ["y"]
        expectFalse(Values.equal(Self.odd, other))
        expectFalse(Values.equal([Self.odd], [other]))
        expectFalse(Values.equal(Self.odd, [:] as [AnyHashable: Any]))
        expectFalse(Values.equal(Self.odd, "a dictionary"))
    }

    @Test("Ordered sets of different lengths are not equal")
    func orderedSets() {
        expectFalse(Values.equal(NSOrderedSet(array: ["a", "b"]), NSOrderedSet(array: ["a"])))
        expectFalse(Values.equal(NSOrderedSet(array: ["a"]), NSOrderedSet(array: ["a", "b"])))
        expectTrue(Values.equal(NSOrderedSet(array: ["a", ["b"]]), NSOrderedSet(array: ["a", ["b"]])))
        expectFalse(
            Values.equal(NSSet(array: [NSOrderedSet(array: [1])]), NSSet(array: [NSOrderedSet(array: [1, 2])])))
    }

    @Test("A union of whole numbers and decimals has each of them")
    func unionOfDecimals() {
        let decimal = NSDecimalNumber(string: "0.5")
        // Which elements of a set are compared depends on their hashes, whose seed differs from set to set.
        for size in 1..<60 {
            let numbers = [0] + (1..<size).map { -$0 }
            let union = NSExpression(format: "%@ UNION {%@, 0}", numbers as NSArray, decimal)
            let set = union.expressionValue(with: nil, context: nil) as? NSSet
            expectEqual(set?.count, size + 1)
            expectTrue(
                NSPredicate(format: "ANY (%@ UNION {%@, 0}) >= 0.5", numbers as NSArray, decimal).evaluate(with: nil))
        }
    }

    @Test("An object that says that it equals another one equals it on both sides")
    func substitutes() {
        let original = NSObject()
        let substitute = Substitute(original)
        for (left, right) in [(original, substitute), (substitute, original)] {
            expectTrue(NSPredicate(format: "%@ == %@", left, right).evaluate(with: nil))
            expectTrue(NSPredicate(format: "%@ IN {%@, 1}", left, right).evaluate(with: nil))
        }
        expectFalse(NSPredicate(format: "%@ == %@", NSObject(), substitute).evaluate(with: nil))
    }

    @Test("Binary values are not compared byte by byte as objects")
    func binaryValues() {
        let (ones, twos) = (Data(repeating: 1, count: 16_000_000), Data(repeating: 2, count: 16_000_000))
        let seconds = TestRun.processorSeconds {
            expectFalse(Values.equal(ones, twos))
            expectFalse(Values.equal(ones, twos.dropFirst()))
            expectTrue(Values.equal(ones, Data(repeating: 1, count: 16_000_000)))
        }
        #expect(seconds < 0.5)
    }

    /// Stands for another object.
    private final class Substitute: NSObject {
        let original: NSObject

        init(_ original: NSObject) { self.original = original }

        override func isEqual(_ object: Any?) -> Bool {
            ((object as? Substitute)?.original ?? object as? NSObject) === original
        }

        override var hash: Int { original.hash }
    }
}
