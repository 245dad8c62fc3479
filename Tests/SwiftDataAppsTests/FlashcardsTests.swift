import Foundation
import SwiftData
import Testing

@Suite struct FlashcardsTests {
    let context: ModelContext

    init() throws {
        context = try memoryContext(for: Deck.self, Flashcard.self, CardReview.self)
    }

    /// A second context of the same store in memory.
    private func other() -> ModelContext { ModelContext(context.container) }

    private func fill() throws {
        context.insert(Deck(name: "French", pairs: ["chat": "cat", "chien": "dog", "lait": "milk"]))
        try context.save()
    }

    @Test func convenienceInitializerMakesTheGraph() throws {
        try fill()
        let after = other()
        try expectEqual(after.one(Deck.self).cards.map(\.front).sorted(), ["chat", "chien", "lait"])
    }

    @Test func reviewsChangePrivateProperties() throws {
        try fill()
        let card = try context.one(Flashcard.self, where: #Predicate { $0.front == "chat" })
        card.review(.good, on: day(0))
        card.review(.easy, on: day(1))
        try context.save()
        let after = other()
        let saved = try after.one(Flashcard.self, where: #Predicate { $0.front == "chat" })
        expectEqual(saved.interval, ReviewInterval(days: 4))
        expectEqual(saved.dueOn, day(5))
        expectEqual(saved.ease, 2.65)
        expectEqual(saved.reviews.sorted { $0.date < $1.date }.map(\.grade), [.good, .easy])
    }

    @Test func distantPastIsSaved() throws {
        try fill()
        let after = other()
        try expectEqual(after.one(Deck.self).due(on: .distantPast).count, 3)
    }

    @Test func deckTakesItsCards() throws {
        try fill()
        context.delete(try context.one(Deck.self))
        try context.save()
        let after = other()
        try expectEqual(after.count(Flashcard.self), 0)
    }

    @Test func pendingDecksOfOneNameBecomeOne() throws {
        context.insert(Deck(name: "Italian", language: "it"))
        context.insert(Deck(name: "Italian", language: "it-IT"))
        try context.save()
        let after = other()
        try expectEqual(after.one(Deck.self).language, "it-IT")
    }

    @Test func pendingCardsAreFetched() throws {
        try fill()
        context.insert(Flashcard(front: "pain", back: "bread"))
        try expectEqual(context.count(Flashcard.self), 4)
        var descriptor = FetchDescriptor<Flashcard>()
        descriptor.includePendingChanges = false
        try expectEqual(context.fetchCount(descriptor), 3)
        let after = other()
        try expectEqual(after.count(Flashcard.self), 3)
    }

    @Test func hintsOfACardGrow() throws {
        try fill()
        let card = try context.one(Flashcard.self, where: #Predicate { $0.back == "milk" })
        card.hints += ["white", "drink"]
        try context.save()
        let after = other()
        try expectEqual(after.one(Flashcard.self, where: #Predicate { $0.back == "milk" }).hints, ["white", "drink"])
    }
}
