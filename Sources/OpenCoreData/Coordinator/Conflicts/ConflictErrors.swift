// SPDX-License-Identifier: Apache-2.0

/// The errors of unresolved conflicts.
enum ConflictErrors {
    static func error(_ conflicts: [Any]) -> NSError {
        let versions = conflicts.compactMap { $0 as? NSMergeConflict }
        return versions.isEmpty
            ? error(constraints: conflicts.compactMap { $0 as? NSConstraintConflict }) : error(versions: versions)
    }

    static func error(versions conflicts: [NSMergeConflict]) -> NSError {
        let names = conflicts.map { name($0.sourceObject) }.joined(separator: ", ")
        let isOne = conflicts.count == 1
        return error(
            NSManagedObjectMergeError,
            because: """
                \(names) \(isOne ? "was" : "were") changed in \(store(conflicts.first?.sourceObject)) since this \
                context fetched \(isOne ? "it" : "them").
                """,
            remedy: """
                Refresh the objects and make the change again, or set a merge policy on the context.
                """,
            conflicts, conflicts.map(\.sourceObject))
    }

    static func error(constraints conflicts: [NSConstraintConflict]) -> NSError {
        let texts = conflicts.map { conflict in
            let values = conflict.constraint.map { "\($0) = \(conflict.constraintValues[$0] ?? "nil")" }.joined(
                separator: ", ")
            return "\(conflict.conflictingObjects.first?.layout.name ?? "") with \(values)"
        }
        return error(
            NSManagedObjectConstraintMergeError,
            because: "a uniqueness constraint allows one object only: \(texts.joined(separator: "; ")).",
            remedy: "Give the objects unique values, or set a merge policy on the context.",
            conflicts, conflicts.flatMap(\.conflictingObjects))
    }

    private static func error(
        _ code: Int, because reason: String, remedy: String, _ conflicts: [Any], _ objects: [NSManagedObject]
    ) -> NSError {
        CoreDataErrors.error(
            code, "Could not merge changes:", reason: reason, suggestion: remedy,
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts, NSAffectedObjectsErrorKey: objects])
    }

    private static func name(_ object: NSManagedObject) -> String { "\(object.layout.name)/p\(object.primaryKey)" }

    private static func store(_ object: NSManagedObject?) -> String {
        object?.objectID.persistentStore?.url?.lastPathComponent ?? "the store"
    }
}

extension CocoaError {
    /// The conflicts that stopped a save.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
