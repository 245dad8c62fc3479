// SPDX-License-Identifier: Apache-2.0

/// Why `awake(fromSnapshotEvents:)` is called.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The events as bits.
    public let rawValue: UInt
    /// Makes events from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed, its unsaved changes kept.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy has resolved a conflict.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
