// SPDX-License-Identifier: Apache-2.0

/// The changes of transactions, while they are read in the order of the transactions.
package struct HistoryChanges {
    private let transactions: [HistoryTransactionRecord]
    private let plans: SQLPlans
    private let store: StoreIdentity
    /// The position of the transaction of the last change.
    private var index = 0

    package init(of transactions: [HistoryTransactionRecord], plans: SQLPlans, store: StoreIdentity) {
        self.transactions = transactions
        self.plans = plans
        self.store = store
        for transaction in transactions { transaction.beginChanges() }
    }

    /// Appends a change to its transaction. A change of an entity that the model doesn't have is left out, and so is a
    /// change that only a damaged store contains.
    ///
    /// - Parameters:
    ///   - row: the number of the change, the number of its transaction, the type, the entity number and the key.
    ///   - properties: reads the changed properties of an update.
    ///   - tombstone: reads the preserved values of a deleted object. An element of a composite attribute has its key
    ///     path as its key.
    package mutating func append<Row: SQLRow>(
        _ row: Row, properties: (HistoryPlan) -> [NSPropertyDescription],
        tombstone: (HistoryPlan) throws -> [AnyHashable: Any]
    ) throws {
        func integer(_ column: Int32) throws -> Int64 { try row.integer(at: column) ?? 0 }
        let (transaction, key) = (try integer(1), try integer(4))
        while index < transactions.count, transactions[index].number < transaction { index += 1 }
        guard index < transactions.count, transactions[index].number == transaction, key > 0,
            let layout = plans.mapping.layout(entity: try integer(3)),
            let type = NSPersistentHistoryChangeType(rawValue: Int(try integer(2)))
        else { return }
        let plan = try plans.historyPlan(layout)
        transactions[index].append(
            HistoryChangeRecord(
                number: try integer(0), type: type,
                objectID: NSManagedObjectID(layout: layout, store: store, key: key),
                updatedProperties: type == .update ? properties(plan) : nil,
                tombstone: type == .delete && !plan.preservedColumns.isEmpty ? Self.nested(try tombstone(plan)) : nil))
    }

    /// Preserved values by name. The elements of a composite attribute become a dictionary.
    private static func nested(_ values: [AnyHashable: Any]) -> [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        var composites: [String: [AnyHashable: Any]] = [:]
        for (key, value) in values {
            guard let path = key.base as? String, let dot = path.firstIndex(of: ".") else {
                result[key] = value
                continue
            }
            composites[String(path[..<dot]), default: [:]][String(path[path.index(after: dot)...])] = value
        }
        for (name, values) in composites {
            var elements: [String: Any] = [:]
            for (element, value) in nested(values) { if let name = element.base as? String { elements[name] = value } }
            result[name] = elements
        }
        return result
    }
}

/// The errors of requests on the history of a SQL store.
package enum HistoryErrors {
    /// The error of a request that follows deleted or unknown transactions.
    ///
    /// - Parameters:
    ///   - number: the last transaction that the program has seen.
    ///   - newest: the newest transaction of the store.
    ///   - store: the store's path or address.
    ///   - userInfo: the same, under the key of its kind.
    package static func expired(
        _ number: Int64, newest: Int64, of store: String, userInfo: [String: Any]
    ) -> NSError {
        CoreDataErrors.error(
            NSPersistentHistoryTokenExpiredError, "The history of the store \(store) can\u{2019}t be fetched.",
            reason: number > newest
                ? "The token is of the transaction \(number), but the newest one of the store is \(newest)."
                : "Transactions that follow the token were deleted.",
            suggestion: "Read the objects again, and go on with currentPersistentHistoryToken(fromStores:).",
            userInfo: userInfo)
    }

    /// The error of deleting the history of a store that was opened read-only.
    package static func readOnly(_ store: String, userInfo: [String: Any]) -> NSError {
        CoreDataErrors.error(
            CocoaError.fileWriteNoPermission.rawValue,
            "The history of the store \(store) can\u{2019}t be deleted.", reason: "The store was opened read-only.",
            suggestion: "Open the store for writing, with NSPersistentHistoryTrackingKey.", userInfo: userInfo)
    }
}
