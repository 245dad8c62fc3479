/// A model that holds the next one.
@Model final class ChainLink {
    var number: Int
    @Relationship(inverse: \ChainLink.previous) var next: ChainLink?
    var previous: ChainLink?
    var other: ChainLink?

    init(number: Int) { self.number = number }
}

/// Models that hold one another in a long chain are inserted, saved and released without recursion.
@Suite("Long chains of models")
struct LongModelChainTests {
    private struct Failure: @unchecked Sendable { var error: (any Error)? }

    private static let count = 4_000

    /// Runs a body on a thread with a stack of the usual size for a second thread.
    private func onSmallStack(_ body: @escaping () throws -> Void) throws {
        let failure = SmallThread.run { () -> Failure in
            do {
                try body()
                return Failure()
            } catch {
                return Failure(error: error)
            }
        }
        if let error = failure?.error { throw error }
    }

    /// The first of models that lead to one another by a relationship without inverse.
    private func chain(_ count: Int) -> ChainLink {
        let head = ChainLink(number: 0)
        var last = head
        for number in 1..<count {
            let new = ChainLink(number: number)
            last.other = new
            last = new
        }
        return head
    }

    @Test("A chain that no context has is released")
    func withoutContext() throws {
        try onSmallStack { _ = chain(Self.count) }
    }

    @Test("A chain is inserted by its head, saved, walked and released")
    func inserted() throws {
        try onSmallStack {
            let container = try ModelContainer(
                for: ChainLink.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            do {
                let context = ModelContext(container)
                context.insert(chain(Self.count))
                try context.save()
            }
            let context = ModelContext(container)
            let all = try context.fetch(FetchDescriptor<ChainLink>())
            var link = all.first { $0.number == 0 }
            var count = 0
            while let known = link {
                count += 1
                link = known.other
            }
            #expect(count == Self.count && all.count == count)
        }
    }
}
