import CoreData
import Testing

/// All sequences of three events of two contexts over four chapters and two books, against a table of owners.
@Suite("Relationships of two contexts, enumerated")
struct EnumeratedRelationshipsTests {
    enum Event: CaseIterable {
        /// Changes of the chapter "a", on its own side or on the side of a book.
        case moveToPersuasion, clear, removeFromEmma, insertInPersuasion, delete
        /// Changes of other chapters.
        case addToEmma, removeFromPersuasion
        case save, refresh

        static let changes = allCases.filter { $0 != .save && $0 != .refresh }
    }

    @Test(
        "a save writes the changes of its context and keeps all others, or is a conflict",
        arguments: Event.changes.sampled(2))
    func threeEvents(_ first: Event) throws {
        let events = [0, 1].flatMap { which in Event.allCases.map { (which, $0) } }
        let model = LibraryModel.make()
        for second in events {
            for third in events {
                let sequence = [(0, first), second, third]
                do {
                    try Self.run(sequence, model)
                } catch {
                    Issue.record("\(error) after \(sequence)")
                    return
                }
            }
        }
    }

    private static func run(_ sequence: [(which: Int, event: Event)], _ model: NSManagedObjectModel) throws {
        let stack = try TestStack(.memory, model: model)
        try stack.context.performAndWait {
            let other = stack.newContext()
            try other.performAndWait {
                let run = try TwoLibraries(stack, other)
                for (which, event) in sequence { try run.perform(event, which) }
                for which in 0...1 { try run.perform(.save, which) }
                try run.checkViews()
            }
        }
    }
}
