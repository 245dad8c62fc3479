// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A value of JSON. Numbers keep their digits, since a decimal would lose some as a `Double`.
enum JSONValue: Equatable {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])

    static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.value == $1.value }
        default: false
        }
    }

    /// The value of a whole text; nil for a text that is no JSON, or with something behind the value.
    init?(text: [UInt8]) {
        let reader = JSONReader(source: ByteSource(bytes: text, line: 1))
        guard let value = try? reader.value(), (try? reader.peek()) == .some(nil) else { return nil }
        self = value
    }

    /// The kind of value in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): "'\(ObjectLabel.cut(text, to: 100))'"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Reads JSON values from bytes, one after the other.
struct JSONReader {
    let source: ByteSource

    /// Deeper values are refused: reading them takes stack.
    private static let maximumDepth = 100

    /// The next byte that is no white space.
    func peek() throws -> UInt8? {
        while let byte = try source.peek() {
            guard byte == 32 || byte == 10 || byte == 13 || byte == 9 else { return byte }
            _ = try source.next()
        }
        return nil
    }

    /// Takes a character that must be there.
    func take(_ character: Unicode.Scalar) throws {
        guard try peek() == UInt8(ascii: character) else { throw try unexpected("'\(character)' is missing") }
        _ = try source.next()
    }

    func value(depth: Int = 0) throws -> JSONValue {
        guard depth < Self.maximumDepth else { throw fault("the value is nested too deeply") }
        switch try peek() {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["):
            _ = try source.next()
            var members: [JSONValue] = []
            try list(end: "]") { members.append(try value(depth: depth + 1)) }
            return .array(members)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): return .number(try number())
        default: throw try unexpected("a value is missing")
        }
    }

    private func object(depth: Int) throws -> JSONValue {
        _ = try source.next()
        var members: [(name: String, value: JSONValue)] = []
        var names: Set<String> = []
        try list(end: "}") {
            guard try peek() == UInt8(ascii: "\"") else { throw try unexpected("the name of a value is missing") }
            let name = try string()
            guard names.insert(name).inserted else { throw fault("the name '\(name.prefix(100))' occurs twice") }
            try take(":")
            members.append((name, try value(depth: depth + 1)))
        }
        return .object(members)
    }

    /// Reads members, separated by commas.
    private func list(end: Unicode.Scalar, _ member: () throws -> Void) throws {
        if try peek() == UInt8(ascii: end) {
            _ = try source.next()
            return
        }
        while true {
            try member()
            guard try peek() == UInt8(ascii: ",") else { return try take(end) }
            _ = try source.next()
        }
    }

    private func word(_ text: String, _ value: JSONValue) throws -> JSONValue {
        for byte in text.utf8 {
            guard try source.next() == byte else { throw fault("'\(text)' is misspelt") }
        }
        return value
    }

    private func number() throws -> String {
        var digits = ""
        while let byte = try source.peek(), "+-.eE0123456789".utf8.contains(byte) {
            digits.unicodeScalars.append(Unicode.Scalar(byte))
            _ = try source.next()
        }
        let form = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
        guard digits.wholeMatch(of: form) != nil else { throw fault("'\(digits.prefix(100))' is no number") }
        return digits
    }

    private func string() throws -> String {
        let line = source.line
        _ = try source.next()
        var bytes: [UInt8] = []
        while let byte = try source.next() {
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw ImportFault(notUTF8: bytes, line: line)
                }
                return text
            case UInt8(ascii: "\\"): bytes += try escape().utf8
            case 10, 13: throw fault("a string isn't closed at the end of its line")
            default: bytes.append(byte)
            }
        }
        throw ImportFault(line: line, text: "a string isn't closed")
    }

    private func escape() throws -> String {
        switch try source.next() {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try unit()
            if let scalar = Unicode.Scalar(UInt32(first)) { return String(scalar) }
            guard UTF16.isLeadSurrogate(first), try source.next() == UInt8(ascii: "\\"),
                try source.next() == UInt8(ascii: "u")
            else { throw fault("half of a character is escaped") }
            let second = try unit()
            guard UTF16.isTrailSurrogate(second) else { throw fault("half of a character is escaped") }
            return String(decoding: [first, second], as: UTF16.self)
        default: throw fault("an escape in a string is invalid")
        }
    }

    private func unit() throws -> UInt16 {
        var digits = ""
        for _ in 0..<4 { digits.unicodeScalars.append(Unicode.Scalar(try source.next() ?? 0)) }
        guard let unit = UInt16(digits, radix: 16) else { throw fault("an escape in a string is invalid") }
        return unit
    }

    func fault(_ text: String) -> ImportFault { ImportFault(line: source.line, text: "this is no JSON: \(text).") }

    /// The fault of a character that may not stand here.
    func unexpected(_ text: String) throws -> ImportFault {
        guard let byte = try peek() else { return fault("\(text) at the end of the text") }
        return fault(
            (0x21...0x7e).contains(byte) ? "\(text) before '\(Unicode.Scalar(byte))'" : "\(text)")
    }
}
