import Foundation
import SwiftData
import TestSupport
import Testing

/// Each predicate finds the same models in SQL as in memory, or the fetch throws.
@Suite struct RandomPredicateTests {
    @Test func storeFindsWhatMemoryFinds() throws {
        let seeds = TestRun.isLong ? 12 : 1
        for seed in TestRun.seeds(for: "RandomPredicateTests", count: seeds) {
            try compare(predicates: 500, seed: seed)
        }
    }

    @Test func formsAreMany() {
        #expect(PredicateForm.all.count >= 100)
        expectEqual(Set(PredicateForm.all.map(\.name)).count, PredicateForm.all.count)
    }

    @Test func identifiersAreAsked() throws {
        var random = SeededGenerator(seed: 1)
        let store = try Self.store()
        let context = try store.relaunched { $0.insertGoods(20, using: &random) }
        let all = try context.fetch(FetchDescriptor<Goods>())
        let keeper = try requireValue(all.lazy.compactMap(\.keeper).first)
        let (some, one) = (all.prefix(4).map(\.persistentModelID), keeper.persistentModelID)
        let listed = #Predicate<Goods> { some.contains($0.persistentModelID) }
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: listed)), 4)
        let kept = #Predicate<Goods> { $0.keeper?.persistentModelID == one }
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: kept)), keeper.goods.count)
    }

    private static func store() throws -> AppStore {
        try AppStore(
            Goods.self, SpecialGoods.self, GoodsKeeper.self, GoodsPart.self, GoodsScrew.self, GoodsTag.self)
    }

    private func compare(predicates: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try Self.store()
        let context = try store.relaunched { $0.insertGoods(40, using: &random) }
        let all = try context.fetch(FetchDescriptor<Goods>())
        try #require(all.count == 40)
        var refused: Set<String> = []
        var selective = 0
        for index in 0..<predicates {
            // The first predicates take each form once.
            let form =
                index < PredicateForm.all.count
                ? PredicateForm.all[index] : PredicateForm.all.randomElement(using: &random)!
            let predicate = form.make(&random)
            let inMemory = Set(try all.filter { try predicate.evaluate($0) }.map(\.persistentModelID))
            if !inMemory.isEmpty && inMemory.count < all.count { selective += 1 }
            do {
                let inSQL = try context.fetch(FetchDescriptor(predicate: predicate))
                let message: Comment = "\(form.name) with seed \(seed) at \(index)"
                #expect(Set(inSQL.map(\.persistentModelID)) == inMemory, message)
                #expect(try context.fetchCount(FetchDescriptor(predicate: predicate)) == inMemory.count, message)
            } catch SwiftDataError.unsupportedPredicate {
                refused.insert(form.name)
            }
        }
        #expect(selective > predicates / 2)
        if !refused.isEmpty { print("Refused: \(refused.sorted().joined(separator: "; "))") }
    }
}
