// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

extension ModelContext {
    /// Fetches transactions of the history: the saves of contexts in all processes.
    ///
    /// ```swift
    /// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    /// if let token { descriptor.predicate = #Predicate { $0.token > token && $0.author != "import" } }
    /// let transactions = try context.fetchHistory(descriptor)
    /// token = transactions.last?.token ?? token
    /// ```
    ///
    /// - Parameter descriptor: which transactions, in which order.
    /// - Returns: the transactions.
    /// - Throws: `SwiftDataError.historyTokenExpired` if transactions after a token were deleted;
    ///   `SwiftDataError.invalidTransactionFetchRequest` for a token of another store, and if no store has transactions
    ///   of the type; the errors of the stores.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        var answers = try historyProviders.compactMap { bridge, store in
            try bridge.calling { try store.transactions(descriptor) }
        }
        if answers.isEmpty || !core.stores.configurations.isEmpty,
            let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>
        {
            answers.append(try ContainerHistory(self).transactions(descriptor) as? [T] ?? [])
        }
        guard !answers.isEmpty else { throw noHistory(T.self) }
        return answers.count == 1 ? answers[0] : try descriptor.selected(from: answers.flatMap { $0 })
    }

    /// Deletes transactions of the history. Models are not changed.
    ///
    /// - Parameter descriptor: which transactions.
    /// - Throws: as ``fetchHistory(_:)``.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        var isDeleted = false
        for (bridge, store) in historyProviders where try bridge.calling({ try store.deleteTransactions(descriptor) }) {
            isDeleted = true
        }
        if !isDeleted || !core.stores.configurations.isEmpty,
            let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>
        {
            return try ContainerHistory(self).delete(descriptor)
        }
        guard isDeleted else { throw noHistory(T.self) }
    }

    /// The custom stores with a history.
    private var historyProviders: [(DataStoreBridge, any HistoryProviding)] {
        core.ownStores.bridges.compactMap { bridge in
            (bridge.dataStore as? any HistoryProviding).map { (bridge, $0) }
        }
    }

    private func noHistory(_ type: any HistoryTransaction.Type) -> SwiftDataError {
        SwiftDataError(.invalidTransactionFetchRequest, "No store of the container has a history of \(type).")
    }
}
