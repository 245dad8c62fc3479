/// Reads a property list in either of its file forms.
package enum PropertyListReader {
    /// Reads a binary or XML property list; the form is found from the first bytes.
    ///
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) for anything that is not a sound property list
    ///   within the limits.
    package static func read(_ data: Data, limits: PropertyListLimits = .standard) throws -> PropertyListValue {
        guard data.count <= limits.size else {
            throw propertyListError("it has \(data.count) bytes, more than the \(limits.size) that are read")
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
