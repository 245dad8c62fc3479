import CoreData
import Testing

/// A store leaves unread what a fetch request doesn't need of its history, and the results are the same. Some requests
/// select by more than Apple's stores can in SQL.
@Suite("Limits of requests on the history")
struct HistoryLimitTests {
    private typealias Request = NSPersistentHistoryChangeRequest
    private typealias Fetch = NSFetchRequest<any NSFetchRequestResult>

    private static let types: [NSPersistentHistoryResultType] = [
        .statusOnly, .objectIDs, .count, .transactionsOnly, .changesOnly, .transactionsAndChanges,
    ]

    /// Saves twelve transactions of two authors and of none, with one to four changes.
    private static func fill(_ context: NSManagedObjectContext, _ store: NSPersistentStore) throws {
        let authors: [String?] = [nil, "app", "import"]
        for number in 0..<12 {
            context.transactionAuthor = authors[number % 3]
            for _ in 0...number % 4 { context.assign(context.make("Tag", "\(number)"), to: store) }
            try context.save()
        }
    }

    private static func predicates(_ token: NSPersistentHistoryToken) -> [NSPredicate?] {
        [
            nil, NSPredicate(format: "author == 'import'"),
            NSPredicate(format: "author == nil OR NOT (author IN {'app'})"),
            NSPredicate(format: "token > %@", argumentArray: [token]), NSPredicate(format: "FALSEPREDICATE"),
            NSPredicate(format: "changes.@count > 2"), NSPredicate(format: "ANY changes.changeType == 0"),
            NSPredicate { object, _ in (object as? NSPersistentHistoryTransaction)?.changes?.count == 2 },
        ]
    }

    /// Orders of the transactions of two stores, each complete.
    private static let orders: [[(key: String, ascending: Bool)]] = [
        [], [("transactionNumber", true), ("storeID", true)], [("transactionNumber", false), ("storeID", true)],
        [("storeID", false), ("transactionNumber", true)],
        [("author", true), ("transactionNumber", false), ("storeID", true)],
        [("changes.@count", true), ("transactionNumber", true), ("storeID", true)],
    ]

    /// The transactions of all that a fetch request selects.
    private static func selected(
        _ all: [NSPersistentHistoryTransaction], _ fetch: Fetch
    ) -> [NSPersistentHistoryTransaction] {
        var result = all.filter { fetch.predicate?.evaluate(with: $0) ?? true }
        if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
            result = (result as NSArray).sortedArray(using: descriptors) as? [NSPersistentHistoryTransaction] ?? []
        }
        let rest = result.dropFirst(fetch.fetchOffset)
        return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
    }

    // MARK: Results as texts

    private static func text(_ change: NSPersistentHistoryChange) -> String {
        "\(change.changeID) \(change.text) \(change.changedObjectID.uriRepresentation().absoluteString)"
    }

    private static func text(
        _ transaction: NSPersistentHistoryTransaction, _ changes: [NSPersistentHistoryChange]?
    ) -> String {
        let changes = changes.map { $0.map { text($0) }.joined(separator: ", ") } ?? "no changes"
        return "\(transaction.storeID) \(transaction.transactionNumber) \(transaction.author ?? "nil"): \(changes)"
    }

    /// The result of a request, one text for each element.
    private static func texts(_ request: Request, _ context: NSManagedObjectContext) throws -> [String] {
        let result = (try context.execute(request) as? NSPersistentHistoryResult)?.result
        if let number = result as? NSNumber { return ["\(number.intValue)"] }
        let elements = try requireValue(result as? [NSObject])
        return elements.map { element -> String in
            if let transaction = element as? NSPersistentHistoryTransaction {
                return text(transaction, transaction.changes)
            }
            if let change = element as? NSPersistentHistoryChange { return text(change) }
            return (element as? NSManagedObjectID)?.uriRepresentation().absoluteString ?? "?"
        }
    }

    /// The texts that the result of a request for some transactions has.
    private static func texts(
        _ transactions: [NSPersistentHistoryTransaction], _ type: NSPersistentHistoryResultType
    ) -> [String] {
        let changes = transactions.flatMap { $0.changes ?? [] }
        switch type {
        case .statusOnly: return ["1"]
        case .count: return ["\(transactions.count)"]
        case .transactionsOnly: return transactions.map { text($0, nil) }
        case .transactionsAndChanges: return transactions.map { text($0, $0.changes) }
        case .changesOnly: return changes.map { text($0) }
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            return changes.map(\.changedObjectID).filter { known.insert($0).inserted }
                .map { $0.uriRepresentation().absoluteString }
        @unknown default: return []
        }
    }

    // MARK: Tests

    /// Compares what requests select of a part of the history with what they select of its transactions.
    private static func compare(
        _ all: [NSPersistentHistoryTransaction], _ token: NSPersistentHistoryToken, _ context: NSManagedObjectContext,
        _ makeRequest: () -> Request
    ) throws {
        let fetch = try requireValue(NSPersistentHistoryTransaction.fetchRequest)
        for predicate in predicates(token) {
            for order in orders {
                for (offset, limit) in [(0, 0), (0, 1), (0, 5), (3, 4), (9, 100), (100, 1), (4, 0)] {
                    fetch.predicate = predicate
                    fetch.sortDescriptors = order.map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
                    (fetch.fetchOffset, fetch.fetchLimit) = (offset, limit)
                    let expected = selected(all, fetch)
                    for type in types {
                        let request = makeRequest()
                        request.fetchRequest = fetch
                        request.resultType = type
                        try expectEqual(
                            texts(request, context), texts(expected, type),
                            "\(String(describing: predicate)) \(order) \(offset) \(limit) \(type)")
                    }
                }
            }
        }
    }

    @Test("A limit, an offset, a predicate and an order select of the history as of all its transactions")
    func selections() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            try Self.fill(stack.context, stack.store)
            let all = try stack.context.transactions()
            let (first, middle) = (all[1].token, all[6].token)
            try Self.compare(Array(all[2...]), middle, stack.context) { .fetchHistory(after: first) }
        }
    }

    @Test("The transactions of two stores have the same numbers, and changes of their own")
    func twoStores() throws {
        let stack = try TestStack.tracking()
        let second = try stack.coordinator.addPersistentStore(
            ofType: stack.kind.type, configurationName: nil, at: stack.kind.url("second.sqlite", in: stack.folder),
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try on(stack.context) {
            for store in [stack.store, second] { try Self.fill(stack.context, store) }
            let all = try stack.context.transactions()
            expectEqual(all.count, 24)
            try Self.compare(all, all[6].token, stack.context) { .fetchHistory(after: Date.distantPast) }
        }
    }

    @Test("Transactions that are deleted while a request selects are not in its result, and others have their changes")
    func deletedMeanwhile() throws {
        let stack = try TestStack.tracking()
        try on(stack.context) {
            let context = stack.context
            try Self.fill(context, stack.store)
            let all = try context.transactions()
            let fetch = try requireValue(NSPersistentHistoryTransaction.fetchRequest)
            let isDeleted = NSLock.Guarded(false)
            fetch.fetchLimit = 5
            fetch.sortDescriptors = [
                NSSortDescriptor(key: "transactionNumber", ascending: true) { one, two in
                    let isFirst = isDeleted.withLock { flag in
                        defer { flag = true }
                        return !flag
                    }
                    if isFirst { _ = try? context.execute(Request.deleteHistory(before: all[2])) }
                    guard let one = one as? NSNumber, let two = two as? NSNumber else { return .orderedSame }
                    return one.compare(two)
                }
            ]
            let texts = try Self.texts(.fetchHistory(withFetch: fetch), context)
            expectEqual(texts, Self.texts(Array(all[2..<7]), .transactionsAndChanges))
        }
    }
}
