// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncWire

/// The way to a server.
package protocol SyncTransport: Sendable {
    /// Sends a request.
    ///
    /// - Throws: ``SyncTransportError`` and errors of the network. The request may have reached the server.
    func answer(_ request: SyncRequest) async throws -> SyncResponse

    /// News of the server: an element when it may have a new position, the first one when the connection is made.
    ///
    /// The sequence ends, or throws, when the connection does.
    func news() -> AsyncThrowingStream<Void, any Error>
}

/// A reason for which a request has no answer.
enum SyncTransportError: Error, Hashable, Sendable, LocalizedError {
    /// The server doesn't accept the token, nor one that was asked for after that.
    case unauthorized
    /// The server wants no request before this many seconds.
    case later(seconds: Double)

    var errorDescription: String? {
        switch self {
        case .unauthorized: "The server doesn't accept the token."
        case .later(let seconds): "The server wants no request for \(Int(seconds.rounded(.up))) seconds."
        }
    }
}
