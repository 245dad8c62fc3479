// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLDatabase: HistoryDatabase {
    private var isReadOnly: Bool { identity.store?.isReadOnly ?? true }

    var hasHistory: Bool { (try? requireOpen())?.history != nil }

    func newestTransaction() throws -> Int64 {
        guard hasHistory else { return 0 }
        return try readHistory { try $0.newestTransaction() }
    }

    func history(_ range: HistoryRange, content: HistoryContent) throws -> [HistoryTransactionRecord] {
        try readHistory { reader in
            try reader.checked(range) {
                let transactions = try reader.transactions(range)
                if content == .transactionsAndChanges { try reader.addChanges(range, to: transactions) }
                return transactions
            }
        }
    }

    func transactions(_ range: HistoryRange, limit: Int?) throws -> [HistoryTransactionRecord] {
        try readHistory { reader in
            try reader.checked(range) { try reader.transactions(range, limit: limit) }
        }
    }

    func changeCount(_ range: HistoryRange) throws -> Int {
        try readHistory { reader in
            try reader.checked(range) { try reader.changeCount(range) }
        }
    }

    func deleteHistory(_ range: HistoryRange) throws -> (transactions: Int, changes: Int) {
        guard !isReadOnly else {
            let url = try requireOpen().location.publicURL
            throw HistoryErrors.readOnly(url.absoluteString, userInfo: [NSURLErrorKey: url])
        }
        return try readHistory { reader in
            try reader.inTransaction { try reader.delete(range) }
        }
    }

    private func readHistory<Result>(_ body: (PostgreSQLHistoryReader) throws -> Result) throws -> Result {
        let open = try requireOpen()
        return try read { session in
            guard let tables = try session.history(open) else {
                throw CoreDataErrors.error(
                    NSPersistentStoreUnsupportedRequestTypeError, "The store has no history.",
                    reason: "It was not opened with NSPersistentHistoryTrackingKey.")
            }
            // A fetch that follows finds the objects of the transactions that the process has heard of.
            defer { open.replicas?.replicas.requirePresent(session) }
            return try body(
                PostgreSQLHistoryReader(session, tables, schema: open.location.schema, identity: identity))
        }
    }

    // MARK: Commits

    /// The newest transaction; without a history, the number of notices of commits.
    func commitState() throws -> StoreCommitState {
        StoreCommitState(others: hasHistory ? try newestTransaction() : noticeCount, own: 0)
    }

    func observeCommits(_ handler: @escaping @Sendable () -> Void) -> AnyObject? {
        guard let open = try? requireOpen(), let location = open.listenerLocation else { return nil }
        return PostgreSQLListener(
            location, channel: PostgreSQLNotifier.channel(schema: open.location.schema),
            handler: { [weak self] _ in
                self?.didReceiveNotice()
                // The notice may come from a migration, which closes the store.
                try? self?.checkModel()
                handler()
            },
            reconnected: { [weak self] in
                // Without a history no number tells whether other processes have committed while the connection was
                // lost. The store assumes that they have.
                if self?.hasHistory == false { self?.didReceiveNotice() }
            },
            caughtUp: { handler() })
    }
}
