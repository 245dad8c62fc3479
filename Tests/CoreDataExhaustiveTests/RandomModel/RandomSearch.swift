import CoreData

/// Runs with random operations, one seed after the other, and what they have found.
final class RandomSearch {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isTracing = environment["COREDATA_RANDOM_TRACE"] != nil

    private let kind: StoreKind
    private let model = RandomModel.make()
    private(set) var runs = 0
    private(set) var operations = 0

    init(_ kind: StoreKind) { self.kind = kind }

    /// Runs until the time is over, or some runs have failed, and returns the failures.
    func failures() -> [String] {
        let seconds =
            Self.environment["COREDATA_RANDOM_SECONDS"].flatMap(Double.init) ?? TestRun.quick(2, long: 120)
        let first = TestRun.seed(for: "Random edits (\(kind))")
        let end = Date(timeIntervalSinceNow: seconds)
        var failures: [String] = []
        repeat {
            if let failure = failure(seed: first &+ UInt64(runs)) { failures.append(failure) }
            runs += 1
        } while Date() < end && failures.count < 3
        print("Random edits (\(kind)): \(runs) runs, \(operations) operations")
        return failures
    }

    /// One run; the failure with its seed and the fewest operations that lead to it, if there is one.
    private func failure(seed: UInt64) -> String? {
        var source = RandomOperations(seed: seed)
        var done: [RandomOperation] = []
        let features = RandomRun.Features(kind, using: &source.generator)
        let length = [60, 200, 600].randomElement(using: &source.generator)!
        defer { operations += done.count }
        do {
            if Self.isTracing { print("COREDATA_SEED=\(seed) (\(features))") }
            let run = try RandomRun(features, model: model)
            try run.perform {
                guard done.count < length else { return nil }
                done.append(source.next(run))
                trace(done[done.count - 1])
                return done[done.count - 1]
            }
            return nil
        } catch {
            let (least, failure) = Shrinking(deadline: Date(timeIntervalSinceNow: 30)) { self.replay($0, features) }
                .shrink(done)
            let last = done.suffix(8).map(\.description).joined(separator: "\n    ")
            let report =
                failure.map {
                    """
                    fewest operations that fail:\n    \(least.map(\.description).joined(separator: "\n    "))\n  \
                    which gives: \($0)
                    """
                }
                ?? "the same operations pass when they are repeated; the last were:\n    \(last)"
            return "COREDATA_SEED=\(seed) (\(features)), after \(done.count) operations: \(error)\n  \(report)"
        }
    }

    private func replay(_ operations: [RandomOperation], _ features: RandomRun.Features) -> String? {
        do {
            var rest = operations[...]
            if Self.isTracing { print("again, \(operations.count) operations") }
            try RandomRun(features, model: model).perform {
                let next = rest.popFirst()
                if let next { trace(next) }
                return next
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func trace(_ operation: RandomOperation) {
        guard Self.isTracing else { return }
        print(operation)
        fflush(nil)
    }
}
