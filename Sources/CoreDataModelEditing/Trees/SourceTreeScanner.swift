// SPDX-License-Identifier: Apache-2.0

/// Splits well-formed XML into a tree that keeps every byte. The XML parser has checked the text before.
struct SourceTreeScanner {
    struct Problem: Error {
        let reason: String
        let line: Int
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The text before the root, the root, and the text after it.
    mutating func document() throws(Problem) -> (String, SourceTree, String) {
        try skipMiscellaneous()
        let prolog = text(from: 0)
        let root = try element()
        let end = position
        try skipMiscellaneous()
        position = bytes.count
        return (prolog, root, text(from: end))
    }

    private func problem(_ reason: String) -> Problem {
        Problem(reason: reason, line: 1 + bytes[..<min(position, bytes.count)].reduce(0) { $0 + ($1 == 10 ? 1 : 0) })
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    private func isNext(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { expected in
            position + expected.count <= bytes.count
                && zip(bytes[position..<position + expected.count], expected).allSatisfy(==)
        }
    }

    /// Moves behind the next occurrence of a text.
    private mutating func skip(behind end: StaticString) throws(Problem) {
        while position < bytes.count, !isNext(end) { position += 1 }
        guard position < bytes.count else { throw problem("a part of the file doesn't end") }
        position += end.utf8CodeUnitCount
    }

    /// Skips white space, comments, processing instructions and a byte order mark.
    private mutating func skipMiscellaneous() throws(Problem) {
        while position < bytes.count {
            if isNext("<!--") {
                try skip(behind: "-->")
            } else if isNext("<?") {
                try skip(behind: "?>")
            } else if isNext("<!") {
                throw problem("it has a document type, which models don't have")
            } else if bytes[position] == UInt8(ascii: "<") {
                return
            } else {
                position += 1
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func name() throws(Problem) -> String {
        let start = position
        while position < bytes.count, !Self.isSpace(bytes[position]), !"=/>".utf8.contains(bytes[position]) {
            position += 1
        }
        guard position > start else { throw problem("a name is missing") }
        return text(from: start)
    }

    /// An element; its depth is limited by the XML parser.
    private mutating func element() throws(Problem) -> SourceTree {
        guard isNext("<") else { throw problem("an element is missing") }
        position += 1
        var element = SourceTree(try name())
        while true {
            let start = position
            skipSpace()
            if isNext("/>") {
                element.tagSpace = text(from: start)
                position += 2
                return element
            }
            if isNext(">") {
                element.tagSpace = text(from: start)
                position += 1
                break
            }
            element.attributes.append(try attribute(from: start))
        }
        element.isShort = false
        try readContents(of: &element)
        return element
    }

    private mutating func attribute(from start: Int) throws(Problem) -> SourceTree.Attribute {
        let name = try name()
        skipSpace()
        guard isNext("=") else { throw problem("'=' is missing") }
        position += 1
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
        else { throw problem("the value of an attribute isn't in quotation marks") }
        let mark = bytes[position]
        position += 1
        let valueStart = position
        while position < bytes.count, bytes[position] != mark { position += 1 }
        let raw = text(from: valueStart)
        guard position < bytes.count else { throw problem("a value doesn't end") }
        position += 1
        return SourceTree.Attribute(name: name, value: try value(raw), text: text(from: start))
    }

    private mutating func readContents(of element: inout SourceTree) throws(Problem) {
        var start = position
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            if isNext("<!--") {
                try skip(behind: "-->")
            } else if isNext("<![CDATA[") {
                try skip(behind: "]]>")
            } else if isNext("<?") {
                try skip(behind: "?>")
            } else {
                if position > start { element.contents.append(.text(text(from: start))) }
                if isNext("</") {
                    position += 2
                    guard try name() == element.name else { throw problem("an end tag doesn't match") }
                    let space = position
                    skipSpace()
                    element.endSpace = text(from: space)
                    guard isNext(">") else { throw problem("'>' is missing") }
                    position += 1
                    return
                }
                element.contents.append(.element(try self.element()))
                start = position
            }
        }
        throw problem("an element doesn't end")
    }

    /// The value of an attribute without its escapes. Line breaks in it are spaces, as in XML.
    private func value(_ raw: String) throws(Problem) -> String {
        guard raw.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == 10 || $0 == 9 || $0 == 13 }) else {
            return raw
        }
        let named: [Substring: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var result = String.UnicodeScalarView()
        var rest = raw.replacingOccurrences(of: "\r\n", with: "\n").unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "&" else {
                result.append(["\n", "\r", "\t"].contains(scalar) ? " " : scalar)
                continue
            }
            guard let end = rest.firstIndex(of: ";") else { throw problem("an entity has no ';'") }
            let name = Substring(rest[..<end])
            rest = rest[rest.index(after: end)...]
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let decoded = named[name] ?? number.flatMap(Unicode.Scalar.init) else {
                throw problem("the entity '\(name)' is unknown")
            }
            result.append(decoded)
        }
        return String(result)
    }
}
