// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

extension SyncReplica {
    /// The first request after a start.
    package func sessionRequest() throws -> SyncRequest {
        try onQueue {
            try noteModel()
            return .session(try makeSessionRequest())
        }
    }

    /// The request for a session, whose answer nothing takes.
    func sessionQuestion() throws -> SyncRequest { try onQueue { .session(try makeSessionRequest()) } }

    /// The push that is under way, or a new one of what is pending; nil if there is nothing to send. A replica that has
    /// met a server that was restored asks for a session first.
    package func pushRequest() throws -> SyncRequest? {
        try onQueue {
            try noteModel()
            if try state().needsSession { return .session(try makeSessionRequest()) }
            guard let push = try freeze() else { return nil }
            if let request = try uploadRequest(push) { return .upload(request) }
            push.attempts += 1
            try side.save()
            return .push(
                SyncPushRequest(
                    account: try state().account, body: push.body, attempt: Int(push.attempts),
                    newestBase: push.newestBase, model: schema.version,
                    bodyModel: push.model == schema.version ? nil : push.model))
        }
    }

    /// The request for the next page of changes, or for a large value that they need. A replica that has met a server
    /// that was restored asks for a session first.
    package func pullRequest() throws -> SyncRequest {
        try onQueue {
            try noteModel()
            if try state().needsSession { return .session(try makeSessionRequest()) }
            // All pages are there: the import waits for large values, or was interrupted.
            if try neededBlobs.isEmpty && hasAllPages { try importPages() }
            if let request = try neededRequest() { return .blob(request) }
            return .changes(try makeChangesRequest())
        }
    }

    /// Takes back that a push was sent: the server hasn't got it. A push that is sent often counts as one that the
    /// server can't end.
    func forgetAttempt(of request: SyncRequest) throws {
        try onQueue {
            guard case .push(let request) = request, let push = try outgoing(), push.body == request.body,
                push.attempts > 0
            else { return }
            push.attempts -= 1
            try side.save()
        }
    }

    /// Whether pages wait for large values, or for the next request.
    func awaitsImport() throws -> Bool { try onQueue { try !neededBlobs.isEmpty || !pages().isEmpty } }

    private func makeSessionRequest() throws -> SyncSessionRequest {
        let state = try state()
        return SyncSessionRequest(
            replica: state.replica, positions: state.positions, answeredPush: try answeredPush(state),
            model: schema.version)
    }

    /// The number of the newest push whose answer is there.
    func answeredPush(_ state: SyncReplicaState) throws -> Int64 {
        let first = try pushes().first { $0.endTime == nil && $0.answerPosition == nil && $0.replica == state.replica }
        return first.map { $0.number - 1 } ?? state.lastPush
    }

    private func makeChangesRequest() throws -> SyncChangesRequest {
        let state = try state()
        let pages = try pages()
        let page = pages.last?.head
        return SyncChangesRequest(
            replica: state.replica, account: state.account, since: state.position, cursor: page?.cursor,
            begun: pages.first?.head?.position, paged: page?.position, awaited: try outgoing()?.answerPosition,
            scopes: page.map(\.scopes) ?? state.scopes, model: schema.version)
    }

    /// Checks that the stores belong together, and goes on with an import that the end of the process interrupted. Call
    /// it at a start.
    ///
    /// - Throws: ``SyncReplicaError``, and errors of the stores.
    package func resume() throws {
        try onQueue {
            try forgetFormerStore()
            if try !state().isBegun { try beginEmpty() }
            try checkStore()
            try noteModel()
            // A program that goes on with the version of the model may save what no preparation has noted.
            if try state().isPrepared {
                try state().isPrepared = false
                try side.save()
            }
            try drainHistory()
            try importPages()
        }
    }

    /// Takes the answer to a request.
    ///
    /// - Throws: ``SyncFailure`` for a failure of the server, and errors of the stores. What was not taken can be asked
    ///   for again.
    package func receive(_ response: SyncResponse, to request: SyncRequest) throws {
        try onQueue {
            do {
                try noteModel()
                switch (response, request) {
                case (.session(let session), .session(let request)): try take(session, to: request)
                case (.push(let number, let answer), .push(let request)): try keep(answer, toPush: number, request)
                case (.changes(let changes), .changes(let request)): try take(changes, to: request)
                case (.needsBlobs(let number, let blobs), .push(let request)):
                    try takeNeeds(blobs, forPush: number, request)
                case (.upload(let received), .upload(let request)): try take(received: received, of: request)
                case (.blob(let part), .blob(let request)): try take(part, to: request)
                case (.failure(let failure), _): try take(failure, to: request)
                default: throw SyncFailure(.badRequest, "The server has answered another request.")
                }
            } catch {
                side.rollback()
                app.rollback()
                throw error
            }
        }
    }

    private func take(_ session: SyncSession, to request: SyncSessionRequest) throws {
        let state = try state()
        if let account = state.account, account != session.account { throw SyncReplicaError.accountChanged }
        state.account = session.account
        guard session.time.isFinite else { throw SyncFailure(.badRequest, "The server has no time.") }
        state.timeOffset = session.time - settings.now()
        // An older answer says nothing of what the replica has had since.
        if request == (try makeSessionRequest()) { try compare(with: session, state) }
        try side.save()
    }

    /// Keeps a page, if it is the one behind those that are kept, and imports all after the last one.
    private func take(_ changes: SyncChanges, to request: SyncChangesRequest) throws {
        guard try !state().needsSession, try isPresent(request) else { return }
        try at(.beforeStage)
        try forgetPushes(keptUpTo: changes.keptPush)
        // The last page is asked for again if the import is interrupted.
        if changes.isLast { return try importPages(changes) }
        var changes = changes
        if settings.variant.contains(.appliesHalves) { changes.cursor = nil }
        let last = try pages().last
        insert(SyncIncomingPage.self, "IncomingPage").set(changes, behind: last)
        try side.save()
        try at(.afterStage)
        if changes.isLast { try importPages() }
    }

    /// Whether the replica would ask the same now. Pages of an older request lack what an answer has brought since.
    private func isPresent(_ request: SyncChangesRequest) throws -> Bool {
        var present = try makeChangesRequest()
        if settings.variant.contains(.takesOldPages) { present.awaited = request.awaited }
        return present == request
    }

    /// Forgets pushes that a backup of the server has, or that are so old that it should have one.
    private func forgetPushes(keptUpTo number: Int64) throws {
        let oldest = settings.now() - settings.keptSeconds
        for push in try pushes() {
            guard let time = push.endTime else { continue }
            let isKept = try push.number <= number && push.replica == state().replica
            if isKept || time < oldest { side.delete(push) }
        }
    }

    private func take(_ failure: SyncFailure, to request: SyncRequest) throws {
        let isPresent =
            switch request {
            case .session(let session): session == (try makeSessionRequest())
            case .changes(let changes): changes == (try makeChangesRequest())
            case .push(let push): try outgoing().map { $0.body == push.body && $0.answerPosition == nil } ?? false
            case .blob, .upload: true
            }
        guard isPresent else { return }
        switch failure.reason {
        case .accountChanged: throw SyncReplicaError.accountChanged
        case .restored, .missingPush:
            try state().needsSession = true
            // An answer and pages have positions that the server may have lost, and may have given again since.
            try outgoing()?.answer = nil
            try forgetPages()
            try side.save()
        case .replicaForked:
            try takeNewName()
            try side.save()
        case .expired:
            try beginAgain(from: state().base)
            try side.save()
        case .missingBlob:
            guard case .blob(let request) = request else { return }
            try miss(SyncNeededBlob(object: request.object, property: request.property, blob: request.blob))
        case .badRequest where request.isUpload:
            // The server begins with the value again.
            askedBlobs = nil
            throw failure
        case .badRequest, .tooLarge, .outdatedModel, .unknownModel, .unavailable: throw failure
        }
    }

    /// Whether everything that programs have saved is on the server, as far as the replica knows.
    package func isQuiet() throws -> Bool {
        try onQueue {
            try drainHistory()
            return try outgoing() == nil && pending(NSPredicate(value: true)).isEmpty && pages().isEmpty
                && !state().needsSession
        }
    }
}

extension SyncRequest {
    fileprivate var isUpload: Bool { if case .upload = self { true } else { false } }
}
