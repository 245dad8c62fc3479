// SPDX-License-Identifier: Apache-2.0

/// A batch request in custom stores, which get the request itself.
struct IncrementalBatch {
    /// The result of each store: an array of IDs, a count, or a Boolean.
    private let values: [Any]
    /// The stores that don't belong to the program.
    let otherStores: [any SnapshotStore]

    /// Sends a request to the custom stores among some stores.
    ///
    /// - Throws: `NSFileWriteNoPermissionError` (513) for a store that is read-only, and the errors of the program.
    init(_ request: NSPersistentStoreRequest, to stores: [any SnapshotStore], with context: NSManagedObjectContext)
        throws
    {
        let programs = stores.compactMap { $0 as? NSIncrementalStore }
        otherStores = stores.filter { !($0 is NSIncrementalStore) }
        for store in programs where store.isReadOnly {
            throw CoreDataErrors.error(
                CocoaError.Code.fileWriteNoPermission.rawValue, "The batch request can\u{2019}t be executed.",
                reason: "The store \(store.url?.absoluteString ?? "") was opened read-only.",
                suggestion: "Open the store for writing.")
        }
        values = try programs.map { store in
            switch try store.execute(request, with: context) {
            case let result as NSBatchInsertResult: result.result ?? NSNull()
            case let result as NSBatchUpdateResult: result.result ?? NSNull()
            case let result as NSBatchDeleteResult: result.result ?? NSNull()
            case let value: value
            }
        }
    }

    var objectIDs: [NSManagedObjectID] {
        values.flatMap { (IncrementalSource.elements($0) ?? []).compactMap { $0 as? NSManagedObjectID } }
    }

    /// The number of changed objects. If a store has returned IDs, they are counted.
    var count: Int {
        values.reduce(0) { sum, value in
            sum + (IncrementalSource.elements(value)?.count ?? (value as? NSNumber)?.intValue ?? 0)
        }
    }

    /// False if a store has returned false.
    var isSuccessful: Bool { values.allSatisfy { ($0 as? NSNumber)?.boolValue ?? true } }
}
