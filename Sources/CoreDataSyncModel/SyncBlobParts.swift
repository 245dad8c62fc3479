// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The rows with the parts of a large value, from its beginning on. Their entity has the attributes `digest`, `size`,
/// `offset`, `end` and `bytes`.
package struct SyncBlobParts {
    private let blob: SyncBlob
    private let entityName: String
    private let predicate: NSPredicate
    private let context: NSManagedObjectContext

    /// - Parameter predicate: selects the rows among those of the value; nil for all.
    package init(
        _ blob: SyncBlob, _ entityName: String, where predicate: NSPredicate? = nil, in context: NSManagedObjectContext
    ) {
        (self.blob, self.entityName, self.context) = (blob, entityName, context)
        self.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [blob.predicate] + [predicate].compactMap { $0 })
    }

    /// The number of bytes that are saved.
    package var received: Int64 {
        get throws {
            let fetch = NSFetchRequest<NSDictionary>(entityName: entityName)
            fetch.resultType = .dictionaryResultType
            fetch.propertiesToFetch = ["end"]
            fetch.predicate = predicate
            fetch.sortDescriptors = [NSSortDescriptor(key: "end", ascending: false)]
            fetch.fetchLimit = 1
            return (try context.fetch(fetch).first?["end"] as? NSNumber)?.int64Value ?? 0
        }
    }

    /// Whether the value is there as a whole.
    package var isComplete: Bool { get throws { try received == blob.size } }

    /// The bytes of all parts, also of those that aren't saved. The context keeps none of them.
    package func contents() throws -> Data {
        try SyncBlobAssembly.assembled(blob) { offset in
            let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
            request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                predicate, NSPredicate(format: "offset == %ld", Int(clamping: offset)),
            ])
            guard let part = try context.fetch(request).first else { return nil }
            defer { if !part.isInserted { context.refresh(part, mergeChanges: false) } }
            return part.value(forKey: "bytes") as? Data
        }
    }

    /// Adds a part.
    ///
    /// - Returns: the row, for what else it has.
    @discardableResult
    package func insert(_ bytes: Data, at offset: Int64) -> NSManagedObject {
        let part = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        part.blob = blob
        part.setValue(offset, forKey: "offset")
        part.setValue(offset + Int64(bytes.count), forKey: "end")
        part.setValue(bytes, forKey: "bytes")
        return part
    }

    package func delete() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        request.predicate = predicate
        request.includesPropertyValues = false
        for part in try context.fetch(request) { context.delete(part) }
    }
}

extension SyncBlob {
    /// Selects the rows that name the value.
    package var predicate: NSPredicate {
        NSPredicate(format: "digest == %@ AND size == %ld", digest as NSData, Int(clamping: size))
    }
}

extension NSManagedObject {
    /// The large value that a row names.
    package var blob: SyncBlob {
        get { SyncBlob(digest: value(forKey: "digest") as? Data ?? Data(), size: integer("size")) }
        set {
            setValue(newValue.digest, forKey: "digest")
            setValue(newValue.size, forKey: "size")
        }
    }
}
