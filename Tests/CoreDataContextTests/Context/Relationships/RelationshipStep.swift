import CoreData

/// One step of two contexts that change books with ordered chapters, tags and shelves, as a value. A sequence that
/// fails can be repeated without some of its steps, since each number counts modulo the number of choices.
struct RelationshipStep: CustomStringConvertible {
    /// How a program finds an object.
    struct Search {
        enum Way: Int, CaseIterable {
            case objectWithID, existingObject, fetchByID, fetchOfAll
        }

        let number: Int
        let way: Way
        /// Whether the members of a book are read before its row, or after it.
        let readsMembersFirst: Bool
        /// Whether the program keeps the object.
        let isKept: Bool
    }

    /// How a book's chapter is changed.
    enum ChapterChange {
        case insert(at: Int?)
        case move(Int, to: Int)
        case remove(Int)
        case delete(Int)
        case setBook(Int, Search)
        case addToBook(Int, Search)
        /// The chapter may be none of the book.
        case removeFromBook(Int, Search)
        case setPages
    }

    enum Action {
        case changeBook(Search, ChapterChange)
        case tag(book: Search, tag: Search, isChangeOfBook: Bool, adds: Bool)
        case shelf(shelf: Search, book: Search, position: Int)
        case save
        case refreshAll
        case refresh(Int)
        case discard
    }

    /// The number of the context.
    let context: Int
    /// A bit for each kept object that the program lets go of.
    let released: UInt64
    let action: Action

    var description: String {
        let text = "\(context): \(action)" + (released == 0 ? "" : " after letting go of \(released)")
        return text.replacing(#/[A-Za-z]+\.RelationshipStep\.([A-Za-z]+\.)?/#, with: "")
    }
}

extension RelationshipStep {
    private static let choices = 0..<1_000

    init(using generator: inout SeededGenerator) {
        context = Int.random(in: 0...1, using: &generator)
        released = generator.chance(1, of: 10) ? generator.next() : 0
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8: action = .changeBook(Search(using: &generator), ChapterChange(using: &generator))
        case 8..<10:
            action = .tag(
                book: Search(using: &generator), tag: Search(using: &generator),
                isChangeOfBook: generator.chance(1, of: 2), adds: generator.chance(1, of: 2))
        case 10..<12:
            action = .shelf(
                shelf: Search(using: &generator), book: Search(using: &generator),
                position: Int.random(in: Self.choices, using: &generator))
        case 12..<17: action = .save
        case 17: action = .refreshAll
        case 18: action = .refresh(Int.random(in: Self.choices, using: &generator))
        default: action = .discard
        }
    }
}

extension RelationshipStep.Search {
    init(using generator: inout SeededGenerator) {
        number = Int.random(in: 0..<1_000, using: &generator)
        way = Way.allCases.randomElement(using: &generator)!
        readsMembersFirst = generator.chance(1, of: 2)
        isKept = generator.chance(1, of: 3)
    }
}

extension RelationshipStep.ChapterChange {
    init(using generator: inout SeededGenerator) {
        let index = Int.random(in: 0..<1_000, using: &generator)
        let target = Int.random(in: 0..<1_000, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3: self = .insert(at: generator.chance(1, of: 2) ? target : nil)
        case 3: self = .move(index, to: target)
        case 4: self = .remove(index)
        case 5: self = .delete(index)
        case 6: self = .setBook(index, RelationshipStep.Search(using: &generator))
        case 7: self = .addToBook(index, RelationshipStep.Search(using: &generator))
        case 8: self = .removeFromBook(index, RelationshipStep.Search(using: &generator))
        default: self = .setPages
        }
    }
}
