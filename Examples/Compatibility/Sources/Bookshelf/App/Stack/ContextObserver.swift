import CoreData
import Foundation

/// Counts what contexts post, by methods that the notification centre calls.
class ContextObserver: NSObject {
    private(set) var insertedCount = 0
    private(set) var savedNames: [String] = []
    private(set) var willSaveCount = 0
    let context: NSManagedObjectContext

    init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
        let center = NotificationCenter.default
        center.addObserver(
            self, selector: #selector(objectsDidChange(_:)), name: .NSManagedObjectContextObjectsDidChange,
            object: context)
        center.addObserver(
            self, selector: #selector(ContextObserver.contextDidSave),
            name: NSManagedObjectContext.didSaveObjectsNotification,
            object: nil)
        center.addObserver(
            self, selector: #selector(self.contextWillSave), name: Notification.Name.NSManagedObjectContextWillSave,
            object: context)
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    func stop() {
        NotificationCenter.default.removeObserver(self, name: .NSManagedObjectContextObjectsDidChange, object: context)
    }

    @objc private func objectsDidChange(_ notification: Notification) {
        insertedCount += (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
    }

    @objc func contextDidSave(_ notification: NSNotification) {
        guard let context = notification.object as? NSManagedObjectContext else { return }
        savedNames.append(context.name ?? "")
    }

    @objc private func contextWillSave() { willSaveCount += 1 }
}
