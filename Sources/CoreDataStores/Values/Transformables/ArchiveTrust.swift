// SPDX-License-Identifier: Apache-2.0

/// The classes that the archives of a store's transformable values may contain besides the classes that are always
/// allowed.
///
/// Sendable: classes are never changed.
package struct ArchiveTrust: @unchecked Sendable {
    /// The classes of the option `NSBinaryStoreSecureDecodingClasses`.
    var classes: [AnyClass] = []
    /// Whether the option `NSBinaryStoreInsecureDecodingCompatibilityOption` is on.
    var allowsAllClasses = false
    /// Whether a file with another class can't be opened. Otherwise only the value can't be read.
    var checksWhenOpening = false

    package init(classes: [AnyClass] = [], allowsAllClasses: Bool = false, checksWhenOpening: Bool = false) {
        self.classes = classes
        self.allowsAllClasses = allowsAllClasses
        self.checksWhenOpening = checksWhenOpening
    }
}
