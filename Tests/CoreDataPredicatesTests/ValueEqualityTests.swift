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
        #expect(Values.equal(Self.odd, Self.odd))
        #expect(Values.equal([Self.odd], [Self.odd]))
        #expect(Values.equal(["deep": [Self.odd]], ["deep": [Self.odd]]))
        var other = Self.odd
        other[3] = ["y"]
        #expect(!Values.equal(Self.odd, other))
        #expect(!Values.equal([Self.odd], [other]))
        #expect(!Values.equal(Self.odd, [:] as [AnyHashable: Any]))
        #expect(!Values.equal(Self.odd, "a dictionary"))
    }

    @Test("Ordered sets of different lengths are not equal")
    func orderedSets() {
        #expect(!Values.equal(NSOrderedSet(array: ["a", "b"]), NSOrderedSet(array: ["a"])))
        #expect(!Values.equal(NSOrderedSet(array: ["a"]), NSOrderedSet(array: ["a", "b"])))
        #expect(Values.equal(NSOrderedSet(array: ["a", ["b"]]), NSOrderedSet(array: ["a", ["b"]])))
        #expect(!Values.equal(NSSet(array: [NSOrderedSet(array: [1])]), NSSet(array: [NSOrderedSet(array: [1, 2])])))
    }
}
