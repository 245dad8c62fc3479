// SPDX-License-Identifier: Apache-2.0

/// Receives the objects of an XML store.
final class XMLFileObjects: XMLElementHandler {
    private(set) var objects: [AtomicFileContent.Object] = []
    private var object: AtomicFileContent.Object?
    /// The attribute whose text is being read.
    private var attribute: (name: String, type: String, isEncoded: Bool)?
    private var text = ""

    func begin(_ name: String, attributes: [String: String], depth: Int, line: Int) -> XMLElementReader.Step {
        switch (depth, name) {
        case (1, "database"), (2, "databaseInfo"):
            return .proceed
        case (1, _):
            return .fail("its root element is <\(name)>.")
        case (2, "object"):
            guard let type = attributes["type"], let key = attributes["id"].flatMap(Self.key) else {
                return .fail("an object has no type, or no id of the form z102.")
            }
            object = AtomicFileContent.Object(entity: type, key: key)
        case (3, "attribute"):
            guard object != nil, let name = attributes["name"] else { return .fail("an attribute has no name.") }
            attribute = (name, attributes["type"] ?? "string", attributes["encoding"] == "base64")
            text = ""
        case (3, "relationship"):
            guard object != nil, let name = attributes["name"] else { return .fail("a relationship has no name.") }
            let references = (attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
            let keys = references.compactMap { Self.key(String($0)) }
            guard keys.count == references.count else { return .fail("an idref has not the form z102.") }
            object?.relationships.append(.init(name: name, keys: keys))
        default:
            return object == nil ? .proceed : .fail("an object contains the element <\(name)>.")
        }
        return .proceed
    }

    private static func key(_ text: String) -> Int64? {
        text.first == "z" ? Int64(text.dropFirst()) : nil
    }

    func append(text: String, depth: Int) {
        if attribute != nil, depth == 3 { self.text += text }
    }

    func end(_ name: String, depth: Int) -> XMLElementReader.Step {
        if depth == 3, let (name, type, isEncoded) = attribute {
            attribute = nil
            guard let value = value(type, isEncoded) else {
                return .fail("the attribute '\(name)' of the object z\(object?.key ?? 0) is no value of type \(type).")
            }
            object?.values.append(.init(name: name, value: value))
        } else if depth == 2, let finished = object {
            object = nil
            objects.append(finished)
        }
        return .proceed
    }

    private func value(_ type: String, _ isEncoded: Bool) -> PropertyListValue? {
        switch type {
        case "int16", "int32", "int64", "bool": return Int64(text).map { .integer($0) }
        case "double", "float": return Double(text).map { .real($0) }
        case "date": return Double(text).map { .date($0) }
        case "binary", "transformable":
            return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
        default:
            guard isEncoded else { return .string(text) }
            return Data(base64Encoded: text).flatMap { String(bytes: $0, encoding: .utf8) }.map { .string($0) }
        }
    }
}
