import CoreData
import Testing

/// The errors of saves in callbacks, in the context's `userInfo`.
private final class RecordedErrors: NSObject {
    var list: [String] = []
}

/// Saves its context in its callbacks, and records the errors.
class RecursivelySavingObject: NSManagedObject {
    override func willSave() { record("willSave") }
    override func didSave() { record("didSave") }

    private func record(_ callback: String) {
        guard let context = managedObjectContext, let errors = context.userInfo["errors"] as? RecordedErrors else {
            return
        }
        do {
            try context.save()
            errors.list.append("\(callback) saved")
        } catch let error as NSError {
            errors.list.append("\(callback) \(error.domain) \(error.code) \(error.localizedDescription)")
        }
    }
}

@Suite("Saves within saves")
struct RecursiveSaveTests {
    private static let message = "NSCocoaErrorDomain 132001 attempt to recursively call -save: on the context aborted"

    private func observing<Result>(
        _ name: Notification.Name, of context: NSManagedObjectContext, _ observer: @escaping () -> Void,
        _ body: () throws -> Result
    ) rethrows -> Result {
        nonisolated(unsafe) let observer = observer
        let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in observer()
        }
        defer { NotificationCenter.default.removeObserver(token) }
        return try body()
    }

    @Test("willSave() and didSave() can't save the context", arguments: StoreKind.allCases)
    func callbacks(_ kind: StoreKind) throws {
        let item = entity("Item", [attribute("name", .stringAttributeType)])
        item.managedObjectClassName = NSStringFromClass(RecursivelySavingObject.self)
        try withStack(kind, model: model([item])) { stack in
            let errors = RecordedErrors()
            stack.context.userInfo["errors"] = errors
            stack.context.make("Item", "a")
            try stack.context.save()
            expectEqual(errors.list, ["willSave \(Self.message)", "didSave \(Self.message)"])
            expectFalse(stack.context.hasChanges)
            try inFreshContext(stack) { context in try expectEqual(context.all("Item").count, 1) }
        }
    }

    @Test("an observer of WillSave can't save the context", arguments: StoreKind.allCases)
    func willSaveObserver(_ kind: StoreKind) throws {
        try withStack(kind) { stack in
            var error: NSError?
            stack.context.make("Book", "a")
            try observing(.NSManagedObjectContextWillSave, of: stack.context) {
                error = thrownError { try stack.context.save() }
            } _: {
                try stack.context.save()
            }
            expectEqual(error?.domain, NSCocoaErrorDomain)
            expectEqual(error?.code, 132001)
            expectFalse(stack.context.hasChanges)
        }
    }

    @Test(
        "an observer of DidSave may change objects and save again", arguments: StoreKind.allCases, [false, true])
    func didSaveObserver(_ kind: StoreKind, _ isChild: Bool) throws {
        try withStack(kind) { stack in
            let context = isChild ? NSManagedObjectContext(.privateQueue) : stack.context
            if isChild { context.parent = stack.context }
            try on(context) {
                let book = context.make("Book", "a", ["pages": 1])
                let removed = context.make("Book", "b")
                var saves: [String] = []
                var failure: NSError?
                try observing(.NSManagedObjectContextDidSave, of: context) {
                    saves.append("\(book.number("pages") ?? 0)")
                    guard saves.count < 3 else { return }
                    book.setValue(saves.count + 1, forKey: "pages")
                    if saves.count == 1 { context.delete(removed) }
                    failure = thrownError { try context.save() }
                } _: {
                    try context.save()
                }
                expectEqual(saves, ["1", "2", "3"])
                expectEqual(failure, nil)
                expectFalse(context.hasChanges)
            }
            if isChild { try on(stack.context) { try stack.context.save() } }
            try inFreshContext(stack) { context in
                try expectEqual(context.all("Book").map { $0.number("pages") }, [3])
            }
        }
    }
}
