import Foundation

/// The size and the seeds of a test run.
public enum TestRun {
    /// True when the environment variable `COREDATA_LONG_TESTS` is set, as `make test-long` does. Random tests then run
    /// longer, and hostile inputs have their full size.
    public static let isLong = ProcessInfo.processInfo.environment["COREDATA_LONG_TESTS"] != nil

    /// The first value in the quick run, the second one in the long run.
    public static func quick<Value>(_ quick: Value, long: Value) -> Value { isLong ? long : quick }

    /// The minutes after which a test that waits for other threads counts as hung.
    ///
    /// All tests of a process begin at once. The time that a test waits for a thread is part of its time, so the limit
    /// is longer than a whole run.
    public static let hangMinutes = quick(45, long: 90)

    /// The seed of a random test. Set `COREDATA_SEED` to a printed seed to repeat a run.
    ///
    /// - Parameter test: the name of the test in the message.
    public static func seed(for test: String) -> UInt64 {
        let seed = givenSeed ?? UInt64.random(in: 0 ... .max)
        print("\(test): COREDATA_SEED=\(seed)")
        return seed
    }

    /// The seeds of a test that runs several random sequences: the one of `COREDATA_SEED`, or new ones that follow one
    /// another.
    ///
    /// - Parameters:
    ///   - test: the name of the test in the message.
    ///   - count: the number of sequences, which `COREDATA_SEQUENCES` replaces.
    public static func seeds(for test: String, count: Int) -> [UInt64] {
        let first = seed(for: test)
        let count = ProcessInfo.processInfo.environment["COREDATA_SEQUENCES"].flatMap { UInt64($0) } ?? UInt64(count)
        return givenSeed != nil ? [first] : (0..<count).map { first &+ $0 }
    }

    private static let givenSeed = ProcessInfo.processInfo.environment["COREDATA_SEED"].flatMap { UInt64($0) }

    /// The processor time of this thread for some work. Unlike a clock it doesn't depend on other processes.
    public static func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
        let start = now()
        try work()
        return now() - start
    }

    /// How much longer work takes, in time of the processor, if its size grows by a factor: by that factor if the work
    /// is linear, by its square if it is quadratic.
    ///
    /// The growth is the least of five tries, since the machine has other things to do: a burst of them lengthens one
    /// half of a try. The larger size comes first, so that the first use of anything doesn't count for the smaller one.
    ///
    /// - Parameters:
    ///   - size: the larger size.
    ///   - factor: how much larger it is than the smaller one.
    ///   - limit: the growth that the caller accepts; no further try follows one below.
    ///   - work: the work for a size.
    public static func growth(
        upTo size: Int, factor: Int = 4, below limit: Double, _ work: (Int) throws -> Void
    ) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<5 where least >= limit {
            let larger = try processorSeconds { try work(size) }
            let smaller = try processorSeconds { try work(size / factor) }
            least = min(least, larger / max(smaller, 1e-9))
        }
        return least
    }
}

extension Array {
    /// A few elements, evenly spaced, with the first and the last one, in the quick run; all elements in the long run.
    public func sampled(_ count: Int = 4) -> [Element] {
        guard !TestRun.isLong, self.count > count else { return self }
        return (0..<count).map { self[$0 * (self.count - 1) / (count - 1)] }
    }
}
