// SPDX-License-Identifier: Apache-2.0

extension UndoManager {
    /// A key for a value that a program stores with an action.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        /// The name of the key.
        public let rawValue: String

        /// Creates a key.
        ///
        /// - Parameter rawValue: the name of the key.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Creates a key.
        ///
        /// - Parameter rawValue: the name of the key.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension NSNotification.Name {
    /// An undo manager opens or closes a nested group, or is about to undo or redo.
    public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
    /// An undo manager is about to undo.
    public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
    /// An undo manager is about to redo.
    public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
    /// An undo manager has undone a group.
    public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
    /// An undo manager has redone a group.
    public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
    /// An undo manager opened a group.
    public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// An undo manager is about to close a group. The user info has ``NSUndoManagerGroupIsDiscardableKey`` for a
    /// discardable group.
    public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification")
    /// An undo manager closed a group. The user info is as for ``NSUndoManagerWillCloseUndoGroup``.
    public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
}

/// The key in the user info of the notifications about closed groups: an `NSNumber`, true for a discardable group.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"
