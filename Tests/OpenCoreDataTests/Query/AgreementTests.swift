import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Predicates as SQL")
struct AgreementTests {
    @Test("find the same objects as in memory, for random predicates", arguments: 0..<4)
    func random(round: Int) throws {
        let seed = TestRun.seed(for: "random predicates")
        var random = SeededGenerator(seed: seed)
        let library = try Library()
        try library.fill(&random)
        var source = PredicateSource(library: library, random: random)
        var failures = 0
        for _ in 0..<TestRun.quick(100, long: 250) where failures < 3 {
            let text = source.predicate()
            let predicate = try NSPredicate.parse(text.format, arguments: text.arguments)
            let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
            guard let plan = translate(predicate, library, seed), let found = rows(plan, library, predicate, seed)
            else {
                failures += 1
                continue
            }
            guard found.sorted() != expected else { continue }
            Issue.record(
                "seed \(seed): \(predicate) \(text) finds \(found.sorted()) by \(plan), but \(expected) in memory")
            failures += 1
        }
    }

    private func translate(_ predicate: NSPredicate, _ library: Library, _ seed: UInt64) -> SQLStatement? {
        do {
            return try library.translator.statement(library.query("Artist", predicate))
        } catch {
            Issue.record("seed \(seed): \(predicate) is refused: \((error as NSError).localizedDescription)")
            return nil
        }
    }

    private func rows(_ plan: SQLStatement, _ library: Library, _ predicate: NSPredicate, _ seed: UInt64) -> [Int64]? {
        do {
            return try library.rows(plan.text, plan.bindings).map { $0[0] }
        } catch {
            Issue.record("seed \(seed): \(predicate) fails as \(plan): \((error as NSError).localizedDescription)")
            return nil
        }
    }
}
