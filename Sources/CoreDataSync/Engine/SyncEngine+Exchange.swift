// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The requests of an exchange, in their order.
extension SyncEngine {
    /// Sends what is pending, and takes what is new. What a program saves during the exchange may be left for the next
    /// one.
    ///
    /// - Parameter pulls: whether to ask for changes though nothing is sent.
    func exchange(pulls: Bool) async throws {
        idleAnswers = 0
        // The clock of the device may have been set since.
        if let lastSession, lastSession.duration(to: .now) > .seconds(3600) { self.lastSession = nil }
        var pulls = pulls || lastSession == nil
        if lastSession == nil { try await reporting(.receiving) { _ in try await openSession() } }
        var backlog = try await work { try $0.backlog() }
        while try await push() {
            try await count()
            try await pull()
            pulls = false
            backlog = try await work { [backlog] in try $0.rest(of: backlog) }
            guard backlog.isEmpty else { continue }
            // A program that saves all the time doesn't keep this exchange from its end.
            if backlog.hasLater { alarm.ring(.saves) }
            break
        }
        if pulls { try await pull() }
        // Values that come later wait for everything else.
        while !alarm.isRung, let request = try await work({ try $0.laterRequest() }) { _ = try await send(request) }
    }

    /// Opens a session. The server refuses a model that it doesn't serve.
    private func openSession() async throws {
        while lastSession == nil {
            let request = try await work { try $0.sessionRequest() }
            if case .session = try await send(request) { lastSession = .now }
        }
    }

    /// Sends one push with its large values.
    ///
    /// - Returns: false if there is nothing to send.
    private func push() async throws -> Bool {
        try await reporting(.sending) { report in
            while let request = try await work({ try $0.pushRequest() }) {
                report.begin()
                if case .push = try await send(request) { return true }
            }
            return false
        }
    }

    /// Asks for changes until the app's store has them all.
    private func pull() async throws { try await reporting(.receiving) { try await pull($0) } }

    private func pull(_ report: WorkReport) async throws {
        var cursor: SyncCursor?
        while true {
            let request = try await work { try $0.pullRequest() }
            guard case .changes(let changes) = try await send(request) else { continue }
            if let next = changes.cursor, let cursor, !cursor.isBefore(next) {
                throw SyncFailure(.unavailable, "The server's pages don't come to an end.")
            }
            if !changes.objects.isEmpty { report.begin() }
            cursor = changes.cursor
            guard changes.isLast, try await !work({ try $0.awaitsImport() }) else { continue }
            return
        }
    }

    /// Sends a request, and takes its answer.
    private func send(_ request: SyncRequest) async throws -> SyncResponse {
        try Task.checkCancellation()
        guard try await takeLease() else { throw SyncEngineError.otherProcess }
        let response: SyncResponse
        do {
            response = try await transport.answer(request)
        } catch {
            if error.isBeforeSending { try await work { try $0.forgetAttempt(of: request) } }
            if case SyncTransportError.unauthorized = error { throw SyncEngineError.unauthorized }
            throw error
        }
        // The request may have taken long, or the process may have slept.
        guard try await takeLease() else { throw SyncEngineError.otherProcess }
        do {
            try await work { try $0.receive(response, to: request) }
        } catch let failure as SyncFailure where failure.reason != .unavailable {
            throw SyncEngineError.refused(failure.text)
        }
        idleAnswers = response.isProgress(after: request) ? 0 : idleAnswers + 1
        if idleAnswers > 50 {
            if case .failure(let failure) = response { throw failure }
            throw SyncFailure(.unavailable, "The server's answers bring nothing.")
        }
        return response
    }
}

extension SyncCursor {
    fileprivate func isBefore(_ other: SyncCursor) -> Bool {
        let numbers = (position.number, other.position.number)
        return numbers.0 < numbers.1 || numbers.0 == numbers.1 && object.uuidString < other.object.uuidString
    }
}

extension SyncResponse {
    /// Whether an exchange comes nearer to its end by the answer.
    fileprivate func isProgress(after request: SyncRequest) -> Bool {
        switch self {
        case .session, .failure, .needsBlobs: return false
        case .push: return true
        case .changes(let changes): return !changes.objects.isEmpty
        case .blob(let bytes): return !bytes.isEmpty
        case .upload(let received):
            guard case .upload(let request) = request else { return false }
            return received > request.offset
        }
    }
}

extension Error {
    /// Whether the server can't have got the request.
    fileprivate var isBeforeSending: Bool {
        if self is SyncTransportError { return true }
        guard let error = self as? URLError else { return false }
        return [.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet].contains(error.code)
    }
}
