import CoreDataStores
import Synchronization
import Testing

/// A function that is kept behind a lock must not be wrapped once more by each use: its calls would take ever more
/// time, and at last more than the stack has.
@Suite("Functions that the parts of a store keep")
struct KeptFunctionTests {
    /// Runs a body on a thread with the smallest stack that systems give to threads of their own.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            isDone.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        isDone.wait()
    }

    @Test("The observer of waits for connections gets each of 100,000 waits")
    func waits() {
        let statistics = ConnectionStatistics()
        let count = Atomic(0)
        statistics.observeWaits { _ in count.add(1, ordering: .relaxed) }
        onSmallStack {
            for _ in 0..<100_000 { statistics.recordWait(since: .now) }
        }
        #expect(count.load(ordering: .relaxed) == 100_000)
    }

    @Test("A block that makes 100,000 requests inside of another one can be cancelled")
    func requestsOfOneBlock() {
        let count = Atomic(0)
        onSmallStack {
            let control = FetchControl.ofTask()
            try? control.interruptible(by: { count.add(1, ordering: .relaxed) }) {
                for _ in 0..<100_000 { try control.interruptible(by: {}) {} }
                control.cancel()
            }
        }
        #expect(count.load(ordering: .relaxed) == 1)
    }
}
