// SPDX-License-Identifier: Apache-2.0

/// The kinds of changes of an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// The object was inserted.
    case insert = 0
    /// Properties of the object were updated.
    case update = 1
    /// The object was deleted.
    case delete = 2
}
