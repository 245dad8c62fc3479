// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The answer of the server to statements that were sent together.
struct PostgreSQLPipelineAnswer {
    /// The results of the statements before the first that has failed.
    var results: [PostgreSQLResult] = []
    var failure: PostgreSQLFailure?
}

extension PostgreSQLConnection {
    /// Executes prepared statements in one round trip. The same round trip prepares statements that aren't prepared
    /// yet.
    ///
    /// If the server has forgotten a statement, or can't use it after a change of a table, all are executed once more:
    /// outside of a transaction block, since an error ends the block.
    ///
    /// - Throws: `PostgreSQLFailure` if they can't be sent. The failure of a statement is in the answer.
    func executeTogether(
        _ list: [(text: String, parameters: PostgreSQLParameters)]
    ) throws -> PostgreSQLPipelineAnswer {
        let keys = list.map { PostgreSQLStatementCache.Key(text: $0.text, types: $0.parameters.types) }
        let answer = try send(list, keys)
        guard let failure = answer.failure, failure.concernsPreparedStatement else { return answer }
        if failure.sqlState == PostgreSQLFailure.State.invalidStatementName {
            for key in keys { statements.remove(key, isKnownToServer: false) }
        } else {
            statements.remove(keys[answer.results.count], isKnownToServer: true)
        }
        guard isUsable, transactionStatus == .idle else { return answer }
        return try send(list, keys)
    }

    private func send(
        _ list: [(text: String, parameters: PostgreSQLParameters)], _ keys: [PostgreSQLStatementCache.Key]
    ) throws -> PostgreSQLPipelineAnswer {
        let handle = try openHandle(list.first?.text)
        for statement in list { try check(statement.parameters, statement.text) }
        deallocateStatements(handle)
        roundTripCount += 1
        guard PQenterPipelineMode(handle) != 0 else { throw failure(nil, list.first?.text) }
        // The names of the statements that this round trip prepares.
        var newNames: [String?] = []
        for (statement, key) in zip(list, keys) {
            let known = statements.name(for: key)
            let name = known ?? statements.nextName()
            let isSent = statement.parameters.withArguments {
                (known != nil || PQsendPrepare(handle, name, key.text, $0.count, $0.types) != 0)
                    && PQsendQueryPrepared(handle, name, $0.count, $0.values, $0.lengths, $0.formats, 1) != 0
            }
            guard isSent else { throw brokenPipeline(key.text) }
            newNames.append(known == nil ? name : nil)
        }
        guard PQpipelineSync(handle) != 0 else { throw brokenPipeline(keys.last?.text) }
        var answer = PostgreSQLPipelineAnswer()
        for (key, newName) in zip(keys, newNames) {
            if let newName, receive(key.text, into: &answer) != nil { statements.insert(key, name: newName) }
            if let result = receive(key.text, into: &answer) { answer.results.append(result) }
        }
        endPipeline(handle)
        return answer
    }

    /// The next result, nil for a failure and for what follows one.
    private func receive(_ text: String, into answer: inout PostgreSQLPipelineAnswer) -> PostgreSQLResult? {
        // The failure may have closed the connection.
        guard let handle else { return nil }
        let result = nextResult(handle)
        if answer.failure != nil {
            PQclear(result)
            return nil
        }
        do {
            return try complete(result, text)
        } catch let failure as PostgreSQLFailure {
            answer.failure = failure
        } catch {
            answer.failure = self.failure(nil, text)
        }
        return nil
    }

    /// The failure of a pipeline when it is unknown which statements were sent.
    func brokenPipeline(_ text: String?) -> PostgreSQLFailure {
        var failure = failure(nil, text)
        failure.isConnectionLost = true
        close()
        return failure
    }

    /// The result of the next statement in a pipeline.
    func nextResult(_ handle: OpaquePointer) -> OpaquePointer? {
        let result = waitForResult(handle)
        // A null ends the results of a statement. COPY has no such null.
        while result != nil, !result.isCopying, let further = waitForResult(handle) { PQclear(further) }
        return result
    }

    func endPipeline(_ handle: OpaquePointer) {
        PQclear(waitForResult(handle))
        _ = PQexitPipelineMode(handle)
    }
}

extension OpaquePointer? {
    var isCopying: Bool {
        let status = PQresultStatus(self)
        return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
    }
}
