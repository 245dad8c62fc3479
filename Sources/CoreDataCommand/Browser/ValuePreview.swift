// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import OpenCoreData

/// The contents of a text or of bytes: JSON, a property list, a keyed archive, plain text. No class of an archive is
/// needed, and no object of it is made.
struct ValuePreview {
    /// `JSON`, `property list`, `archive`, `text`.
    let kind: String
    let text: String

    /// Larger values are not read for a page.
    private static let sizeLimit = 4 << 20

    init?(_ data: Data) {
        guard !data.isEmpty, data.count <= Self.sizeLimit else { return nil }
        if let list = try? PropertyListReader.read(data) {
            var outline = ValueOutline()
            if case .dictionary(let dictionary) = list, case .array(let objects)? = dictionary["$objects"],
                case .dictionary(let top)? = dictionary["$top"]
            {
                kind = "archive"
                outline.append(archive: .dictionary(top), objects)
            } else {
                kind = "property list"
                outline.append(list)
            }
            text = outline.text
            return
        }
        if let json = Self.json(Array(data)) {
            self = json
            return
        }
        guard data.count <= 65_536, let plain = String(data: data, encoding: .utf8),
            !plain.unicodeScalars.contains(where: { $0.value < 32 && !["\n", "\r", "\t"].contains($0) })
        else { return nil }
        kind = "text"
        text = plain
    }

    /// Only for JSON: other text is shown already.
    init?(_ text: String) {
        guard text.utf8.count <= Self.sizeLimit, let json = Self.json(Array(text.utf8)) else { return nil }
        self = json
    }

    private init(kind: String, text: String) {
        self.kind = kind
        self.text = text
    }

    private static func json(_ bytes: [UInt8]) -> ValuePreview? {
        guard let first = bytes.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }),
            first == 0x7b || first == 0x5b, let value = JSONValue(text: bytes)
        else { return nil }
        var outline = ValueOutline()
        outline.append(value)
        return ValuePreview(kind: "JSON", text: outline.text)
    }

    /// The preview, which can be closed.
    var html: HTML {
        """
        <details class="preview" open><summary>\(kind)</summary>\
        <pre tabindex="0" aria-label="\(kind)"><bdi>\(text)</bdi></pre></details>
        """
    }
}

/// Values as indented lines, cut at a limit.
struct ValueOutline {
    private(set) var text = ""
    private var depth = 0
    private static let limit = 20_000
    private static let depthLimit = 40

    private var isFull: Bool { text.utf8.count >= Self.limit }

    private mutating func line(_ line: String) {
        if !text.isEmpty { text += "\n" }
        text += String(repeating: "  ", count: depth) + line
    }

    /// Lines between brackets, one for each member.
    private mutating func group<Members: Collection>(
        _ open: String, _ close: String, _ members: Members, _ body: (inout ValueOutline, Members.Element) -> Void
    ) {
        guard !members.isEmpty else { return append(open + close) }
        guard depth < Self.depthLimit else { return append(open + " … " + close) }
        append(open)
        depth += 1
        for member in members {
            guard !isFull else {
                line("…")
                break
            }
            line("")
            body(&self, member)
        }
        depth -= 1
        line(close)
    }

    /// Goes on in the line.
    private mutating func append(_ more: String) { text += more }

    private static func quoted(_ text: String) -> String {
        let escaped = ObjectLabel.cut(text, to: 2_000).replacingOccurrences(of: "\\", with: "\\\\")
            .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
        return "\"\(escaped)\""
    }

    // MARK: JSON

    mutating func append(_ json: JSONValue) {
        switch json {
        case .null: append("null")
        case .boolean(let flag): append(String(flag))
        case .number(let digits): append(ObjectLabel.cut(digits, to: 200))
        case .string(let text): append(Self.quoted(text))
        case .array(let items): group("[", "]", items) { $0.append($1) }
        case .object(let members):
            group("{", "}", members) { outline, member in
                outline.append(Self.quoted(member.name) + ": ")
                outline.append(member.value)
            }
        }
    }

    // MARK: Property lists

    mutating func append(_ list: PropertyListValue) { append(list, objects: nil, path: []) }

    /// The objects of a keyed archive, from the top. A reference to an object that stands above is not followed.
    mutating func append(archive top: PropertyListValue, _ objects: [PropertyListValue]) {
        append(top, objects: objects, path: [])
    }

    private mutating func append(_ list: PropertyListValue, objects: [PropertyListValue]?, path: Set<Int>) {
        switch list {
        case .null: append("nil")
        case .boolean(let flag): append(String(flag))
        case .integer(let number): append(String(number))
        case .unsignedInteger(let number): append(String(number))
        case .real(let number): append(String(number))
        case .single(let number): append(String(number))
        case .date(let seconds): append(DateText.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
        case .data(let data): append(Amount.text(data.count, "byte"))
        case .string(let text): append(text == "$null" && objects != nil ? "nil" : Self.quoted(text))
        case .array(let items): group("[", "]", items) { $0.append($1, objects: objects, path: path) }
        case .set(let items): group("{", "}", items) { $0.append($1, objects: objects, path: path) }
        case .uid(let index):
            guard let objects, objects.indices.contains(index) else { return append("object \(index)") }
            guard !path.contains(index) else { return append("(object \(index), see above)") }
            append(objects[index], objects: objects, path: path.union([index]))
        case .dictionary(let dictionary): append(dictionary, objects, path)
        }
    }

    private mutating func append(
        _ dictionary: PropertyListDictionary, _ objects: [PropertyListValue]?, _ path: Set<Int>
    ) {
        var entries = dictionary.entries
        if let objects, case .uid(let index)? = dictionary["$class"], objects.indices.contains(index),
            case .dictionary(let description) = objects[index]
        {
            append((description["$classname"]?.stringValue ?? "object") + " ")
            entries.removeAll { $0.key == "$class" }
        }
        group("{", "}", entries) { outline, entry in
            outline.append("\(ObjectLabel.cut(entry.key, to: 200)): ")
            outline.append(entry.value, objects: objects, path: path)
        }
    }
}
