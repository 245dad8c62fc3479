// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

extension PostgreSQLConnection {
    /// Runs a body with the name of a prepared statement.
    ///
    /// If the server has forgotten the statement, or can't use it after a change of a table, it is prepared again,
    /// once: outside of a transaction block, since an error ends the block.
    ///
    /// - Parameters:
    ///   - text: the statement.
    ///   - parameters: its parameters. Their types belong to the statement.
    ///   - body: executes a statement that is prepared.
    ///   - unprepared: prepares and executes a statement that isn't.
    func withStatement<Result>(
        _ text: String, _ parameters: PostgreSQLParameters, _ body: (String) throws -> Result,
        unprepared: (PostgreSQLStatementCache.Key) throws -> Result
    ) throws -> Result {
        let key = PostgreSQLStatementCache.Key(text: text, types: parameters.types)
        guard let known = statements.name(for: key) else { return try unprepared(key) }
        do {
            return try body(known)
        } catch let failure as PostgreSQLFailure where failure.concernsPreparedStatement {
            statements.remove(key, isKnownToServer: failure.sqlState != PostgreSQLFailure.State.invalidStatementName)
            guard isUsable, transactionStatus == .idle else { throw failure }
            return try unprepared(key)
        }
    }

    /// Prepares a statement, in a separate round trip.
    ///
    /// - Returns: the name of the statement.
    func prepare(_ key: PostgreSQLStatementCache.Key) throws -> String {
        let handle = try openHandle(key.text)
        deallocateStatements(handle)
        let name = statements.nextName()
        roundTripCount += 1
        let isSent = key.types.withUnsafeBufferPointer {
            PQsendPrepare(handle, name, key.text, Int32($0.count), $0.baseAddress) != 0
        }
        _ = try complete(lastResult(handle, isSent: isSent), key.text)
        statements.insert(key, name: name)
        return name
    }

    /// Prepares and executes a statement in one round trip.
    func prepareAndExecute(
        _ key: PostgreSQLStatementCache.Key, _ parameters: PostgreSQLParameters
    ) throws -> PostgreSQLResult {
        let handle = try openHandle(key.text)
        deallocateStatements(handle)
        let name = statements.nextName()
        roundTripCount += 1
        guard PQenterPipelineMode(handle) != 0 else { throw failure(nil, key.text) }
        let isSent = parameters.withArguments {
            PQsendPrepare(handle, name, key.text, $0.count, $0.types) != 0
                && PQsendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1) != 0
                && PQpipelineSync(handle) != 0
        }
        guard isSent else { throw brokenPipeline(key.text) }
        let preparation = nextResult(handle)
        let execution = nextResult(handle)
        guard PQresultStatus(preparation) == PGRES_COMMAND_OK else {
            PQclear(execution)
            endPipeline(handle)
            return try complete(preparation, key.text)
        }
        PQclear(preparation)
        statements.insert(key, name: name)
        if !execution.isCopying { endPipeline(handle) }
        return try complete(execution, key.text)
    }

    /// Removes statements from the server that the cache has dropped, when there are enough of them.
    func deallocateStatements(_ handle: OpaquePointer) {
        guard transactionStatus != .failed, let text = statements.takeDeallocation() else { return }
        roundTripCount += 1
        PQclear(lastResult(handle, ofScript: text))
    }
}

extension PostgreSQLFailure {
    /// Whether the server has forgotten a prepared statement, or can't use it after a change of a table.
    var concernsPreparedStatement: Bool {
        sqlState == State.featureNotSupported || sqlState == State.invalidStatementName
    }
}
