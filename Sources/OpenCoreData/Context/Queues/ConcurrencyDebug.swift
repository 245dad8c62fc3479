// SPDX-License-Identifier: Apache-2.0

/// The check that `-com.apple.CoreData.ConcurrencyDebug 1` turns on: the program stops if a context, or an object of
/// it, is used outside the context's queue.
///
/// Objects then have the flag `checksConcurrency`, with which each access takes a slower path. Without the flag the
/// check costs nothing. Contexts without a queue are not checked: their thread is not known.
enum ConcurrencyDebug {
    static var isOn: Bool { LaunchSetting.checksConcurrency }

    /// Stops the program.
    ///
    /// - Parameter use: the access, for example "save() was called".
    static func violation(of context: NSManagedObjectContext, _ use: String) -> Never {
        let block = QueueOwnership.currentContext.map { ", in a block of \($0.diagnosticName)" } ?? ""
        let thread = MainQueue.isCurrent ? "the main queue, \(threadDescription)" : threadDescription
        programmingError(
            """
            Multithreading violation: \(use), on \(thread)\(block); but \(context.diagnosticName) belongs to \
            \(context.queueDiagnosticName).
            """,
            remedy: """
                Use the context and its objects only inside its perform(_:) or performAndWait(_:), and pass object IDs \
                to other queues.
                """
        )
    }

    /// The current thread and its queue, for messages.
    private static var threadDescription: String {
        let queue = OperatingSystem.queueLabel.map { " on the queue '\(String(cString: $0))'" } ?? ""
        let name = OperatingSystem.threadName.map { " '\($0)'" } ?? ""
        return "thread \(OperatingSystem.threadNumber)\(name)\(queue)"
    }
}

extension NSManagedObjectContext {
    /// Stops the program outside the context's queue, if the check is on.
    @inline(__always)
    final func checkQueue(_ member: StaticString = #function) {
        if ConcurrencyDebug.isOn { checkQueueNow(member) }
    }

    @inline(never)
    private final func checkQueueNow(_ member: StaticString) {
        if !isOnQueue { ConcurrencyDebug.violation(of: self, "\(member) of the context was used") }
    }

    fileprivate final var queueDiagnosticName: String {
        switch queue.type {
        case .confinementConcurrencyType: "the thread that created it"
        case .privateQueueConcurrencyType: "the queue '\(queue.dispatchQueue?.label ?? "")'"
        case .mainQueueConcurrencyType: "the main queue"
        }
    }
}

extension NSManagedObject {
    /// Stops the program outside the queue of the object's context, if the object has the flag `checksConcurrency`.
    ///
    /// - Parameters:
    ///   - property: the property that is accessed; nil if it is not known.
    ///   - isWriting: whether it is written.
    final func checkQueue(_ property: PropertySlot?, isWriting: Bool) {
        guard flags.contains(.checksConcurrency), let context = table?.handle.link.object, !context.isOnQueue else {
            return
        }
        let subject =
            property.map { "'\($0.name)' of an object of entity '\(layout.name)'" }
            ?? "an object of entity '\(layout.name)'"
        ConcurrencyDebug.violation(of: context, "\(subject) was \(isWriting ? "changed" : "read")")
    }

    /// The same check for the property of a cell; -1 for any.
    final func checkQueue(cell: Int, isWriting: Bool) {
        guard flags.contains(.checksConcurrency) else { return }
        checkQueue(cell < 0 ? nil : layout.properties.first { $0.cell == cell }, isWriting: isWriting)
    }
}
