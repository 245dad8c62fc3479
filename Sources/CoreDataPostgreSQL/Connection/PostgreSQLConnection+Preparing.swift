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

    /// Prepares a statement, in a round trip of its own.
    ///
    /// - Returns: the name of the statement.
    func prepare(_ key: PostgreSQLStatementCache.Key) throws -> String {
        let handle = try openHandle(key.text)
        deallocateStatements(handle)
        let name = statements.nextName()
        roundTripCount += 1
        let result = key.types.withUnsafeBufferPointer {
            PQprepare(handle, name, key.text, Int32($0.count), $0.baseAddress)
        }
        _ = try complete(result, key.text)
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
            leavePipeline(handle)
            return try complete(preparation, key.text)
        }
        PQclear(preparation)
        statements.insert(key, name: name)
        if !execution.isCopying { leavePipeline(handle) }
        return try complete(execution, key.text)
    }

    /// Executes statements without parameters, then prepares and executes another one, in one round trip.
    func prepareAndExecute(
        _ key: PostgreSQLStatementCache.Key, after first: [String]
    ) throws -> PostgreSQLResult {
        deallocateStatements(try openHandle(key.text))
        let name = statements.nextName()
        let result = try execute(first, thenSelect: key.text, named: name, preparing: true)
        statements.insert(key, name: name)
        return result
    }

    /// Executes statements without parameters and a select that is prepared, in one round trip.
    ///
    /// - Parameter prepares: whether the select must be prepared with that name first.
    func execute(
        _ first: [String], thenSelect select: String, named name: String, preparing prepares: Bool = false
    ) throws -> PostgreSQLResult {
        let handle = try openHandle(select)
        roundTripCount += 1
        guard PQenterPipelineMode(handle) != 0 else { throw failure(nil, select) }
        let isSent =
            first.allSatisfy { PQsendQueryParams(handle, $0, 0, nil, nil, nil, nil, 0) != 0 }
            && (!prepares || PQsendPrepare(handle, name, select, 0, nil) != 0)
            && PQsendQueryPrepared(handle, name, 0, nil, nil, nil, 1) != 0 && PQpipelineSync(handle) != 0
        guard isSent else { throw brokenPipeline(select) }
        var failed: (result: OpaquePointer?, text: String)?
        for text in first + (prepares ? [select] : []) {
            let result = nextResult(handle)
            let status = PQresultStatus(result)
            if failed == nil, status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK {
                failed = (result, text)
            } else {
                PQclear(result)
            }
        }
        let last = nextResult(handle)
        leavePipeline(handle)
        guard let failed else { return try complete(last, select) }
        PQclear(last)
        return try complete(failed.result, failed.text)
    }

    /// The failure of a pipeline of which it is unknown what has been sent.
    private func brokenPipeline(_ text: String) -> PostgreSQLFailure {
        var failure = failure(nil, text)
        failure.isConnectionLost = true
        close()
        return failure
    }

    /// The result of the next statement in a pipeline.
    private func nextResult(_ handle: OpaquePointer) -> OpaquePointer? {
        let result = PQgetResult(handle)
        // A null ends the results of a statement. In COPY there is none.
        while result != nil, !result.isCopying, let further = PQgetResult(handle) { PQclear(further) }
        return result
    }

    private func leavePipeline(_ handle: OpaquePointer) {
        PQclear(PQgetResult(handle))
        _ = PQexitPipelineMode(handle)
    }

    /// Removes statements from the server that the cache has dropped, when there are enough of them.
    private func deallocateStatements(_ handle: OpaquePointer) {
        guard transactionStatus != .failed, let text = statements.takeDeallocation() else { return }
        roundTripCount += 1
        PQclear(PQexec(handle, text))
    }
}

extension OpaquePointer? {
    fileprivate var isCopying: Bool {
        let status = PQresultStatus(self)
        return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
    }
}

extension PostgreSQLFailure {
    /// Whether the server has forgotten a prepared statement, or can't use it after a change of a table.
    var concernsPreparedStatement: Bool {
        sqlState == State.featureNotSupported || sqlState == State.invalidStatementName
    }
}
