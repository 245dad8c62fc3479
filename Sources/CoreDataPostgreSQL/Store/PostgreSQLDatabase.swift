// SPDX-License-Identifier: Apache-2.0

/// The rows of a store in one schema of a PostgreSQL database.
///
/// Every request takes a connection of the pool, so that requests of several threads run at the same time. All contexts
/// of the coordinator share the row cache.
final class PostgreSQLDatabase: PostgreSQLSource, @unchecked Sendable {
    /// The parts of a store while it is open.
    final class OpenStore: Sendable {
        let location: PostgreSQLLocation
        let pool: PostgreSQLConnectionPool<PostgreSQLSession>
        private let opened: OpenedPostgreSQLStore
        let layouts: ModelLayout
        let keys = PostgreSQLKeyReserve()
        let limits = Locked(PostgreSQLLimits())
        let notifier: PostgreSQLNotifier
        /// Where to listen: behind a pooler that passes no notices on, the server itself. Nil if that is unknown.
        let listenerLocation: PostgreSQLLocation?
        let generations: PostgreSQLGenerations
        /// Where fetches read; nil for a store without replicas.
        let replicas: PostgreSQLReplicaSource?

        var schema: SQLSchema { opened.schema }
        var history: PostgreSQLHistoryTables? { opened.history }
        var modelNumber: Int? { opened.modelNumber }
        var modelTableOID: Int64? { opened.modelTableOID }

        init(
            _ opened: OpenedPostgreSQLStore, location: PostgreSQLLocation,
            pool: PostgreSQLConnectionPool<PostgreSQLSession>, layouts: ModelLayout, notifier: PostgreSQLNotifier,
            listenerLocation: PostgreSQLLocation?, replicas: PostgreSQLReplicaSource?
        ) {
            self.opened = opened
            self.location = location
            self.pool = pool
            self.layouts = layouts
            self.notifier = notifier
            self.listenerLocation = listenerLocation
            self.replicas = replicas
            generations = PostgreSQLGenerations(limit: max(1, location.poolSize / 3))
        }
    }

    /// Why a store has no connections.
    enum Closing {
        /// The store was removed from its coordinator.
        case removed
        /// The store was destroyed, or replaced by another one.
        case destroyed, replaced
        /// Another process has migrated the store to a model that this one doesn't know.
        case migrated
    }

    private struct State {
        var open: OpenStore?
        var closing = Closing.removed
        var identity = StoreIdentity(uuid: "")
        /// The metadata of the store, how many times it was set, and how many of these changes are in the database.
        var metadata: [String: Any] = [:]
        var metadataChanges = 0
        var writtenMetadata = 0
        var noticeCount: Int64 = 0
    }

    let rowCache = RowCache()
    let statistics = ConnectionStatistics()
    let faultMonitor = PostgreSQLFaultMonitor()
    private let state = Locked(State())

    /// The identity of the store that has the rows.
    var identity: StoreIdentity { state.withLock { $0.identity } }

    var fetchSource: any SnapshotSource { state.withLock { $0.open?.replicas } ?? self }

    /// Begins to use the connections of a store.
    ///
    /// - Parameters:
    ///   - open: the parts of the store.
    ///   - identity: the identity of the store.
    ///   - metadata: the metadata that the database has.
    func open(_ open: OpenStore, _ identity: StoreIdentity, metadata: [String: Any]) {
        identity.setRowCache(rowCache)
        state.withLock {
            $0.open = open
            $0.identity = identity
            $0.metadata = metadata
            $0.writtenMetadata = $0.metadataChanges
        }
    }

    /// Closes the connections, for instance because the store is going to be destroyed. Requests throw from now on.
    func close(_ reason: Closing) {
        let open = state.withLock { state in
            defer {
                state.open = nil
                state.closing = reason
            }
            return state.open
        }
        open?.notifier.finish()
        open?.generations.closeAll()
        open?.replicas?.replicas.close()
        open?.pool.close()
        rowCache.removeAll()
    }

    // MARK: Access

    /// - Throws: `NSPersistentStoreOperationError` (134070) for a store that was removed from its coordinator,
    ///   destroyed or replaced, `NSPersistentStoreIncompatibleVersionHashError` (134100) for a store that was migrated.
    func requireOpen() throws -> OpenStore {
        let (open, closing) = state.withLock { ($0.open, $0.closing) }
        if let open { return open }
        throw closedError(closing)
    }

    private func closedError(_ closing: Closing) -> NSError {
        let text: ClosedStoreText =
            switch closing {
            case .removed: .removed
            case .destroyed: .destroyed
            case .replaced: .replaced
            case .migrated:
                .again(
                    "Another process has migrated it to a version of the model with which this one can\u{2019}t go on.",
                    "with the newest version of the model")
            }
        let url = identity.store?.url?.withoutSecrets ?? URL(fileURLWithPath: "/")
        return text.error(
            closing == .migrated ? NSPersistentStoreIncompatibleVersionHashError : NSPersistentStoreOperationError,
            of: url.absoluteString, userInfo: [NSURLErrorKey: url])
    }

    /// Runs a block that reads with a connection of the pool. A connection that was lost is replaced once.
    func read<Result>(_ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        let open = try requireOpen()
        return try PostgreSQLStoreErrors.converting(open.location.publicURL, .reading) {
            do {
                return try withSession(open, body)
            } catch let failure as PostgreSQLFailure where failure.isConnectionLost {
                open.pool.closeIdleConnections()
                return try withSession(open, body)
            } catch let failure as PostgreSQLFailure where failure.concernsTables {
                try checkModel()
                throw failure
            }
        }
    }

    /// Checks that no other process has migrated the store to a model that this process doesn't know, destroyed the
    /// store, or made another store in its schema. If one has, the store is closed.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100), and `NSPersistentStoreOperationError`
    ///   (134070).
    func checkModel() throws {
        let open = try requireOpen()
        guard let refusal = try withSession(open, { try $0.refusal(of: open) }) else { return }
        close(refusal)
        throw closedError(refusal)
    }

    /// Closes the store, which no longer accepts this program's saves, and makes the error that says why.
    func refusalError() -> NSError {
        do {
            try checkModel()
            // Only another process that has put the store back can have made it accept saves again.
            close(.replaced)
            return closedError(.replaced)
        } catch {
            return error as NSError
        }
    }

    /// Runs a block with a connection of the pool. Its statements end when the current task is cancelled.
    func withSession<Result>(_ open: OpenStore, _ body: (PostgreSQLSession) throws -> Result) throws -> Result {
        try open.pool.withConnection { session in
            try session.connection.cancellable(FetchControl.current) { try body(session) }
        }
    }

    // MARK: Metadata

    /// Whether metadata was set that no save has written.
    var hasMetadataChanges: Bool { state.withLock { $0.metadataChanges > $0.writtenMetadata } }

    /// Sets the metadata that the next save writes.
    func setMetadata(_ metadata: [String: Any]) {
        state.withLock { state in
            guard state.open != nil else { return }
            state.metadata = metadata
            state.metadataChanges += 1
        }
    }

    /// The metadata, and how many times it has been set.
    var presentMetadata: (values: [String: Any], count: Int) { state.withLock { ($0.metadata, $0.metadataChanges) } }

    /// Notes that the database has the metadata.
    ///
    /// - Parameter count: how many times it had been set before it was written. Another thread may have set it since.
    func didWriteMetadata(through count: Int) {
        state.withLock { $0.writtenMetadata = max($0.writtenMetadata, count) }
    }

    /// Removes a value of the metadata that the database has no longer.
    func forgetMetadata(_ key: String) { state.withLock { $0.metadata[key] = nil } }

    // MARK: Notices

    /// The number of notices of commits that the store has got.
    var noticeCount: Int64 { state.withLock { $0.noticeCount } }

    func didReceiveNotice() {
        // A fetch after the notice must find the changes that the notice announces.
        if let open = try? requireOpen(), let replicas = open.replicas?.replicas {
            do {
                try withSession(open) { replicas.requirePresent($0) }
            } catch {
                replicas.requireServer()
            }
        }
        state.withLock { $0.noticeCount += 1 }
    }
}
