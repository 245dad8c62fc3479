/// A row that was changed by somebody else since a context fetched it.
open class NSMergeConflict: NSObject {
    /// The context's object.
    public let sourceObject: NSManagedObject
    /// The object's values in the context.
    public let objectSnapshot: [String: Any]?
    /// The values that the context saw last.
    public let cachedSnapshot: [String: Any]?
    /// The values that the store has now, nil if the row was deleted.
    public let persistedSnapshot: [String: Any]?
    /// The version that the store has now, 0 if the row was deleted.
    public let newVersionNumber: Int
    /// The version that the context saw.
    public let oldVersionNumber: Int

    /// Describes a conflict.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int, cachedSnapshot cachesnap: [String: Any]?,
        persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        let keys = srcObject.layout.properties.filter { $0.cell >= 0 && $0.kind != .toOne }.map(\.name)
        objectSnapshot = srcObject.isDeleted ? nil : srcObject.dictionaryWithValues(forKeys: keys)
        super.init()
    }

    open override var description: String {
        "NSMergeConflict for \(sourceObject.layout.name) \(sourceObject.objectID.uriRepresentation().absoluteString): version \(oldVersionNumber) was fetched, "
            + (newVersionNumber == 0 ? "the row is gone now" : "the store has version \(newVersionNumber)")
    }
}

enum MergeConflicts {
    static func error(_ conflict: StoreConflict, store: any SnapshotStore, context: NSManagedObjectContext) -> NSError {
        let conflicts = conflict.rows.compactMap { row -> NSMergeConflict? in
            guard let object = context.table(store: store.identity, root: row.layout.root)[row.key] else { return nil }
            let cached = object.row.map { values($0.cells, row.layout) }
            let persisted = row.persisted.map { values($0.row.cells, row.layout) }
            return NSMergeConflict(
                source: object, newVersion: Int(row.persisted?.row.version ?? 0), oldVersion: Int(row.version), cachedSnapshot: cached, persistedSnapshot: persisted)
        }
        let names = conflict.rows.map { "\($0.layout.name)/p\($0.key)" }.joined(separator: ", ")
        return NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError, userInfo: [
            NSLocalizedDescriptionKey: "Could not merge changes: \(names) \(conflict.rows.count == 1 ? "was" : "were") changed in \(store.url?.lastPathComponent ?? "the store") since this context fetched \(conflict.rows.count == 1 ? "it" : "them"). Refresh the objects and make the change again.",
            NSPersistentStoreSaveConflictsErrorKey: conflicts,
        ])
    }

    private static func values(_ cells: Cells, _ layout: EntityLayout) -> [String: Any] {
        var result: [String: Any] = [:]
        for slot in layout.properties where slot.cell >= 0 && slot.kind != .toOne && !slot.isTransient {
            result[slot.name] = slot.read(cells) ?? NSNull()
        }
        return result
    }
}

extension CocoaError {
    /// The conflicts that stopped a save.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? { userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] }
}
