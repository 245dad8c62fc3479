// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Cancels the requests of a fetch or of a task that run on another queue, and reports the progress of a fetch. May be
/// used on any thread.
package final class FetchControl: Sendable {
    private let cancelled = Atomic<Bool>(false)
    private let onRows: @Sendable (Int) -> Void
    private let interruption = Mutex(Interruption())
    /// Whether it cancels the requests of a task, not one fetch.
    private let isOfTask: Bool

    /// - Parameter onRows: called from time to time on the queue of the fetch, with the number of rows read so far.
    package init(onRows: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.onRows = onRows
        isOfTask = false
    }

    private init(isOfTask: Bool) {
        onRows = { _ in }
        self.isOfTask = isOfTask
    }

    /// A control of all requests that a block of a task makes.
    package static func ofTask() -> FetchControl { FetchControl(isOfTask: true) }

    package var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    package func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        interruption.withLock { $0.run?() }
    }

    /// Runs a block that waits for a store. ``cancel()`` interrupts the block from another thread. Calls may be nested.
    ///
    /// - Parameter interrupt: makes the block end soon. ``cancel()`` doesn't call it after the block has ended.
    /// - Throws: `NSUserCancelledError` (3072) if the fetch is cancelled already, or if the block throws after that;
    ///   else what the block throws.
    package func interruptible<Result>(
        by interrupt: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        let outer = interruption.withLock { interruption in
            defer { interruption.run = interrupt }
            return interruption
        }
        defer { interruption.withLock { $0 = outer } }
        do {
            if cancelled.load(ordering: .sequentiallyConsistent) { throw cancelledError }
            return try body()
        } catch {
            throw isCancelled ? cancelledError : error
        }
    }

    /// Reports the progress of the fetch.
    ///
    /// - Throws: `NSUserCancelledError` (3072) after ``cancel()``.
    package func report(rowCount: Int) throws {
        if isCancelled { throw cancelledError }
        onRows(rowCount)
    }

    package var cancelledError: NSError {
        CoreDataErrors.error(
            CocoaError.Code.userCancelled.rawValue,
            isOfTask ? "The request has no result." : "The fetch has no results.",
            reason: isOfTask ? "The task that made it was cancelled." : "The fetch was cancelled.")
    }

    /// In a structure: see `Locked`.
    private struct Interruption {
        var run: (@Sendable () -> Void)?
    }

    // MARK: The control of a thread

    private static let entry = OperatingSystem.ThreadLocalPointer()

    /// The control of the block that the current thread runs; nil if nothing cancels it.
    package static var current: FetchControl? {
        entry.value.map { Unmanaged<FetchControl>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs a block whose requests a control cancels, if the store that they ask can end them.
    package static func withCurrent<Result>(_ control: FetchControl?, _ body: () throws -> Result) rethrows -> Result {
        let outer = entry.value
        // The thread keeps no reference: this call keeps the control alive.
        entry.value = control.map { Unmanaged.passUnretained($0).toOpaque() }
        defer { entry.value = outer }
        return try withExtendedLifetime(control) { try body() }
    }
}
