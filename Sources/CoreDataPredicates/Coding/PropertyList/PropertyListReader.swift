// SPDX-License-Identifier: Apache-2.0

/// Reads binary and XML property lists.
package enum PropertyListReader {
    /// Reads a property list. Its first bytes tell the format.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - limits: the limits for the file.
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) for a damaged property list, or one outside of the limits.
    package static func read(_ data: Data, limits: PropertyListLimits = .standard) throws -> PropertyListValue {
        guard data.count <= limits.size else {
            throw propertyListError(
                "it has \(Wording.count(data.count, "byte")), more than the limit of \(limits.size)")
        }
        if data.starts(with: BinaryPropertyListReader.magic) {
            return try BinaryPropertyListReader.read(data, limits: limits)
        }
        let start = data.prefix(512).drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.starts(with: Array("<?xml".utf8)) || start.starts(with: Array("<!DOCTYPE plist".utf8))
            || start.starts(with: Array("<plist".utf8))
        {
            return try XMLPropertyListReader.read(data, limits: limits)
        }
        throw propertyListError(data.isEmpty ? "it is empty" : "it is neither a binary nor an XML property list")
    }
}

/// The limits for an untrusted property list.
package struct PropertyListLimits: Sendable {
    /// The bytes of the file.
    package var size = 256 << 20
    /// The nesting of arrays and dictionaries. Keyed archives need five levels.
    package var depth = 128
    /// The values of the complete tree. A value counts once for each reference to it, so a small file can't become a
    /// huge tree.
    package var values = 8_000_000

    package static let standard = PropertyListLimits()
}

/// The error of a property list that cannot be read: `NSPropertyListReadCorruptError` (3840).
package func propertyListError(_ description: String) -> any Error {
    CoreDataErrors.cocoaError(
        .propertyListReadCorrupt, message: "The property list could not be read: \(description)", reason: description,
        userInfo: [NSDebugDescriptionErrorKey: description])
}
