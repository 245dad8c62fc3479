import OpenCoreData

extension ModelContext {
    /// Fetches transactions of the history: what contexts of all processes have saved.
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
    /// - Throws: `SwiftDataError.historyTokenExpired` if transactions behind a token were deleted;
    ///   `SwiftDataError.invalidTransactionFetchRequest` for a token of another store, and if no store has
    ///   transactions of the type; the errors of the stores.
    public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T] {
        if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> {
            return try ContainerHistory(self).transactions(descriptor) as? [T] ?? []
        }
        throw noHistory(T.self)
    }

    /// Deletes transactions of the history. Models are not changed.
    ///
    /// - Parameter descriptor: which transactions.
    /// - Throws: as ``fetchHistory(_:)``.
    public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
        guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
            throw noHistory(T.self)
        }
        try ContainerHistory(self).delete(descriptor)
    }

    private func noHistory(_ type: any HistoryTransaction.Type) -> SwiftDataError {
        SwiftDataError(.invalidTransactionFetchRequest, "No store of the container has a history of \(type).")
    }
}
