import CoreData
import Testing

/// Two contexts change the same books at random. The saved values are compared with the rules of the policy.
@Suite("Merge policies at random")
struct RandomMergeTests {
    private struct State: Equatable, CustomStringConvertible {
        var pages: Int64?
        var price: Double?
        var author: String?
        var tags: Set<String> = []

        init(_ book: NSManagedObject) {
            pages = book.number("pages")
            price = book.value(forKey: "price") as? Double
            author = book.object("author")?.text("name")
            tags = Set(book.names("tags"))
        }

        /// The saved state when both have changed an object.
        static func merged(_ old: State, mine: State, theirs: State, objectTrumps: Bool) -> State {
            func pick<Value: Equatable>(_ path: KeyPath<State, Value>) -> Value {
                if mine[keyPath: path] == old[keyPath: path] { return theirs[keyPath: path] }
                if theirs[keyPath: path] == old[keyPath: path] { return mine[keyPath: path] }
                return objectTrumps ? mine[keyPath: path] : theirs[keyPath: path]
            }
            var result = mine
            (result.pages, result.price, result.author) = (pick(\.pages), pick(\.price), pick(\.author))
            let added = mine.tags.subtracting(old.tags).union(theirs.tags.subtracting(old.tags))
            let removed = old.tags.subtracting(mine.tags).union(old.tags.subtracting(theirs.tags))
            result.tags = old.tags.subtracting(removed).union(added)
            return result
        }

        var description: String { "\(pages ?? -1) \(price ?? -1) \(author ?? "-") \(tags.sorted())" }
    }

    @Test(
        "values that both have changed follow the policy", arguments: OtherSaver.allCases,
        PropertyMergeTests.Trump.allCases
    )
    func random(_ saver: OtherSaver, _ trump: PropertyMergeTests.Trump) throws {
        let seed = TestRun.seed(for: "random merges")
        var generator = SeededGenerator(seed: seed)
        // COREDATA_SEED=16692396812032195292 shows the issue.
        withKnownIssue("members of an owner may contain a deleted object", isIntermittent: true) {
            do {
                for _ in 0..<TestRun.quick(2, long: 5) { try round(saver, trump, &generator) }
            } catch {
                Issue.record("COREDATA_SEED=\(seed): \(error)")
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("has the deleted object") }
        }
    }

    private func round(_ saver: OtherSaver, _ trump: PropertyMergeTests.Trump, _ generator: inout SeededGenerator)
        throws
    {
        var random = generator
        defer { generator = random }
        try withTwoContexts(saver, policy: trump.policy) { context in
            for name in ["x", "y", "z"] {
                context.make("Author", name)
                context.make("Tag", name)
            }
            for index in 0..<6 { context.make("Book", "\(index)", ["pages": 0]) }
        } _: { contexts in
            var expected: [String: State] = [:]
            for step in 0..<4 {
                // At the beginning of a step both sides have read the state of the store.
                for context in [contexts.mine, contexts.theirs] {
                    guard !context.hasChanges else { throw TestFailure("step \(step): changes are left after a save") }
                    context.reset()
                }
                var old: [String: State] = [:]
                var mine: [String: State] = [:]
                var theirs: [String: State] = [:]
                let own = try Self.books(contexts.mine)
                let other = try Self.books(contexts.theirs)
                for (name, book) in own { old[name] = State(book) }
                guard step == 0 || old == expected else {
                    throw TestFailure("step \(step): read \(old), not \(expected)")
                }
                for (name, book) in other { _ = (name, State(book)) }
                try Self.change(contexts.theirs, other, &random)
                try Self.change(contexts.mine, own, &random)
                try checkInvariants(of: contexts.theirs, contexts.mine)
                for (name, book) in other where !book.isDeleted { theirs[name] = State(book) }
                for (name, book) in own where !book.isDeleted { mine[name] = State(book) }
                try contexts.theirs.save()
                try contexts.mine.save()
                try checkInvariants(of: contexts.theirs, contexts.mine)
                expected = [:]
                for (name, before) in old {
                    expected[name] = Self.outcome(before, mine[name], theirs[name], objectTrumps: trump == .object)
                }
                try contexts.stored { fresh in
                    let stored = try Self.books(fresh).mapValues(State.init)
                    guard stored == expected else {
                        throw TestFailure(
                            """
                            step \(step): stored \(stored), expected \(expected), of \(old), mine \(mine), theirs \
                            \(theirs)
                            """
                        )
                    }
                    for author in try fresh.all("Author") {
                        let names = expected.filter { $0.value.author == author.text("name") }.keys.sorted()
                        guard author.names("books") == names else {
                            throw TestFailure(
                                """
                                step \(step): author \(author.text("name")!) has \(author.names("books")), not \
                                \(names)
                                """
                            )
                        }
                    }
                    for tag in try fresh.all("Tag") {
                        let names = expected.filter { $0.value.tags.contains(tag.text("name")!) }.keys.sorted()
                        guard tag.names("books") == names else {
                            throw TestFailure(
                                "step \(step): tag \(tag.text("name")!) has \(tag.names("books")), not \(names)")
                        }
                    }
                }
            }
        }
    }

    private static func outcome(_ old: State, _ mine: State?, _ theirs: State?, objectTrumps: Bool) -> State? {
        switch (mine, theirs) {
        case (nil, nil): return nil
        case (nil, let theirs?): return theirs == old || objectTrumps ? nil : theirs
        case (var mine?, nil):
            guard objectTrumps && mine != old else { return nil }
            // The row was deleted with its links.
            mine.tags.subtract(old.tags)
            return mine
        case (let mine?, let theirs?): return .merged(old, mine: mine, theirs: theirs, objectTrumps: objectTrumps)
        }
    }

    private static func books(_ context: NSManagedObjectContext) throws -> [String: NSManagedObject] {
        Dictionary(uniqueKeysWithValues: try context.all("Book").map { ($0.text("name")!, $0) })
    }

    private static func change(
        _ context: NSManagedObjectContext, _ books: [String: NSManagedObject], _ random: inout SeededGenerator
    ) throws {
        for (_, book) in books.sorted(by: { $0.key < $1.key }) {
            // A tag that is added and removed again is recorded as a change of contents that aren't loaded.
            var touched: Set<String> = []
            for _ in 0..<Int.random(in: 0...3, using: &random) where !book.isDeleted {
                let name = ["x", "y", "z"].randomElement(using: &random)!
                switch Int.random(in: 0..<12, using: &random) {
                case 0...2: book.setValue(Int64.random(in: 1...3, using: &random), forKey: "pages")
                case 3...4: book.setValue(Double.random(in: 1...3, using: &random), forKey: "price")
                case 5...7:
                    book.setValue(Bool.random(using: &random) ? try context.one("Author", name) : nil, forKey: "author")
                case 8...10:
                    guard touched.insert(name).inserted else { continue }
                    let tag = try context.one("Tag", name)
                    let tags = book.mutableSetValue(forKey: "tags")
                    if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
                default: context.delete(book)
                }
            }
        }
        context.processPendingChanges()
    }
}
