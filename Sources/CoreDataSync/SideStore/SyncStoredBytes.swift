// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// Bytes of another row, in a row of their own: a fetch of that one doesn't read them.
final class SyncStoredBytes: NSManagedObject {
    fileprivate var data: Data? {
        get { value(forKey: "data") as? Data }
        set { setValue(newValue, forKey: "data") }
    }
}

extension NSManagedObject {
    func bytes(_ key: String) -> Data? { (value(forKey: key) as? SyncStoredBytes)?.data }

    func setBytes(_ data: Data?, _ key: String) {
        if let row = value(forKey: key) as? SyncStoredBytes {
            guard let data else {
                setValue(nil, forKey: key)
                managedObjectContext?.delete(row)
                return
            }
            row.data = data
        } else if let data, let context = managedObjectContext {
            let row = NSEntityDescription.insertNewObject(forEntityName: "StoredBytes", into: context)
            row.setValue(data, forKey: "data")
            setValue(row, forKey: key)
        }
    }
}
