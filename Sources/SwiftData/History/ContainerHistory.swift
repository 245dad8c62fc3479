// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The history of a container's stores.
struct ContainerHistory {
    private let managed: ManagedContext
    private let core: ContainerCore

    init(_ context: ModelContext) {
        managed = context.managed
        core = context.core
    }

    // MARK: Fetching

    /// Transactions in the order of the descriptor, or else in the order of the saves.
    ///
    /// - Throws: `SwiftDataError.historyTokenExpired`, `SwiftDataError.invalidTransactionFetchRequest`, and the errors
    ///   of the stores.
    func transactions(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws
        -> [DefaultHistoryTransaction]
    {
        let bound = HistoryBound(of: descriptor.predicate)
        try check(bound.tokens)
        return try descriptor.selected(from: transactions(after: bound.token))
    }

    private func transactions(after token: DefaultHistoryToken?) throws -> [DefaultHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: token?.tokenValue.map { NSPersistentHistoryToken($0) })
        let transactions = try execute(request) as? [NSPersistentHistoryTransaction] ?? []
        let converted = transactions.map { DefaultHistoryTransaction($0, schema: core.schema) }
        // The stores answer one after the other.
        return core.stores.configurations.count > 1 ? converted.sorted { $0.timestamp < $1.timestamp } : converted
    }

    private func execute(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
        do {
            return (try managed.execute(request) as? NSPersistentHistoryResult)?.result
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            switch error.code {
            case NSPersistentHistoryTokenExpiredError:
                throw SwiftDataError(.historyTokenExpired, Self.text(of: error))
            case NSPersistentStoreUnsupportedRequestTypeError:
                throw SwiftDataError(
                    .invalidTransactionFetchRequest, "No store of the container records its history.")
            default: throw error
            }
        }
    }

    private static func text(of error: NSError) -> String {
        [error.localizedDescription, error.userInfo[NSLocalizedFailureReasonErrorKey] as? String]
            .compactMap { $0 }.joined(separator: " ")
    }

    /// Refuses tokens of which the container has no store.
    private func check(_ tokens: [DefaultHistoryToken]) throws {
        let known = Set(core.coordinator.persistentStores.compactMap(\.identifier))
        for token in tokens {
            let stores = Set((token.tokenValue ?? [:]).keys)
            guard !stores.isEmpty, stores.isDisjoint(with: known) else { continue }
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                """
                The history token is of another store (\(stores.sorted().joined(separator: ", "))). Those of the \
                container are: \(known.sorted().joined(separator: ", ")).
                """)
        }
    }

    // MARK: Deleting

    /// Deletes transactions. The remaining transactions can be fetched. If transactions at the beginning of the history
    /// were deleted, tokens before them are expired.
    func delete(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        if descriptor.predicate == nil, descriptor.fetchLimit == 0 {
            _ = try execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
            return
        }
        let selected = try transactions(descriptor)
        for (store, transactions) in Dictionary(grouping: selected, by: \.storeIdentifier) {
            let request = NSPersistentHistoryChangeRequest.deleteHistory(
                transactions: transactions.map(\.transactionIdentifier))
            request.affectedStores = core.coordinator.persistentStores.filter { $0.identifier == store }
            _ = try execute(request)
        }
    }

    // MARK: Tokens

    /// The newest transactions of the stores; nil if none has a history.
    static func newestToken(of coordinator: NSPersistentStoreCoordinator) -> DefaultHistoryToken? {
        coordinator.currentPersistentHistoryToken(fromStores: nil).map { DefaultHistoryToken($0.transactions) }
    }
}
