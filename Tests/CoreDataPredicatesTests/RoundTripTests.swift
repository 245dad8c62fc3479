import Testing

@testable import CoreDataPredicates

@Suite("Printing and reading are each other's inverse")
struct RoundTripTests {
    @Test("A thousand random predicates survive printing and reading", arguments: 0..<10)
    func random(batch: Int) throws {
        let seed = TestRun.seed(for: "predicate round trips")
        var source = RandomPredicates(seed: seed)
        for number in 0..<100 {
            let predicate = source.predicate(depth: 4)
            let text = predicate.predicateText
            let again = try NSPredicate.parse(text)
            expectTrue(
                again.structurallyEquals(predicate),
                "seed \(seed), predicate \(number): \(text)\n\(again.predicateText)")
            expectEqual(again.structuralHash, predicate.structuralHash, "seed \(seed), predicate \(number): \(text)")
        }
    }

    @Test("Constants that have no literal are written as casts and keep their value")
    func casts() throws {
        let uuid = UUID()
        let url = try requireValue(URL(string: "https://example.org/a?b=c"))
        let date = Date(timeIntervalSinceReferenceDate: 654321.125)
        let decimal = try requireValue(Decimal(string: "0.1234567890123456789012345678901"))
        for constant in [uuid, url, date, decimal, Data([0, 255, 1]), Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)]
            as [Any]
        {
            let text = NSPredicate(format: "SELF == %@", argumentArray: [constant]).description
            let again = try NSPredicate.parse(text)
            expectTrue(again.evaluate(with: constant), "\(text)")
            expectFalse(again.evaluate(with: "other"), "\(text)")
        }
    }
}
