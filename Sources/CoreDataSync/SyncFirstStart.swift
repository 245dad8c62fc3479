// SPDX-License-Identifier: Apache-2.0

/// The end of the objects that a store has before it syncs for the first time, or after the side store was lost.
public enum SyncFirstStart: Codable, Hashable, Sendable {
    /// All objects go to the server. Objects with the same identifying or unique value as one of the server become it.
    case upload
    /// The store gets the server's objects in place of its own. Objects that the program inserts before the first
    /// import stay, and are sent; what it changes of others until then is replaced, too.
    case replaceLocal
    /// Objects that have the same values of these attributes as one of the server, by entities, are that one, with the
    /// server's values. The others go to the server.
    case match(by: [String: [String]])
}
