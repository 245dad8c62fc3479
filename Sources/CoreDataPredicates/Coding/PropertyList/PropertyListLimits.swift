/// What a property list from outside may cost to read.
package struct PropertyListLimits: Sendable {
    /// Bytes of the file.
    package var size = 256 << 20
    /// Nesting of arrays and dictionaries. Keyed archives need five levels.
    package var depth = 128
    /// Values of the whole tree. A value that is referred to from many places counts at each of them,
    /// so that a small file cannot unfold into an endless tree.
    package var values = 8_000_000

    package static let standard = PropertyListLimits()
}

/// The error of a property list that cannot be read: `NSPropertyListReadCorruptError` (3840).
package func propertyListError(_ description: String) -> any Error {
    CocoaError(
        .propertyListReadCorrupt,
        userInfo: [
            NSDebugDescriptionErrorKey: description,
            NSLocalizedDescriptionKey: "The property list could not be read: \(description)",
        ])
}
