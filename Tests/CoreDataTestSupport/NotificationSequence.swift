import CoreData

/// The notifications of contexts and a coordinator, in order: the sender, the name, and the entities of the objects.
package final class NotificationSequence {
    package private(set) var lines: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    private static let contextNames: [(Notification.Name, String)] = [
        (NSManagedObjectContext.didChangeObjectsNotification, "change"),
        (NSManagedObjectContext.willSaveObjectsNotification, "willSave"),
        (NSManagedObjectContext.didSaveObjectsNotification, "didSave"),
        (NSManagedObjectContext.didSaveObjectIDsNotification, "didSaveIDs"),
        (NSManagedObjectContext.didMergeChangesObjectIDsNotification, "didMerge"),
    ]

    package init(_ contexts: [(String, NSManagedObjectContext)]) {
        for (label, context) in contexts {
            for (name, text) in Self.contextNames { observe(name, context) { "\(label)\(text)\(Self.summary($0))" } }
        }
    }

    package convenience init(_ context: NSManagedObjectContext) { self.init([("", context)]) }

    deinit { stop() }

    package func observe(_ name: Notification.Name, _ object: AnyObject, _ text: @escaping (Notification) -> String) {
        let note = UnsafeSender { [weak self] (notification: Notification) in
            self?.lines.append(text(notification)) ?? ()
        }
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { note.value($0) })
    }

    package func stop() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }

    /// The lines since the last call.
    package func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private static func summary(_ notification: Notification) -> String {
        let info = notification.userInfo ?? [:]
        let objectKeys = [
            NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
            NSInvalidatedObjectsKey,
        ]
        let idKeys = [
            NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey,
            NSInvalidatedObjectIDsKey,
        ]
        var parts: [(String, [String])] = []
        for key in objectKeys {
            if let objects = info[key] as? Set<NSManagedObject> {
                parts.append((key, objects.map { $0.entity.name ?? "" }))
            }
        }
        for key in idKeys {
            if let ids = info[key] as? Set<NSManagedObjectID> { parts.append((key, ids.map { $0.entity.name ?? "" })) }
        }
        if let all = info[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] {
            parts.append((NSInvalidatedAllObjectsKey, all.map { $0.entity.name ?? "" }))
        }
        let known = Set((objectKeys + idKeys + [NSInvalidatedAllObjectsKey]).map { AnyHashable($0) })
        let unknown = info.keys.filter { !known.contains($0) }.map { "\($0)?" }.sorted()
        return (parts.map { "\($0.0):\($0.1.sorted().joined(separator: "+"))" } + unknown).map { " " + $0 }.joined()
    }
}
