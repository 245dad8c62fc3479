// SPDX-License-Identifier: Apache-2.0

/// The text of the objects in an XML store.
struct XMLFileText {
    private(set) var bytes = Data()

    /// The bytes of a text between two comments. The XML parser refuses longer texts.
    private static let pieceSize = 4 << 20

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ value: AtomicFileContent.Value, name: String) {
        let (text, isEncoded) = Self.text(of: value.value)
        append(
            """
                    <attribute name="\(Self.escaped(name))" type="\(Self.typeName(value))"\
            \(isEncoded ? " encoding=\"base64\"" : "")>
            """)
        appendPieces(text)
        append("</attribute>\n")
    }

    mutating func append(_ relationship: AtomicFileContent.Relationship, name: String, destination: String) {
        let isToMany = relationship.slot?.kind == .toMany
        let order = relationship.slot?.isOrdered == true ? " ordered=\"1\"" : ""
        append(
            """
                    <relationship name="\(Self.escaped(name))" type="\(isToMany ? "0/0" : "1/1")" \
            destination="\(Self.escaped(destination))"\(order) idrefs="
            """)
        append(relationship.keys.map { "z\($0)" }.joined(separator: " "))
        append("\"></relationship>\n")
    }

    private mutating func appendPieces(_ text: String) {
        let utf8 = Array(text.utf8)
        var start = 0
        while start < utf8.count {
            var end = min(start + Self.pieceSize, utf8.count)
            // A piece doesn't end within a character, nor within an escape sequence.
            while end < utf8.count && utf8[end] & 0xC0 == 0x80 { end += 1 }
            if end < utf8.count {
                let tail = utf8[max(start, end - 8)..<end]
                if let ampersand = tail.lastIndex(of: UInt8(ascii: "&")),
                    !utf8[ampersand..<end].contains(UInt8(ascii: ";"))
                {
                    end = ampersand
                }
            }
            bytes.append(contentsOf: utf8[start..<end])
            if end < utf8.count { append("<!---->") }
            start = end
        }
    }

    /// The text of a value, and whether it is the Base64 of a text with characters that XML doesn't have.
    private static func text(of value: PropertyListValue) -> (text: String, isEncoded: Bool) {
        switch value {
        case .integer(let number): ("\(number)", false)
        case .boolean(let flag): (flag ? "1" : "0", false)
        case .real(let number), .date(let number): ("\(number)", false)
        case .data(let data):
            (data.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]), false)
        case .string(let text):
            isWritable(text) ? (escaped(text), false) : (Data(text.utf8).base64EncodedString(), true)
        default: ("", false)
        }
    }

    /// The name of a value's type.
    private static func typeName(_ value: AtomicFileContent.Value) -> String {
        switch value.kind {
        case .integer16: return "int16"
        case .integer32: return "int32"
        case .integer64: return "int64"
        case .boolean: return "bool"
        case .double: return "double"
        case .float: return "float"
        case .date: return "date"
        case .decimal: return "decimal"
        case .data: return "binary"
        case .transformable: return "transformable"
        case .uuid: return "uuid"
        case .uri: return "uri"
        default: break
        }
        switch value.value {
        case .integer: return "int64"
        case .real: return "double"
        case .date: return "date"
        case .data: return "binary"
        default: return "string"
        }
    }

    /// Whether XML can contain a text.
    private static func isWritable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD: true
            case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }

    /// A text without the characters of markup, and without characters that a parser changes.
    static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): result += Array("&lt;".utf8)
            case UInt8(ascii: ">"): result += Array("&gt;".utf8)
            case UInt8(ascii: "&"): result += Array("&amp;".utf8)
            case UInt8(ascii: "\""): result += Array("&quot;".utf8)
            case 0xD: result += Array("&#13;".utf8)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
