// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// The first request after a start.
    package func sessionRequest() throws -> SyncRequest { try onQueue { .session(replica: try state().replica) } }

    /// The push that is under way, or a new one of what is pending; nil if there is nothing to send.
    package func pushRequest() throws -> SyncRequest? { try onQueue { try freeze().map(SyncRequest.push) } }

    /// The request for the next page of changes.
    package func pullRequest() throws -> SyncRequest {
        try onQueue {
            let state = try state()
            return .changes(
                replica: state.replica, since: state.position, after: try pages().last?.changes?.position)
        }
    }

    /// Goes on with an import that the end of the process interrupted. Call it at a start.
    package func resume() throws {
        try onQueue {
            try drainHistory()
            try importStaged()
        }
    }

    /// Takes the answer to a request.
    ///
    /// - Throws: ``SyncFailure`` for a failure of the server, and errors of the stores. What was not taken can be asked
    ///   for again.
    package func receive(_ response: SyncResponse, to request: SyncRequest) throws {
        try onQueue {
            do {
                switch response {
                case .session(let session): try take(session)
                case .push(let number, let answer): try keep(answer, toPush: number)
                case .changes(let changes): try take(changes, to: request)
                case .failure(let failure): throw failure
                }
            } catch {
                side.rollback()
                app.rollback()
                throw error
            }
        }
    }

    private func take(_ session: SyncSession) throws {
        let state = try state()
        if let account = state.account, account != session.account { throw SyncReplicaError.accountChanged }
        state.account = session.account
        state.timeOffset = session.time - settings.now()
        try side.save()
    }

    /// Keeps a page, if it is the one behind those that are kept, and imports all after the last one.
    private func take(_ changes: SyncChanges, to request: SyncRequest) throws {
        guard request == (try pullRequest()), try pages().last?.changes?.isLast != true else { return }
        try at(.beforeStage)
        let page = insert(SyncIncomingPage.self, "IncomingPage")
        page.sequence = (try pages().last?.sequence ?? 0) + 1
        var changes = changes
        if settings.variant.contains(.appliesHalves) { changes.isLast = true }
        page.changes = changes
        try side.save()
        try at(.afterStage)
        try importStaged()
    }

    /// Whether everything that programs have saved is on the server, as far as the replica knows.
    package func isQuiet() throws -> Bool {
        try onQueue {
            try drainHistory()
            return try outgoing() == nil && pending(NSPredicate(value: true)).isEmpty && pages().isEmpty
        }
    }
}

/// A reason for which a replica stops until the program decides.
enum SyncReplicaError: Error, Hashable, Sendable {
    /// The token of the program belongs to another account than the store.
    case accountChanged
}
