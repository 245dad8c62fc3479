import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Predicates as SQL")
struct AgreementTests {
    @Test("find what the same predicates find in memory, at random", arguments: 0..<4)
    func random(round: Int) throws {
        let seed = ProcessInfo.processInfo.environment["COREDATA_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...(.max))
        var random = SeededRandom(seed: seed)
        let library = try Library()
        try library.fill(&random)
        var source = PredicateSource(library: library, random: random)
        for _ in 0..<250 {
            let text = source.predicate()
            let predicate = try NSPredicate.parse(text.format, arguments: text.arguments)
            let expected = library.artists.filter { predicate.evaluate(with: $0) }.map(\.key)
            let plan = try translate(predicate, library, seed)
            let found = try library.rows(plan.text, plan.bindings).map { $0[0] }
            guard found.sorted() != expected else { continue }
            Issue.record("seed \(seed): \(predicate) \(text) finds \(found.sorted()) by \(plan), but \(expected) in memory")
            return
        }
    }

    private func translate(_ predicate: NSPredicate, _ library: Library, _ seed: UInt64) throws -> SQLQueryPlan {
        do {
            return try library.translator.statement(library.query("Artist", predicate))
        } catch {
            Issue.record("seed \(seed): \(predicate) is refused: \(error)")
            throw error
        }
    }
}
