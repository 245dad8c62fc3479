import CoreDataPredicates

/// A thread with the stack that a thread has which nobody gave another size.
enum SmallThread {
    private final class Result<Value>: @unchecked Sendable {
        // Written by the thread before it signals, read after that.
        var value: Value?
    }

    private struct Body<Value>: @unchecked Sendable {
        // Run by one thread while the other one waits.
        let run: () -> Value
    }

    /// Runs on such a thread, and waits for the end.
    static func run<Value>(stackSize: Int = 512 << 10, _ body: @escaping () -> Value) -> Value? {
        let result = Result<Value>()
        let body = Body(run: body)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            result.value = body.run()
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        return result.value
    }
}
