/// The check that is started with `-com.apple.CoreData.ConcurrencyDebug 1`: the program stops where a context, or an
/// object of it, is used off the context's queue.
///
/// Objects then carry the flag `watched`, which takes each access the long way round; without it they are as fast as
/// ever. Contexts without a queue aren't checked: who may use them isn't known.
enum ConcurrencyDebug {
    static let isOn = LaunchSetting.isOn("com.apple.CoreData.ConcurrencyDebug")

    /// Stops the program.
    ///
    /// - Parameter use: what was done: "save() was called", and the like.
    static func violation(of context: NSManagedObjectContext, _ use: String) -> Never {
        let owner = HeldQueue.currentContext.map { ", in a block of \($0.nameInMessages)" } ?? ""
        let place = MainQueue.isCurrent ? "the main queue, \(CurrentThread.description)" : CurrentThread.description
        programmingError(
            """
            Multithreading violation: \(use), on \(place)\(owner); but \(context.nameInMessages) belongs to \
            \(context.queueInMessages).
            """,
            remedy: """
                Use the context and its objects inside its perform(_:) or performAndWait(_:) alone, and give \
                object IDs to other queues.
                """
        )
    }
}

extension NSManagedObjectContext {
    /// Stops the program off the context's queue, if that is to be checked.
    @inline(__always)
    final func checkQueue(_ member: StaticString = #function) {
        if ConcurrencyDebug.isOn { checkQueueNow(member) }
    }

    @inline(never)
    private final func checkQueueNow(_ member: StaticString) {
        if !isOnQueue { ConcurrencyDebug.violation(of: self, "\(member) of the context was used") }
    }

    fileprivate final var queueInMessages: String {
        switch concurrencyType {
        case .confinementConcurrencyType: "whoever made it"
        case .privateQueueConcurrencyType: "the queue '\(dispatchQueue?.label ?? "")'"
        case .mainQueueConcurrencyType: "the main queue"
        }
    }
}

extension NSManagedObject {
    /// Stops the program off the queue of the object's context, if the object is watched.
    ///
    /// - Parameters:
    ///   - property: the property that is used; nil if it isn't known.
    ///   - isWriting: whether it is changed.
    final func checkQueue(_ property: PropertySlot?, isWriting: Bool) {
        guard flags.contains(.checksConcurrency), let context = table?.handle.context, !context.isOnQueue else {
            return
        }
        let what =
            property.map { "'\($0.name)' of an object of entity '\(layout.name)'" }
            ?? "an object of entity '\(layout.name)'"
        ConcurrencyDebug.violation(of: context, "\(what) was \(isWriting ? "changed" : "read")")
    }

    /// The same for the property of a cell; -1 for any.
    final func checkQueue(cell: Int, isWriting: Bool) {
        guard flags.contains(.checksConcurrency) else { return }
        checkQueue(cell < 0 ? nil : layout.properties.first { $0.cell == cell }, isWriting: isWriting)
    }
}
