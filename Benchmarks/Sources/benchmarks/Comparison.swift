import CoreData

/// One task done by every arm in turn, round by round, so that what disturbs the machine disturbs all alike.
struct Comparison {
    let title: String
    let arms: [any Arm]
    let rounds: Int
    let expected: Int64
    let prepare: (any Arm) throws -> Measured

    /// The best round of each arm in seconds, as a table with ratios to the first arm.
    func lines() throws -> [String] {
        let best = try bestTimes()
        let widest = arms.map(\.name.count).max() ?? 0
        return [title]
            + zip(arms, best).map { arm, seconds in
                let name = arm.name.padding(toLength: widest, withPad: " ", startingAt: 0)
                return
                    """
                      \(name)  \(Self.fixed(seconds, digits: 3)) s  \(Self.fixed(seconds / best[0], digits: 2)) × \
                    \(arms[0].name)
                    """
            }
    }

    private func bestTimes() throws -> [Double] {
        var best = [Double](repeating: .infinity, count: arms.count)
        for _ in 0..<rounds {
            for (index, arm) in arms.enumerated() {
                let measured = try prepare(arm)
                let clock = ContinuousClock()
                let start = clock.now
                let sum = try measured.run()
                let time = clock.now - start
                guard sum == expected else { throw BenchmarkError("\(arm.name) answers \(sum) instead of \(expected)") }
                best[index] = min(best[index], time / .seconds(1))
            }
        }
        return best
    }

    private static func fixed(_ number: Double, digits: Int) -> String {
        String(format: "%7.\(digits)f", number)
    }
}
