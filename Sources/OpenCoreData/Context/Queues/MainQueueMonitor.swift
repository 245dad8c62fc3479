// SPDX-License-Identifier: Apache-2.0

/// Logs an error when a block waits long for the main queue. In a server or a command-line program it may be that the
/// main queue never runs.
///
/// One lock guards the waiting blocks. While there are any, one timer checks whether a block has waited too long. Only
/// one error is logged for each context.
final class MainQueueMonitor: Sendable {
    static let shared = MainQueueMonitor()

    /// A waiting block. The block, or its waiting caller, keeps the context alive.
    private struct Block {
        unowned(unsafe) let context: NSManagedObjectContext
        let method: StaticString
        /// The thread that waits for the block; nil for an asynchronous block.
        let caller: Caller?
        let start: UInt64
    }

    /// A waiting thread, and the label of the queue whose block it runs.
    ///
    /// Sendable though the label is a pointer: it is valid while the thread waits.
    private struct Caller: @unchecked Sendable {
        let thread = OperatingSystem.threadNumber
        let label = OperatingSystem.queueLabel
    }

    private struct State {
        var blocks: [Int: Block] = [:]
        var nextNumber = 0
        var hasTimer = false
        var warningNanoseconds: UInt64 = 10_000_000_000
    }

    private let state = Locked(State())

    /// The time in seconds after which a waiting block is logged. 10 by default; tests set shorter times.
    var warningDelay: TimeInterval {
        get { state.withLock { Double($0.warningNanoseconds) / 1_000_000_000 } }
        set { state.withLock { $0.warningNanoseconds = UInt64(newValue * 1_000_000_000) } }
    }

    /// Records a block that was submitted to the main queue.
    ///
    /// - Returns: its number, for ``recordStart(_:)``.
    func recordSubmission(_ context: NSManagedObjectContext, _ method: StaticString, isCallerWaiting: Bool) -> Int {
        let block = Block(
            context: context, method: method, caller: isCallerWaiting ? Caller() : nil,
            start: OperatingSystem.uptimeNanoseconds)
        let (number, delay) = state.withLock { state -> (Int, UInt64?) in
            let number = state.nextNumber
            state.nextNumber += 1
            state.blocks[number] = block
            let delay = state.hasTimer ? nil : state.warningNanoseconds
            state.hasTimer = true
            return (number, delay)
        }
        if let delay { scheduleCheck(after: delay) }
        return number
    }

    /// Records that a block has started.
    func recordStart(_ number: Int) {
        state.withLock { state in _ = state.blocks.removeValue(forKey: number) }
    }

    private func scheduleCheck(after nanoseconds: UInt64) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) {
            self.checkBlocks()
        }
    }

    private func checkBlocks() {
        let now = OperatingSystem.uptimeNanoseconds
        let (messages, delay) = state.withLock { state -> ([String], UInt64?) in
            var messages: [String] = []
            var next: UInt64?
            for (_, block) in state.blocks.sorted(by: { $0.key < $1.key })
            where !block.context.queue.hasLoggedMainQueueWarning {
                let waited = now - min(block.start, now)
                if waited >= state.warningNanoseconds {
                    block.context.queue.recordMainQueueWarning()
                    messages.append(Self.message(block, nanoseconds: waited))
                } else {
                    next = min(next ?? .max, state.warningNanoseconds - waited)
                }
            }
            state.hasTimer = next != nil
            return (messages, next)
        }
        for message in messages { CoreDataLog.error(message) }
        if let delay { scheduleCheck(after: max(delay, 1_000_000)) }
    }

    private static func message(_ block: Block, nanoseconds: UInt64) -> String {
        let seconds = String(format: "%.3g", Double(nanoseconds) / 1_000_000_000)
        var text =
            """
            A block of \(block.method) of \(block.context.diagnosticName) has waited for the main queue for \
            \(seconds) seconds
            """
        if let caller = block.caller {
            text += ", and so has its caller, thread \(caller.thread)"
            // The label is valid: the thread still waits, inside the queue's block.
            if let label = caller.label { text += " on the queue '\(String(cString: label))'" }
        }
        return text
            + """
            . The main queue is busy, or does not run. A server or a command-line program must run it: with \
            dispatchMain(), RunLoop.main.run() or an async main, and must not block its main thread. A program without \
            a main queue uses contexts with private queues: newBackgroundContext(), performBackgroundTask(_:), \
            NSManagedObjectContext(.privateQueue). This error is logged once for each context.
            """
    }
}
