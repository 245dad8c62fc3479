import CoreData
import Testing

@Suite("Two contexts at random")
struct TwoContextsRandomTests {
    /// Each context changes rows that it has read some steps ago. A change is refused only with an error, and a refresh
    /// lets the next save succeed.
    @Test(
        "every save that succeeds is there, every save that would overwrite another is refused",
        arguments: StoreKind.allCases.without(.fileReadOnce), 0..<4)
    func random(_ kind: StoreKind, _ round: Int) throws {
        let seed = TestRun.seed(for: "two contexts")
        var generator = SeededGenerator(seed: seed)
        do {
            try withStack(kind) { stack in
                for index in 0..<8 { stack.context.make("Book", "\(index)", ["pages": 0]) }
                try stack.context.save()
                let other = round % 2 == 0 ? stack.newContext() : try stack.afresh()
                try on(other) {
                    let contexts = [stack.context, other]
                    // The contents of the store, and the values that each context has read, by name.
                    var stored = Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0)", Int64(0)) })
                    var kept: [[String: NSManagedObject]] = try contexts.map { context in
                        Dictionary(uniqueKeysWithValues: try context.all("Book").map { ($0.text("name")!, $0) })
                    }
                    for step in 0..<150 {
                        let which = Int.random(in: 0...1, using: &generator)
                        let context = contexts[which]
                        let name = "\(Int.random(in: 0..<8, using: &generator))"
                        let book = kept[which][name]!
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0:
                            context.refresh(book, mergeChanges: false)
                            guard book.number("pages") == stored[name] else {
                                throw TestFailure(
                                    """
                                    step \(step): a refreshed book has \(book.number("pages") ?? -1), not \
                                    \(stored[name]!)
                                    """
                                )
                            }
                        case 1:
                            // Let it go and fetch it anew.
                            kept[which][name] = nil
                            kept[which][name] = try context.one("Book", name)
                        default:
                            let seen = book.number("pages")!
                            book.setValue(Int64(step + 1), forKey: "pages")
                            let error = thrownError { try context.save() }
                            if seen == stored[name] {
                                if let error { throw TestFailure("step \(step): \(error)") }
                                stored[name] = Int64(step + 1)
                            } else {
                                guard error?.code == 133020 else {
                                    throw TestFailure("step \(step): no conflict but \(String(describing: error))")
                                }
                                context.refresh(book, mergeChanges: true)
                                try context.save()
                                stored[name] = Int64(step + 1)
                            }
                        }
                        try checkInvariants(of: stack.context, other)
                    }
                    try inFreshContext(stack) { fresh in
                        let found = Dictionary(
                            uniqueKeysWithValues: try fresh.all("Book").map { ($0.text("name")!, $0.number("pages")!) })
                        guard found == stored else { throw TestFailure("the store has \(found), not \(stored)") }
                    }
                }
            }
        } catch {
            Issue.record("COREDATA_SEED=\(seed): \(error)")
        }
    }
}
