// SPDX-License-Identifier: Apache-2.0

/// Reads the XML of a source mapping model into its objects.
enum MappingSourceXMLReader {
    /// Reads a file.
    ///
    /// - Returns: nil if the XML is a property list: a compiled mapping model may be one.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file and line for malformed XML, and for XML that is not
    ///   a store.
    static func read(_ data: Data, from url: URL) throws -> MappingSourceStore? {
        let builder = Builder()
        try XMLElementReader.read(data, from: url, reportingTo: builder)
        return builder.isPropertyList ? nil : builder.store
    }

    private final class Builder: XMLElementHandler {
        var store = MappingSourceStore()
        var isPropertyList = false
        private var object: MappingSourceObject?
        /// The attribute whose text is being read.
        private var attributeName: String?
        private var text = ""

        func begin(_ name: String, attributes: [String: String], depth: Int, line: Int) -> XMLElementReader.Step {
            switch depth {
            case 1:
                isPropertyList = name == "plist"
                if isPropertyList { return .stop }
                if name != "database" {
                    return .fail("it is XML but not a mapping model: its root element is <\(name)>.")
                }
            case 2 where name == "object":
                guard let type = attributes["type"], let id = attributes["id"] else {
                    return .fail("an object has no type or no id")
                }
                object = MappingSourceObject(type: type, id: id, line: line)
            case 3 where object != nil: beginProperty(name, attributes)
            default: break
            }
            return .proceed
        }

        private func beginProperty(_ element: String, _ attributes: [String: String]) {
            guard let name = attributes["name"] else { return }
            if element == "attribute" {
                attributeName = name
                text = ""
            } else if element == "relationship" {
                let references = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
                object?.relationships[name] = references.map(String.init)
            }
        }

        func append(text: String, depth: Int) {
            if attributeName != nil, depth == 3 { self.text += text }
        }

        func end(_ name: String, depth: Int) -> XMLElementReader.Step {
            if depth == 3, let name = attributeName {
                object?.attributes[name] = text
                attributeName = nil
            } else if depth == 2, let finished = object {
                object = nil
                if !store.add(finished) { return .fail("two objects have the id '\(finished.id)'") }
            }
            return .proceed
        }
    }
}
