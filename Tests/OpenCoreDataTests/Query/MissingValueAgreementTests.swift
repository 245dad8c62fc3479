import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

/// Swift's predicates, in which a missing value equals nothing but a missing value.
@Suite("Comparisons in which a missing value differs from all others")
struct MissingValueAgreementTests {
    @Test(
        "find the same objects as in memory",
        arguments: [
            "name == idol.name", "name ==[c] idol.name", "name != idol.name", "name !=[c] idol.name",
            "age == idol.age", "age != idol.age", "age == idol.score", "sqrt(age) == sqrt(idol.age)",
            "idol.age == sqrt(age)", "sqrt(age) == idol.age", "sqrt(age) != idol.age", "songs.@count == age",
            "age == songs.@count", "idol.age == age + 1", "born == name", "born != name", "name < idol.name",
            "name <[c] idol.name", "age IN {1, idol.age}", "name CONTAINS idol.name", "name BEGINSWITH[c] idol.name",
            "name == nil", "name != nil", "name == 'a'", "name !=[c] 'A'", "ANY songs.title == name",
            "ALL songs.rating == age",
        ])
    func agreement(format: String) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let library = try Library()
            try library.fill(&random)
            let comparison = try NSPredicate.parse(format)
            (comparison as? NSComparisonPredicate)?.missingValues = .different
            for predicate in [comparison, NSCompoundPredicate(notPredicateWithSubpredicate: comparison)] {
                let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
                try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected, "seed \(seed)")
            }
        }
    }
}
