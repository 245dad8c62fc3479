// SPDX-License-Identifier: Apache-2.0

/// Requests on the history of the stores. They may be executed on any thread.
extension NSPersistentStoreCoordinator {
    /// The stores that have a history, each with the range that a request covers.
    private typealias Parts = [(store: NSPersistentStore, database: any HistoryDatabase, range: HistoryRange)]

    /// Executes a request on the history.
    ///
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) if no store has a history,
    ///   `NSPersistentHistoryTokenExpiredError` (134301), `NSCoreDataError` (134060) for a bad fetch request, and the
    ///   errors of the stores.
    final func executeHistoryRequest(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        let type = request.resultType
        let parts = try parts(of: request)
        let fetch = try HistoryFetch(request.fetchRequest)
        if request.isDeletion {
            guard fetch == nil else {
                throw CoreDataErrors.error(
                    NSPersistentStoreUnsupportedRequestTypeError, "The history can\u{2019}t be deleted.",
                    reason: "The request has a fetch request, which selects what is fetched, not what is deleted.",
                    suggestion: "Delete the history before a date, a token or a transaction.")
            }
            return NSPersistentHistoryResult(try deleteHistory(parts, type), type)
        }
        return NSPersistentHistoryResult(try fetchHistory(parts, fetch, type), type)
    }

    // MARK: Stores

    private func parts(of request: NSPersistentHistoryChangeRequest) throws -> Parts {
        let affected = request.affectedStores ?? []
        let stores = persistentStores.filter { store in
            affected.isEmpty || affected.contains { $0 === store }
        }
        let withHistory = access.share {
            stores.compactMap { store in store.historyDatabase.flatMap { $0.hasHistory ? (store, $0) : nil } }
        }
        guard !withHistory.isEmpty else {
            // A store that was closed, for instance because it was migrated, says so.
            try access.share {
                for store in stores { _ = try store.historyDatabase?.commitState() }
            }
            throw CoreDataErrors.error(
                NSPersistentStoreUnsupportedRequestTypeError, "The request on the history can\u{2019}t be executed.",
                reason: "No store of the coordinator records its history.",
                suggestion: "Add a SQLite store with the option NSPersistentHistoryTrackingKey.",
                userInfo: [NSAffectedStoresErrorKey: stores])
        }
        switch request.scope {
        case .all: return withHistory.map { ($0, $1, .all) }
        case .nothing: return withHistory.map { ($0, $1, .nothing) }
        case .transactions(let numbers): return withHistory.map { ($0, $1, .transactions(numbers)) }
        case .date(let date):
            return withHistory.map { ($0, $1, request.isDeletion ? .beforeDate(date) : .afterDate(date)) }
        case .token(let token):
            let named = withHistory.compactMap { store, database -> Parts.Element? in
                guard let number = token.transactions[store.identifier] else { return nil }
                return (store, database, request.isDeletion ? .beforeTransaction(number) : .afterTransaction(number))
            }
            if named.isEmpty && !token.transactions.isEmpty { throw unknownStores(of: token) }
            return named
        }
    }

    /// The error of a token whose stores the coordinator doesn't have, with Apple's code, which has no name.
    private func unknownStores(of token: NSPersistentHistoryToken) -> NSError {
        let names = token.transactions.keys.sorted().joined(separator: ", ")
        let message = "Unable to find stores referenced in History Token: \(names)"
        return CoreDataErrors.error(
            134501, message: message, reason: message,
            suggestion: "Use a token of a store of this coordinator, or nil for the whole history.")
    }

    /// Whether a store has a history, so that saves into it have to be recorded.
    package final func hasHistory(_ store: NSPersistentStore) -> Bool {
        store.historyDatabase?.hasHistory ?? false
    }

    /// The transactions with some numbers and their changes, in order, so that a long history is read in parts.
    ///
    /// - Throws: the errors of the stores.
    package final func historyTransactions(
        numbers: [Int64], of store: NSPersistentStore
    ) throws -> [NSPersistentHistoryTransaction] {
        guard let database = store.historyDatabase else { return [] }
        return try read(database) {
            try $0.history(.transactions(numbers), content: .transactionsAndChanges)
        }.map { NSPersistentHistoryTransaction($0, changes: $0.changes ?? []) }
    }

    /// The number of changes of a transaction; 0 if it was deleted.
    ///
    /// - Throws: the errors of the stores.
    package final func historyChangeCount(ofTransaction number: Int64, of store: NSPersistentStore) throws -> Int {
        guard let database = store.historyDatabase else { return 0 }
        return try read(database) { try $0.changeCount(.transactions([number])) }
    }

    // MARK: Deleting

    private func deleteHistory(_ parts: Parts, _ type: NSPersistentHistoryResultType) throws -> Any? {
        var objectIDs: [NSManagedObjectID] = []
        var count = 0
        try access.save {
            for (_, database, range) in parts {
                if type == .objectIDs {
                    objectIDs += Self.objectIDs(try database.history(range, content: .transactionsAndChanges))
                }
                let deleted = try database.deleteHistory(range)
                count += deleted.changes
            }
        }
        for part in parts { remoteChanges.check(part.store) }
        switch type {
        case .statusOnly: return NSNumber(value: true)
        case .count: return NSNumber(value: count)
        case .objectIDs: return objectIDs
        case .transactionsOnly, .changesOnly, .transactionsAndChanges: return [Any]()
        }
    }

    // MARK: Fetching

    private func fetchHistory(_ parts: Parts, _ fetch: HistoryFetch?, _ type: NSPersistentHistoryResultType) throws
        -> Any?
    {
        if fetch == nil && type == .count {
            let count = try access.share { try parts.reduce(0) { try $0 + $1.database.changeCount($1.range) } }
            return NSNumber(value: count)
        }
        guard let fetch else {
            let content: HistoryContent = type == .transactionsOnly ? .transactions : .transactionsAndChanges
            return Self.result(try records(parts, content), type, countsTransactions: false)
        }
        switch fetch.target {
        case .transactions:
            return Self.result(try transactions(parts, fetch, type), type, countsTransactions: true)
        case .changes:
            let changes = Self.changes(try records(parts, .transactionsAndChanges))
            return Self.result(ofChanges: fetch.apply(changes), type)
        }
    }

    private func records(_ parts: Parts, _ content: HistoryContent) throws -> [HistoryTransactionRecord] {
        try access.share { try parts.flatMap { try $0.database.history($0.range, content: content) } }
    }

    /// The transactions that a fetch request selects. Only these are read with their changes, unless the selection
    /// itself needs changes.
    private func transactions(
        _ parts: Parts, _ fetch: HistoryFetch, _ type: NSPersistentHistoryResultType
    ) throws -> [HistoryTransactionRecord] {
        let hasChanges =
            switch type {
            case .statusOnly, .count, .transactionsOnly: false
            case .objectIDs, .changesOnly, .transactionsAndChanges: true
            }
        if !fetch.needsChanges, !hasChanges || fetch.isSelective {
            let limit = parts.count == 1 ? fetch.leadingCount : nil
            let found = try access.share { try parts.map { try $0.database.transactions($0.range, limit: limit) } }
            let selected = Self.selected(found.flatMap { $0 }, fetch)
            guard hasChanges else { return selected }
            if let complete = try withChanges(selected, found, parts) { return complete }
            // History was deleted between the two requests. One request for transactions and changes finds both of one
            // state.
        }
        return Self.selected(try records(parts, .transactionsAndChanges), fetch)
    }

    private static func selected(
        _ records: [HistoryTransactionRecord], _ fetch: HistoryFetch
    ) -> [HistoryTransactionRecord] {
        fetch.apply(records.map { NSPersistentHistoryTransaction($0, changes: $0.changes) }).map(\.record)
    }

    /// Reads selected transactions again, with their changes.
    ///
    /// - Parameters:
    ///   - selected: the selected transactions.
    ///   - found: the transactions of each part, among them the selected ones.
    /// - Returns: the transactions in the order of the selection; nil if one is missing.
    private func withChanges(
        _ selected: [HistoryTransactionRecord], _ found: [[HistoryTransactionRecord]], _ parts: Parts
    ) throws -> [HistoryTransactionRecord]? {
        let ids = Set(selected.map { ObjectIdentifier($0) })
        var complete: [ObjectIdentifier: HistoryTransactionRecord] = [:]
        for (part, records) in zip(parts, found) {
            // In the order of their numbers, as the store returns them.
            let wanted = records.filter { ids.contains(ObjectIdentifier($0)) }
            if wanted.isEmpty { continue }
            let read = try read(part.database) {
                try $0.history(.transactions(wanted.map(\.number)), content: .transactionsAndChanges)
            }
            guard read.count == wanted.count else { return nil }
            for (one, other) in zip(wanted, read) { complete[ObjectIdentifier(one)] = other }
        }
        return selected.compactMap { complete[ObjectIdentifier($0)] }
    }

    private static func changes(_ records: [HistoryTransactionRecord]) -> [NSPersistentHistoryChange] {
        records.flatMap { record in
            (record.changes ?? []).map { NSPersistentHistoryChange($0, of: record) }
        }
    }

    private static func objectIDs(_ records: [HistoryTransactionRecord]) -> [NSManagedObjectID] {
        var known: Set<NSManagedObjectID> = []
        return records.flatMap { $0.changes ?? [] }.map(\.objectID).filter { known.insert($0).inserted }
    }

    /// The result of a request for transactions.
    private static func result(
        _ records: [HistoryTransactionRecord], _ type: NSPersistentHistoryResultType, countsTransactions: Bool
    ) -> Any? {
        switch type {
        case .statusOnly: NSNumber(value: true)
        case .objectIDs: objectIDs(records)
        case .count:
            NSNumber(value: countsTransactions ? records.count : records.reduce(0) { $0 + ($1.changes?.count ?? 0) })
        case .transactionsOnly: records.map { NSPersistentHistoryTransaction($0, changes: nil) }
        case .changesOnly: changes(records)
        case .transactionsAndChanges: records.map { NSPersistentHistoryTransaction($0, changes: $0.changes ?? []) }
        }
    }

    /// The result of a request for changes. Transactions have the selected changes only.
    private static func result(ofChanges changes: [NSPersistentHistoryChange], _ type: NSPersistentHistoryResultType)
        -> Any?
    {
        switch type {
        case .statusOnly: return NSNumber(value: true)
        case .count: return NSNumber(value: changes.count)
        case .changesOnly: return changes
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            return changes.map(\.changedObjectID).filter { known.insert($0).inserted }
        case .transactionsOnly, .transactionsAndChanges:
            var order: [HistoryTransactionRecord] = []
            var selected: [ObjectIdentifier: [HistoryChangeRecord]] = [:]
            for change in changes {
                let id = ObjectIdentifier(change.transactionRecord)
                if selected[id] == nil { order.append(change.transactionRecord) }
                selected[id, default: []].append(change.record)
            }
            return order.map {
                NSPersistentHistoryTransaction(
                    $0, changes: type == .transactionsOnly ? nil : selected[ObjectIdentifier($0)] ?? [])
            }
        }
    }

    // MARK: Tokens

    /// The newest transaction of each store that has a history; nil if there is no such store.
    final func newestToken(of stores: [NSPersistentStore]) throws -> NSPersistentHistoryToken? {
        var transactions: [String: Int64] = [:]
        try access.share {
            for store in stores {
                guard let database = store.historyDatabase, database.hasHistory else { continue }
                transactions[store.identifier] = try database.newestTransaction()
            }
        }
        return transactions.isEmpty ? nil : NSPersistentHistoryToken(transactions)
    }

    /// The result of ``currentPersistentHistoryToken(fromStores:)``. An error is logged.
    final func currentToken(of stores: [NSPersistentStore]) -> NSPersistentHistoryToken? {
        do {
            return try newestToken(of: stores)
        } catch {
            CoreDataLog.error("The history of a store can't be read: \(error.localizedDescription)")
            return nil
        }
    }
}
