// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A place in the order of a server: the number of a save that changed synced objects.
///
/// Numbers have no gaps, and grow in the order of the commits. The nonce is random and made with the number, so that a
/// server that was restored from a backup, and gave the number again, is noticed.
public struct SyncPosition: Codable, Hashable, Sendable {
    /// The count of the restores that the server knows of.
    public var epoch: Int64
    public var number: Int64
    public var nonce: Int64

    public init(epoch: Int64, number: Int64, nonce: Int64) {
        self.epoch = epoch
        self.number = number
        self.nonce = nonce
    }
}
