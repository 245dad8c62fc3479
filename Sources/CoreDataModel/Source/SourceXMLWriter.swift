// SPDX-License-Identifier: Apache-2.0

/// Writes a tree of source elements in Xcode's format: an indentation of four spaces, all values in attributes, no line
/// break at the end.
struct SourceXMLWriter {
    /// XML parsers refuse longer values.
    private static let valueLimit = 9_000_000

    private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    /// The XML of an element.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` (512) with entity and key for a value that XML can't represent:
    ///   control characters, and values that are longer than parsers accept.
    static func data(_ root: SourceElement) throws -> Data {
        var writer = SourceXMLWriter()
        try writer.write(root, level: 0, entity: nil, key: nil)
        writer.text.removeLast()
        return Data(writer.text.utf8)
    }

    private mutating func write(_ element: SourceElement, level: Int, entity: String?, key: String?) throws {
        let entity = element.name == "entity" ? element["name"] : entity
        let key = element.name == "entity" ? nil : key ?? element["name"]
        let indentation = String(repeating: "    ", count: level)
        text += indentation + "<" + element.name
        for (name, value) in element.attributes {
            guard value.utf8.count <= Self.valueLimit, XMLValue.canRepresent(value) else {
                let owner = [key.map { "'\($0)'" }, entity.map { "entity '\($0)'" }].compactMap { $0 }.joined(
                    separator: " of ")
                throw ModelFileError.notExpressible(
                    """
                    the attribute '\(name)' of <\(element.name)>\(owner.isEmpty ? "" : " (\(owner))") is too long \
                    for XML, or has characters that XML doesn't allow.
                    """, entity: entity, key: key ?? name)
            }
            text += " \(name)=\"\(XMLValue.escaped(value))\""
        }
        if element.children.isEmpty {
            text += "/>\n"
            return
        }
        text += ">\n"
        for child in element.children { try write(child, level: level + 1, entity: entity, key: key) }
        text += indentation + "</\(element.name)>\n"
    }
}
