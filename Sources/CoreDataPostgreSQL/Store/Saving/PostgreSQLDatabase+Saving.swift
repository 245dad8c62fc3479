// SPDX-License-Identifier: Apache-2.0

extension PostgreSQLDatabase: StoreDatabase {
    func allocateKeys(_ layouts: [EntityLayout]) throws -> [Int64] {
        let open = try requireOpen()
        return try read { session in
            try PermanentKeys.allocate(layouts) { root, count in
                try open.keys.reserve(root: root, count: count, run: session.serverRun) {
                    try session.reserveKeys(open.layouts[root], count: $0)
                }
            }
        }
    }

    func reserveKeys(through last: [UInt32: Int64]) throws {
        let open = try requireOpen()
        try read { session in
            for (root, key) in last.sorted(by: { $0.key < $1.key }) {
                let table = try session.plans.entity(open.layouts[root]).tableName
                let sequence = session.dialect.table(PostgreSQLDefinition.sequence(table))
                _ = try session.execute(
                    "SELECT setval($1::text::regclass, GREATEST(nextval($1::text::regclass), $2))",
                    [.text(sequence), .integer(key)])
            }
        }
        open.keys.removeAll()
    }

    var takesCopyInOneSave: Bool { false }

    func computedOnSave(_ layout: EntityLayout) throws -> [PropertySlot] {
        try read { try $0.plans.computedProperties(layout) }
    }

    func save(_ changes: StoreChanges, beforeCommit: () throws -> Void) throws -> StoreSaveResult {
        let open = try requireOpen()
        return try writing(open) { session, _ in
            PostgreSQLSaveEngine(session, open)
        } _: { session, engine in
            var metadataCount: Int?
            var result = try SQLSave(changes, engine: engine).run {
                try engine.begin()
                if hasMetadataChanges { metadataCount = try writeMetadata(session) }
                // Other stores may commit now: from here on the save is not repeated.
                engine.forbidRepetition()
                try beforeCommit()
            }
            if let metadataCount { didWriteMetadata(through: metadataCount) }
            open.notifier.didCommit(result.transaction ?? 0)
            result.transaction = engine.historyPosition(result.transaction)
            return result
        }
    }

    /// Runs a block that writes in a transaction, with a connection of the pool. The block is repeated if the
    /// transaction was in conflict with another one, or if its connection was lost, before it could have been
    /// committed.
    ///
    /// - Parameters:
    ///   - makeEngine: makes the engine of an attempt, whose number it gets.
    ///   - body: writes with the engine, and commits.
    /// - Throws: Core Data's errors.
    func writing<Result>(
        _ open: OpenStore, _ makeEngine: (PostgreSQLSession, Int) throws -> PostgreSQLSaveEngine,
        _ body: (PostgreSQLSession, PostgreSQLSaveEngine) throws -> Result
    ) throws -> Result {
        try PostgreSQLStoreErrors.converting(open.location.publicURL, .writing) {
            var isRepeatable = true
            return try PostgreSQLRepetition.run { error in
                if error is StoreRefusesSaves { throw refusalError() }
                guard let failure = error as? PostgreSQLFailure else { return false }
                if failure.concernsTables { try checkModel() }
                if failure.isConnectionLost { open.pool.closeIdleConnections() }
                return failure.isTransient && isRepeatable
            } _: { attempt in
                isRepeatable = true
                return try withSession(open) { session in
                    let engine = try makeEngine(session, attempt)
                    defer {
                        isRepeatable = engine.isRepeatable
                        // A later fetch must find the changes of this transaction, or of the transaction that it was in
                        // conflict with.
                        open.replicas?.replicas.requirePresent(session)
                    }
                    return try body(session, engine)
                }
            }
        }
    }

    /// Writes the metadata in the open transaction.
    ///
    /// - Returns: how many times it had been set.
    private func writeMetadata(_ session: PostgreSQLSession) throws -> Int {
        try PostgreSQLStoreMetadata.lock(session.connection, session.dialect)
        // Read under the lock: of two saves the last one writes the newest metadata.
        let (metadata, count) = presentMetadata
        try PostgreSQLStoreMetadata(identifier: identity.uuid, replacedBy: metadata)
            .writeKeepingModel(on: session.connection, session.dialect)
        return count
    }
}
