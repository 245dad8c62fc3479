import CoreData

/// Two ways to do the same, done in turn, so that what disturbs the machine disturbs both.
struct PairedTimes {
    /// The seconds of a run, by the clock and on processors in user mode.
    struct Time {
        let wall: Double
        let user: Double

        static func measure(_ body: () throws -> Void) throws -> Time {
            let clock = ContinuousClock()
            let (start, userStart) = (clock.now, try userSeconds())
            try body()
            return Time(wall: (clock.now - start) / .seconds(1), user: try userSeconds() - userStart)
        }

        private static func userSeconds() throws -> Double {
            var usage = rusage()
            guard getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 else { throw BenchmarkError("getrusage fails") }
            return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1_000_000
        }
    }

    let title: String
    private var times: [(reference: Time, measured: Time)] = []

    init(_ title: String) { self.title = title }

    mutating func add(_ reference: Time, _ measured: Time) { times.append((reference, measured)) }

    /// The medians of both, and the median of the ratios of the rounds.
    var line: String {
        func text(_ key: KeyPath<Time, Double>) -> String {
            let reference = Self.median(times.map { $0.reference[keyPath: key] })
            let measured = Self.median(times.map { $0.measured[keyPath: key] })
            let ratio = Self.median(times.map { $0.measured[keyPath: key] / $0.reference[keyPath: key] })
            return String(format: "%.3f s / %.3f s = %.2f", measured, reference, ratio)
        }
        return "  \(title): wall \(text(\.wall)), user \(text(\.user))"
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        if sorted.isEmpty { return .nan }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
