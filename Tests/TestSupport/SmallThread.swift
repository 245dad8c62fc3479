import Foundation

/// A thread with the stack that systems give to their own threads.
public enum SmallThread {
    private final class Result<Value>: @unchecked Sendable {
        // Safe: the thread writes it before the signal, and the caller reads it after the signal.
        var value: Value?
    }

    private struct Body<Value>: @unchecked Sendable {
        // Safe: one thread runs the body while the other one waits.
        let run: () -> Value
    }

    /// Runs the body on a new thread, and waits for its end.
    @discardableResult public static func run<Value>(stackSize: Int = 512 << 10, _ body: @escaping () -> Value)
        -> Value?
    {
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
