// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The first request of a replica after a start, and the one after which it goes on with a server that was restored.
public struct SyncSessionRequest: Codable, Hashable, Sendable {
    public var replica: UUID
    /// Positions that the replica had, the newest first.
    public var positions: [SyncPosition]
    /// The number of the newest push whose answer the replica has.
    public var answeredPush: Int64
    /// The version of the replica's model: made of Apple's version hashes of its entities. Nil for the server's.
    public var model: String?

    public init(replica: UUID, positions: [SyncPosition], answeredPush: Int64, model: String? = nil) {
        self.model = model
        self.replica = replica
        self.positions = positions
        self.answeredPush = answeredPush
    }
}

/// The answer to a ``SyncSessionRequest``.
public struct SyncSession: Codable, Hashable, Sendable {
    /// The account that the token of the request belongs to.
    public var account: String
    /// The newest position.
    public var position: SyncPosition
    /// The newest of the replica's positions that the server has, too. Another one than the replica's newest says that
    /// the server was restored from a backup.
    public var common: SyncPosition?
    /// The number of the newest push of the replica that the server has answered. A number that the replica hasn't used
    /// says that the replica was restored or copied.
    public var answeredPush: Int64
    /// The time of the server, in seconds since the reference date.
    public var time: Double

    public init(
        account: String, position: SyncPosition, common: SyncPosition?, answeredPush: Int64, time: Double
    ) {
        self.account = account
        self.position = position
        self.common = common
        self.answeredPush = answeredPush
        self.time = time
    }
}

/// The request for a page of changes.
public struct SyncChangesRequest: Codable, Hashable, Sendable {
    public var replica: UUID
    /// The account of the replica's store; nil before the first session.
    public var account: String?
    /// The position that the replica has; nil for all objects.
    public var since: SyncPosition?
    /// The end of the page before; nil for the first page.
    public var cursor: SyncCursor?
    /// The position of the first page: the server may have forgotten since what was deleted after it.
    public var begun: SyncPosition?
    /// The position of the page before: a server that was restored since has other objects behind the cursor.
    public var paged: SyncPosition?
    /// The position of an answer whose changes the replica waits for.
    public var awaited: SyncPosition?
    /// The scopes of the replica's objects, as the last page said.
    public var scopes: Int64?
    /// The version of the replica's model; nil for the server's.
    public var model: String?

    public init(
        replica: UUID, account: String? = nil, since: SyncPosition?, cursor: SyncCursor? = nil,
        begun: SyncPosition? = nil, paged: SyncPosition? = nil, awaited: SyncPosition? = nil, scopes: Int64? = nil,
        model: String? = nil
    ) {
        self.model = model
        self.scopes = scopes
        self.replica = replica
        self.account = account
        self.since = since
        self.cursor = cursor
        self.begun = begun
        self.paged = paged
        self.awaited = awaited
    }
}

/// A push on its way.
public struct SyncPushRequest: Codable, Hashable, Sendable {
    /// The account of the replica's store; nil before the first session.
    public var account: String?
    /// The bytes of a ``SyncPush``, as they were frozen.
    public var body: Data
    /// How often the replica has sent the bytes, this time included. From the second time on the server saves each
    /// group by itself, and from the third on it refuses a group that it can't end.
    public var attempt: Int
    /// The most that the bases of the push count for; nil for no limit. A server that was restored has other positions
    /// above this number than the replica had.
    public var newestBase: Int64?
    /// The version of the replica's model; nil for the server's.
    public var model: String?
    /// The version by which the bytes were frozen, if the app was updated since.
    public var bodyModel: String?

    public init(
        account: String? = nil, body: Data, attempt: Int, newestBase: Int64?, model: String? = nil,
        bodyModel: String? = nil
    ) {
        (self.model, self.bodyModel) = (model, bodyModel)
        self.account = account
        self.body = body
        self.attempt = attempt
        self.newestBase = newestBase
    }
}

/// A request of a replica to its server.
public enum SyncRequest: Codable, Hashable, Sendable {
    case session(SyncSessionRequest)
    case changes(SyncChangesRequest)
    case push(SyncPushRequest)
    case blob(SyncBlobRequest)
    case upload(SyncUploadRequest)

    /// The account of the replica's store; nil if the request doesn't need one.
    public var account: String? {
        switch self {
        case .session: nil
        case .changes(let request): request.account
        case .push(let request): request.account
        case .blob(let request): request.account
        case .upload(let request): request.account
        }
    }

    /// The version of the replica's model; nil for the server's.
    public var model: String? {
        switch self {
        case .session(let request): request.model
        case .changes(let request): request.model
        case .push(let request): request.model
        case .blob(let request): request.model
        case .upload(let request): request.model
        }
    }
}

/// The answer of a server.
public enum SyncResponse: Codable, Hashable, Sendable {
    case session(SyncSession)
    case changes(SyncChanges)
    case push(number: Int64, SyncPushAnswer)
    /// The server has saved nothing of a push, or not all of it: the replica sends these values, and the push again.
    case needsBlobs(number: Int64, [SyncBlob])
    /// A part of a large value.
    case blob(Data)
    /// The number of bytes that the server has of a large value.
    case upload(received: Int64)
    case failure(SyncFailure)
}

/// A request that the server doesn't do.
public struct SyncFailure: Codable, Hashable, Sendable, LocalizedError {
    public enum Reason: String, Codable, Sendable {
        /// 400: the message can't be read, or exceeds a limit.
        case badRequest
        /// 413: the push has more bytes than the server takes. A replica makes such a push of one group alone, which is
        /// one save: it keeps the push until the server takes more.
        case tooLarge
        /// 409: the token belongs to another account than the replica's store.
        case accountChanged
        /// 409: the number of a push was used for another content.
        case replicaForked
        /// 409: a push before this one is missing.
        case missingPush
        /// 410: the position is older than what the server keeps. The replica takes a snapshot.
        case expired
        /// 410: the server was restored from a backup, or never had the position.
        case restored
        /// 426: the server doesn't serve the version of the replica's model any more. The program has to be updated;
        /// the replica keeps its changes.
        case outdatedModel
        /// 409: the server doesn't know the version of the replica's model: it is newer. The replica waits with its
        /// changes until the server is updated.
        case unknownModel
        /// 404: no object that the account may have has the large value. The replica asks for the changes again.
        case missingBlob
        /// 503: try again later.
        case unavailable
    }

    public var reason: Reason
    public var text: String

    /// The text.
    public var errorDescription: String? { text }

    public init(_ reason: Reason, _ text: String) {
        self.reason = reason
        self.text = text
    }
}
