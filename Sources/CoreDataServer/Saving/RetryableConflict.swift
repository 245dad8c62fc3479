// SPDX-License-Identifier: Apache-2.0

/// An error of a save that can succeed when the changes are made again.
struct RetryableConflict {
    /// The objects that another context or process has changed; empty if the error doesn't name them.
    let objects: [NSManagedObject]

    /// The SQLSTATEs of a transaction in conflict with another one: a serialization failure, a deadlock, a lock in use.
    private static let states: Set<String> = ["40001", "40P01", "55P03"]

    /// Nil for an error that would come again.
    init?(_ error: any Error) {
        let error = error as NSError
        guard error.domain == NSCocoaErrorDomain else { return nil }
        switch error.code {
        case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError:
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? []
            objects = conflicts.flatMap(Self.objects)
        case NSPersistentStoreTimeoutError:
            guard let state = error.userInfo[serverStateErrorKey] as? String, Self.states.contains(state) else {
                return nil
            }
            objects = []
        default: return nil
        }
    }

    private static func objects(of conflict: Any) -> [NSManagedObject] {
        switch conflict {
        case let conflict as NSMergeConflict: [conflict.sourceObject]
        case let conflict as NSConstraintConflict:
            conflict.conflictingObjects + (conflict.databaseObject.map { [$0] } ?? [])
        default: []
        }
    }
}
