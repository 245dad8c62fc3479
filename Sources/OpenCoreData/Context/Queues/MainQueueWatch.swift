import Synchronization

/// Tells when a block waits long for the main queue: in a server or a command-line program perhaps nobody runs what is
/// submitted there.
///
/// Blocks that wait are noted under one lock. While there are any, one timer at a time looks whether one has waited too
/// long; each context is told of once.
package final class MainQueueWatch: Sendable {
    package static let shared = MainQueueWatch()

    /// A block that waits: since it keeps its context, or its caller does, the context is alive.
    private struct Block {
        unowned(unsafe) let context: NSManagedObjectContext
        let method: StaticString
        /// Who waits; nil if nobody does.
        let caller: Caller?
        let start: UInt64
    }

    /// A thread that waits, and the label of the queue that it works for.
    private struct Caller: @unchecked Sendable {
        let thread = CurrentThread.number
        let label = CurrentThread.queueLabel
    }

    private struct State {
        var blocks: [Int: Block] = [:]
        var nextNumber = 0
        var hasTimer = false
        var nanoseconds: UInt64 = 10_000_000_000
    }

    private let state = Mutex(State())

    /// How long a block may wait, in seconds: 10 unless a test sets something else.
    package var patience: TimeInterval {
        get { state.withLock { Double($0.nanoseconds) / 1_000_000_000 } }
        set { state.withLock { $0.nanoseconds = UInt64(newValue * 1_000_000_000) } }
    }

    /// Notes a block that was submitted to the main queue.
    ///
    /// - Returns: its number, for ``begin(_:)``.
    func submit(_ context: NSManagedObjectContext, _ method: StaticString, isCallerWaiting: Bool) -> Int {
        let block = Block(
            context: context, method: method, caller: isCallerWaiting ? Caller() : nil,
            start: DispatchTime.now().uptimeNanoseconds)
        let (number, delay) = state.withLock { state -> (Int, UInt64?) in
            let number = state.nextNumber
            state.nextNumber += 1
            state.blocks[number] = block
            let delay = state.hasTimer ? nil : state.nanoseconds
            state.hasTimer = true
            return (number, delay)
        }
        if let delay { look(after: delay) }
        return number
    }

    /// The block runs.
    func begin(_ number: Int) {
        state.withLock { state in _ = state.blocks.removeValue(forKey: number) }
    }

    private func look(after nanoseconds: UInt64) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
            self.look()
        }
    }

    private func look() {
        let now = DispatchTime.now().uptimeNanoseconds
        let (messages, delay) = state.withLock { state -> ([String], UInt64?) in
            var messages: [String] = []
            var next: UInt64?
            for (_, block) in state.blocks.sorted(by: { $0.key < $1.key }) where !block.context.isKnownToWait {
                let waited = now - min(block.start, now)
                if waited >= state.nanoseconds {
                    block.context.isKnownToWait = true
                    messages.append(Self.message(block, nanoseconds: waited))
                } else {
                    next = min(next ?? .max, state.nanoseconds - waited)
                }
            }
            state.hasTimer = next != nil
            return (messages, next)
        }
        for message in messages { CoreDataLog.error(message) }
        if let delay { look(after: max(delay, 1_000_000)) }
    }

    private static func message(_ block: Block, nanoseconds: UInt64) -> String {
        let seconds = String(format: "%.3g", Double(nanoseconds) / 1_000_000_000)
        var text =
            """
            A block of \(block.method) of \(block.context.nameInMessages) has waited for the main queue for \
            \(seconds) seconds
            """
        if let caller = block.caller {
            text += ", and so has its caller, thread \(caller.thread)"
            // The thread waits, so the queue that it works for is there.
            if let label = caller.label { text += " on the queue '\(String(cString: label))'" }
        }
        return text
            + """
            . The main queue is busy, or nobody runs it: a server or a command-line program has to, by \
            dispatchMain(), by RunLoop.main.run() or by an async main, and must not block its main thread. Where \
            there is no main queue to run, use contexts with private queues: newBackgroundContext(), \
            performBackgroundTask(_:), NSManagedObjectContext(.privateQueue). This is told once for each context.
            """
    }
}
