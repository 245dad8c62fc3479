import Foundation
import SwiftData
import TestSupport
import Testing

/// Which transactions a descriptor selects.
@Suite struct HistoryDescriptorTests {
    private typealias Descriptor = HistoryDescriptor<DefaultHistoryTransaction>

    private func names(_ transactions: [DefaultHistoryTransaction]) -> [Int64] {
        transactions.map(\.transactionIdentifier)
    }

    @Test func tokenSelectsWhatFollows() throws {
        let store = try VoyageStore()
        for name in ["A", "B", "C"] { try store.add(name) }
        let all = try store.history()
        expectEqual(names(try store.history(after: all[0].token)), [2, 3])
        expectEmpty(try store.history(after: all[2].token))
    }

    @Test func tokenInAConjunctionSelectsWhatFollows() throws {
        let store = try VoyageStore()
        for (name, author) in [("A", "x"), ("B", "x"), ("C", "y")] { try store.add(name, author: author) }
        let token = try store.history()[0].token
        let descriptor = Descriptor(predicate: #Predicate { $0.author == "x" && $0.token > token })
        expectEqual(names(try store.context.fetchHistory(descriptor)), [2])
    }

    @Test func authorSelects() throws {
        let store = try VoyageStore()
        for (name, author) in [("A", "x"), ("B", "y"), ("C", "x")] { try store.add(name, author: author) }
        expectEqual(
            names(try store.context.fetchHistory(Descriptor(predicate: #Predicate { $0.author == "x" }))), [1, 3])
    }

    @Test func limitAndOrderApply() throws {
        let store = try VoyageStore()
        for name in ["A", "B", "C"] { try store.add(name) }
        var descriptor = Descriptor(sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
        descriptor.fetchLimit = 2
        expectEqual(names(try store.context.fetchHistory(descriptor)), [3, 2])
    }

    @Test func descriptorOfNothingSelectsNothing() throws {
        let store = try VoyageStore()
        try store.add("A")
        let distant = Date.distantFuture
        expectEmpty(try store.context.fetchHistory(Descriptor(predicate: #Predicate { $0.timestamp > distant })))
    }

    @Test func deletionDeletesTheSelectedTransactions() throws {
        let store = try VoyageStore()
        for (name, author) in [("A", "x"), ("B", "y"), ("C", "x")] { try store.add(name, author: author) }
        try store.context.deleteHistory(Descriptor(predicate: #Predicate { $0.author == "x" }))
        expectEqual(names(try store.history()), [2])
        try expectEqual(store.context.fetchCount(FetchDescriptor<Voyage>()), 3)
    }

    @Test func deletionWithoutPredicateDeletesAll() throws {
        let store = try VoyageStore()
        for name in ["A", "B"] { try store.add(name) }
        try store.context.deleteHistory(Descriptor())
        expectEmpty(try store.history())
        try store.add("C")
        expectEqual(names(try store.history()), [3])
    }

    @Test func expiredTokenIsThrown() throws {
        let store = try VoyageStore()
        for name in ["A", "B", "C"] { try store.add(name) }
        let all = try store.history()
        let token = all[2].token
        try store.context.deleteHistory(Descriptor(predicate: #Predicate { $0.token < token }))
        let first = all[0].token
        #expect(throws: SwiftDataError.historyTokenExpired) { try store.history(after: first) }
        expectEmpty(try store.history(after: token))
    }

    @Test func tokenOfAnotherStoreIsThrown() throws {
        let one = try VoyageStore()
        let other = try VoyageStore()
        try one.add("A")
        try other.add("B")
        let token = try requireValue(try other.history().last).token
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try one.history(after: token) }
        let descriptor = Descriptor(predicate: #Predicate { $0.token <= token || $0.author == nil })
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try one.context.fetchHistory(descriptor) }
    }

    @Test func transactionsOfAnotherTypeAreThrown() throws {
        let store = try VoyageStore()
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try store.context.fetchHistory(HistoryDescriptor<ForeignTransaction>())
        }
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try store.context.deleteHistory(HistoryDescriptor<ForeignTransaction>())
        }
    }

    @Test(.enabled(if: RecipeBox.hasDefaultStores)) func storeInMemoryHasAHistory() throws {
        let context = try RecipeBox.context()
        context.insert(Recipe(title: "Soup"))
        try context.save()
        try expectEqual(context.fetchHistory(Descriptor()).count, 1)
    }

    @Test func historyOfAStoreThatCannotBeWrittenIsReadable() throws {
        let store = try VoyageStore()
        try store.add("A")
        let configuration = ModelConfiguration(url: store.url, allowsSave: false)
        let context = ModelContext(try ModelContainer(for: Voyage.self, Stop.self, configurations: configuration))
        expectEqual(names(try context.fetchHistory(Descriptor())), [1])
    }

    private struct ForeignTransaction: HistoryTransaction {
        struct Token: Comparable, Hashable, Identifiable, Sendable {
            let id: Int
            static func < (lhs: Token, rhs: Token) -> Bool { lhs.id < rhs.id }
        }

        let id: Int
        var transactionIdentifier: Int { id }
        var timestamp: Date { .distantPast }
        var storeIdentifier: String { "" }
        var author: String? { nil }
        var token: Token { Token(id: id) }
        var changes: [HistoryChange] { [] }
    }
}

/// Positions in the history.
@Suite struct HistoryTokenTests {
    @Test func tokenSurvivesCoding() throws {
        let store = try VoyageStore()
        try store.add("A")
        let token = try requireValue(try store.history().last).token
        let data = try JSONEncoder().encode(token)
        try expectEqual(JSONDecoder().decode(DefaultHistoryToken.self, from: data), token)
    }

    @Test func decodedTokenSelects() throws {
        let store = try VoyageStore()
        for name in ["A", "B"] { try store.add(name) }
        let data = try JSONEncoder().encode(try store.history()[0].token)
        let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: data)
        try expectEqual(store.history(after: token).map(\.transactionIdentifier), [2])
    }

    @Test func damagedTokenIsRefused() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(#"{"tokenValue":{"A":"x"}}"#.utf8))
        }
    }

    @Test func tokensAreOrderedByTheirCommonStores() throws {
        func token(_ text: String) throws -> DefaultHistoryToken {
            try JSONDecoder().decode(DefaultHistoryToken.self, from: Data("{\"tokenValue\":\(text)}".utf8))
        }
        let (early, late) = (try token(#"{"A":1,"B":5}"#), try token(#"{"A":2}"#))
        #expect(early < late)
        #expect(!(late < early))
        #expect(early <= late)
        let other = try token(#"{"C":1}"#)
        #expect(!(early < other))
        #expect(!(early >= other))
        let mixed = try token(#"{"A":0,"B":6}"#)
        #expect(!(early < mixed))
        #expect(!(mixed < early))
        #expect(try token(#"{"A":2,"D":1}"#) >= late)
    }
}
