// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The values of the rows in which a replica and a server keep what they know of each other.
extension NSManagedObject {
    /// A whole number; 0 without a value.
    package func integer(_ key: String) -> Int64 { (value(forKey: key) as? NSNumber)?.int64Value ?? 0 }

    /// The place in a history that a row keeps as bytes.
    package func historyToken(_ key: String) -> NSPersistentHistoryToken? {
        (value(forKey: key) as? Data).flatMap {
            try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0)
        }
    }

    package func setHistoryToken(_ token: NSPersistentHistoryToken?, _ key: String) {
        let data = token.flatMap { try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
        setValue(data, forKey: key)
    }
}

extension NSManagedObjectContext {
    /// The object of an ID, with the newest values of the store; nil if the store hasn't got it.
    package func objectIfPresent(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        // Not by `existingObject(with:)`: the coordinator may keep an older row than that of another process, and each
        // save of the object would be a conflict.
        let request = NSFetchRequest<NSManagedObject>(entityName: id.entity.name ?? "")
        request.predicate = NSPredicate(format: "SELF == %@", id)
        request.returnsObjectsAsFaults = false
        return try fetch(request).first
    }
}
