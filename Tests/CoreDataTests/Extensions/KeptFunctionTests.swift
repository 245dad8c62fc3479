import CoreDataStores
import Synchronization
import Testing

/// A function that is kept behind a lock must not be wrapped once more by each use: its calls would take ever more
/// time, and at last more than the stack has.
@Suite("Functions that the parts of a store keep")
struct KeptFunctionTests {
    @Test("The observer of waits for connections gets each of 100,000 waits")
    func waits() {
        let statistics = ConnectionStatistics()
        let count = Atomic(0)
        statistics.observeWaits { _ in count.add(1, ordering: .relaxed) }
        SmallThread.run {
            for _ in 0..<100_000 { statistics.recordWait(since: .now) }
        }
        expectEqual(count.load(ordering: .relaxed), 100_000)
    }

    @Test("A block that makes 100,000 requests inside of another one can be cancelled")
    func requestsOfOneBlock() {
        let count = Atomic(0)
        SmallThread.run {
            let control = FetchControl.ofTask()
            try? control.interruptible(by: { count.add(1, ordering: .relaxed) }) {
                for _ in 0..<100_000 { try control.interruptible(by: {}) {} }
                control.cancel()
            }
        }
        expectEqual(count.load(ordering: .relaxed), 1)
    }
}
