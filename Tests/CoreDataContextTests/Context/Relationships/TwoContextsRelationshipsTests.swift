import CoreData
import Testing

@Suite("Relationships of two contexts at random")
struct TwoContextsRelationshipsTests {
    private static let length = TestRun.quick(200, long: 1_000)

    @Test(
        "the objects that a context has saved show the members that the store has",
        arguments: StoreKind.allCases.without(.fileReadOnce))
    func random(_ kind: StoreKind) throws {
        var (saves, conflicts) = (0, 0)
        for seed in TestRun.seeds(for: "relationships of two contexts", count: TestRun.quick(4, long: 20)) {
            var generator = SeededGenerator(seed: seed)
            let steps = (0..<Self.length).map { _ in RelationshipStep(using: &generator) }
            // The other context has the same coordinator, or a separate one.
            let isForeign = seed % 2 == 1
            var done = 0
            do {
                let run = try Self.run(steps, kind, isForeign) { done += 1 }
                (saves, conflicts) = (saves + run.saves, conflicts + run.conflicts)
            } catch {
                let report = Self.report(error, steps.prefix(done), kind, isForeign)
                Issue.record("\(kind), COREDATA_SEED=\(seed): \(report)")
            }
        }
        #expect(saves > 0)
        #expect(conflicts > 0)
    }

    private static func run(
        _ steps: some Sequence<RelationshipStep>, _ kind: StoreKind, _ isForeign: Bool, willPerform: () -> Void = {}
    ) throws -> RelationshipRun {
        let stack = try TestStack(kind)
        return try stack.context.performAndWait {
            let other = isForeign ? try stack.afresh() : stack.newContext()
            return try other.performAndWait {
                let run = try RelationshipRun(stack, other)
                do {
                    for step in steps {
                        willPerform()
                        try run.perform(step)
                        try checkInvariants(of: stack.context, other)
                    }
                } catch {
                    throw TestFailure("\(error)\n\(run.log.suffix(60).joined(separator: "\n"))")
                }
                return run
            }
        }
    }

    /// The failure of a sequence, and the fewest of its steps that fail.
    private static func report(
        _ error: any Error, _ steps: ArraySlice<RelationshipStep>, _ kind: StoreKind, _ isForeign: Bool
    ) -> String {
        let (least, failure) = Shrinking(deadline: Date(timeIntervalSinceNow: TestRun.quick(30, long: 120))) { steps in
            do {
                _ = try run(steps, kind, isForeign)
                return nil
            } catch {
                return "\(error)"
            }
        }.shrink(Array(steps))
        guard let failure else { return "\(error)\nThe same steps pass when they are repeated." }
        let texts = least.map(\.description).joined(separator: "\n")
        return "\(failure)\nafter these steps, with \(isForeign ? "two coordinators" : "one coordinator"):\n\(texts)"
    }
}
