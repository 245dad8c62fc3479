import Testing

@testable import CoreDataPredicates

private final class Reverser: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { String($0.reversed()) } }
}

final class Mark: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

final class MarkTransformer: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [Mark.self] }
}

@Suite("Value transformers")
struct ValueTransformerTests {
    @Test("A registered transformer is found by its name")
    func registry() throws {
        let name = NSValueTransformerName("Reverser-\(UUID().uuidString)")
        expectEqual(ValueTransformer(forName: name), nil)
        ValueTransformer.setValueTransformer(Reverser(), forName: name)
        let found = try requireValue(ValueTransformer(forName: name))
        #expect(found is Reverser)
        #expect(found.transformedValue("abc") as? String == "cba")
        #expect(found.reverseTransformedValue("cba") as? String == "abc")
        expectContains(ValueTransformer.valueTransformerNames(), name)
        ValueTransformer.setValueTransformer(nil, forName: name)
        expectEqual(ValueTransformer(forName: name), nil)
    }

    @Test("Plain objects go into an archive and come back", arguments: [0, 1, 2, 3, 4])
    func secure(which: Int) throws {
        let value: Any = [["a", "b"], ["k": 1], "text", Date(timeIntervalSinceReferenceDate: 5), ["x": [1, 2]]][which]
        let transformer = try requireValue(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
        let data = try requireValue(transformer.reverseTransformedValue(value) as? Data)
        expectTrue(Values.equal(transformer.transformedValue(data), value))
    }

    @Test("Data that is no archive gives nil")
    func hostile() {
        let transformer = NSSecureUnarchiveFromDataTransformer()
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
        #expect(transformer.transformedValue(Data()) == nil)
        #expect(transformer.transformedValue(nil) == nil)
        #expect(transformer.reverseTransformedValue(nil) == nil)
    }

    @Test("An archive that holds a class which isn't allowed gives nil, at its top and in collections")
    func refused() throws {
        let mark = try NSKeyedArchiver.archivedData(withRootObject: Mark(), requiringSecureCoding: true)
        let list = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(object: NSDictionary(dictionary: ["mark": Mark()])), requiringSecureCoding: true)
        let plain = NSSecureUnarchiveFromDataTransformer()
        #expect(plain.transformedValue(mark) == nil)
        #expect(plain.transformedValue(list) == nil)
        #expect(MarkTransformer().transformedValue(mark) is Mark)
        #expect(MarkTransformer().transformedValue(list) == nil)
    }

    @Test("Foundation's own transformers")
    func own() {
        expectEqual(
            (ValueTransformer(forName: .negateBooleanTransformerName)?.transformedValue(true) as? NSNumber)?.boolValue,
            false)
        expectEqual(
            (ValueTransformer(forName: .isNilTransformerName)?.transformedValue(nil) as? NSNumber)?.boolValue, true)
        expectEqual(
            (ValueTransformer(forName: .isNotNilTransformerName)?.transformedValue(nil) as? NSNumber)?.boolValue,
            false)
    }
}
