// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A large value of a binary attribute, which travels apart from its object: the value of the object names the bytes.
///
/// Equal bytes have one name. Who knows a name may not have the bytes for that: see ``SyncBlobRequest``.
public struct SyncBlob: Codable, Hashable, Sendable {
    /// The SHA-256 of the bytes.
    public var digest: Data
    /// The number of bytes.
    public var size: Int64

    public init(digest: Data, size: Int64) {
        self.digest = digest
        self.size = size
    }
}

extension SyncObjectChange {
    /// The large values of the change.
    package var blobs: [SyncBlob] {
        properties.values.compactMap { property in
            if case .value(.blob(let blob)) = property.change { blob } else { nil }
        }
    }
}

extension SyncObjectState {
    /// The large values of the state.
    package var blobs: [SyncBlob] { values.values.compactMap { if case .blob(let blob) = $0 { blob } else { nil } } }
}

/// The request for a part of a large value. It names an object that has the value, and that the account may have.
public struct SyncBlobRequest: Codable, Hashable, Sendable {
    /// The account of the replica's store.
    public var account: String?
    public var object: UUID
    /// The name of the attribute in messages.
    public var property: String
    public var blob: SyncBlob
    /// The number of bytes that the replica has.
    public var offset: Int64
    /// The version of the replica's model; nil for the server's.
    public var model: String?

    public init(
        account: String?, object: UUID, property: String, blob: SyncBlob, offset: Int64, model: String? = nil
    ) {
        (self.account, self.model) = (account, model)
        (self.object, self.property, self.blob, self.offset) = (object, property, blob, offset)
    }
}

/// A part of a large value that a push needs. The server keeps it for the account for some hours.
public struct SyncUploadRequest: Codable, Hashable, Sendable {
    /// The account of the replica's store.
    public var account: String?
    public var blob: SyncBlob
    /// The place of the bytes in the value. The answer says how many bytes the server has.
    public var offset: Int64
    public var bytes: Data
    /// The version of the replica's model; nil for the server's.
    public var model: String?

    public init(account: String?, blob: SyncBlob, offset: Int64, bytes: Data, model: String? = nil) {
        (self.account, self.model) = (account, model)
        (self.blob, self.offset, self.bytes) = (blob, offset, bytes)
    }
}
