// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The first answer of a server.
public struct SyncSession: Codable, Hashable, Sendable {
    /// The account that the token of the request belongs to.
    public var account: String
    /// The newest position.
    public var position: SyncPosition
    /// The number of the newest push of the replica that the server has answered.
    public var answeredPush: Int64
    /// The time of the server, in seconds since the reference date.
    public var time: Double

    public init(account: String, position: SyncPosition, answeredPush: Int64, time: Double) {
        self.account = account
        self.position = position
        self.answeredPush = answeredPush
        self.time = time
    }
}

/// A request of a replica to its server.
public enum SyncRequest: Codable, Hashable, Sendable {
    case session(replica: UUID)
    /// The changes since a position that the replica has, from the position of the last page on.
    case changes(replica: UUID, since: SyncPosition?, after: SyncPosition?)
    /// The bytes of a ``SyncPush``, as they were frozen.
    case push(Data)
}

/// The answer of a server.
public enum SyncResponse: Codable, Hashable, Sendable {
    case session(SyncSession)
    case changes(SyncChanges)
    case push(number: Int64, SyncPushAnswer)
    case failure(SyncFailure)
}

/// A request that the server doesn't do.
public struct SyncFailure: Codable, Hashable, Sendable, Error {
    public enum Reason: String, Codable, Sendable {
        /// 400: the message can't be read, or exceeds a limit.
        case badRequest
        /// 409: the number of a push was used for another content.
        case replicaForked
        /// 409: a push before this one is missing.
        case missingPush
        /// 410: the position is older than what the server keeps. The replica takes a snapshot.
        case expired
        /// 410: the server was restored from a backup, or never had the position.
        case restored
        /// 503: try again later.
        case unavailable
    }

    public var reason: Reason
    public var text: String

    public init(_ reason: Reason, _ text: String) {
        self.reason = reason
        self.text = text
    }
}
