import Foundation
import SwiftData

enum CardGrade: Int, Codable, CaseIterable {
    case again
    case hard
    case good
    case easy
}

/// When a card is due. The type writes and reads itself as one text.
struct ReviewInterval: Codable, Hashable {
    var days: Int

    init(days: Int) { self.days = days }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        days = Int(text.dropLast()) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(days)d")
    }
}

@Model
final class Deck {
    @Attribute(.unique) var name: String
    var language: String?
    var createdAt: Date
    @Relationship(deleteRule: .cascade, inverse: \Flashcard.deck) var cards: [Flashcard] = []

    init(name: String, language: String? = nil, createdAt: Date = .now, cards: [Flashcard] = []) {
        self.name = name
        self.language = language
        self.createdAt = createdAt
        self.cards = cards
    }

    convenience init(name: String, pairs: KeyValuePairs<String, String>) {
        self.init(name: name, cards: pairs.map { Flashcard(front: $0.key, back: $0.value) })
    }

    func due(on date: Date) -> [Flashcard] {
        cards.filter { $0.dueOn <= date }.sorted { $0.dueOn < $1.dueOn }
    }
}

@Model
final class Flashcard {
    var front: String
    var back: String
    var hints: [String] = []
    private(set) var ease: Double = 2.5
    private(set) var interval: ReviewInterval = ReviewInterval(days: 0)
    private(set) var dueOn: Date = Date.distantPast
    var deck: Deck?
    @Relationship(deleteRule: .cascade, inverse: \CardReview.card) private(set) var reviews: [CardReview] = []

    init(front: String, back: String) {
        self.front = front
        self.back = back
    }

    func review(_ grade: CardGrade, on date: Date) {
        reviews.append(CardReview(date: date, grade: grade))
        switch grade {
        case .again:
            interval = ReviewInterval(days: 0)
            ease = Swift.max(1.3, ease - 0.2)
        case .hard: interval.days += 1
        case .good: interval.days = interval.days * 2 + 1
        case .easy:
            interval.days = interval.days * 3 + 1
            ease += 0.15
        }
        dueOn = date.addingTimeInterval(TimeInterval(interval.days) * 86_400)
    }
}

@Model
final class CardReview {
    var date: Date
    var grade: CardGrade
    var card: Flashcard?

    init(date: Date, grade: CardGrade) {
        self.date = date
        self.grade = grade
    }
}
