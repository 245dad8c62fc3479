// SPDX-License-Identifier: Apache-2.0

/// Parses JSON. It accepts more than the standard allows, but never reads outside of the bytes.
struct JSONParser {
    /// The deepest nesting. A message of the compiler has six levels.
    private static let depthLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0

    /// The value in the bytes; nil if they are no JSON.
    static func value(of bytes: [UInt8]) -> JSON? {
        bytes.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(bytes: bytes)
            guard let value = parser.value() else { return nil }
            parser.skipSpace()
            return parser.position == bytes.count ? value : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte, byte == 32 || byte == 9 || byte == 10 || byte == 13 { position += 1 }
    }

    /// Moves the position after the byte and the space before it, if the byte is the next one.
    private mutating func consume(_ expected: Unicode.Scalar) -> Bool {
        skipSpace()
        guard let byte, byte == UInt8(ascii: expected) else { return false }
        position += 1
        return true
    }

    private mutating func value() -> JSON? {
        skipSpace()
        guard let byte else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.array() }
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout JSONParser) -> JSON?) -> JSON? {
        guard depth < Self.depthLimit else { return nil }
        depth += 1
        position += 1
        defer { depth -= 1 }
        return read(&self)
    }

    private mutating func object() -> JSON? {
        var members: [(name: String, value: JSON)] = []
        if consume("}") { return .object([]) }
        repeat {
            skipSpace()
            guard byte == UInt8(ascii: "\""), let name = string(), consume(":"), let value = value() else { return nil }
            members.append((name, value))
        } while consume(",")
        return consume("}") ? .object(members) : nil
    }

    private mutating func array() -> JSON? {
        var elements: [JSON] = []
        if consume("]") { return .array([]) }
        repeat {
            guard let element = value() else { return nil }
            elements.append(element)
        } while consume(",")
        return consume("]") ? .array(elements) : nil
    }

    private mutating func word(_ word: StaticString, _ value: JSON) -> JSON? {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count,
            (0..<word.utf8CodeUnitCount).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
        else { return nil }
        position = end
        return value
    }

    private mutating func number() -> JSON? {
        let start = position
        while let byte, "+-.0123456789eE".utf8.contains(byte) { position += 1 }
        return Double(String(decoding: bytes[start..<position], as: UTF8.self)).map { .number($0) }
    }

    // MARK: Strings

    private mutating func string() -> String? {
        position += 1
        var text: [UInt8] = []
        var start = position
        while let byte {
            if byte == UInt8(ascii: "\"") {
                text += bytes[start..<position]
                position += 1
                return String(decoding: text, as: UTF8.self)
            }
            guard byte == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            text += bytes[start..<position]
            position += 1
            guard escape(into: &text) else { return nil }
            start = position
        }
        return nil
    }

    /// Reads the character after a backslash.
    private mutating func escape(into text: inout [UInt8]) -> Bool {
        guard let byte else { return false }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "u"):
            guard let scalar = escapedScalar() else { return false }
            text += String(scalar).utf8
        default: text.append(byte)
        }
        return true
    }

    /// Reads four hexadecimal digits, or eight of a surrogate pair. A lone surrogate becomes a replacement character.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let unit = codeUnit() else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        let next = position
        guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        position += 2
        guard let low = codeUnit() else { return nil }
        guard (0xDC00..<0xE000).contains(low) else {
            position = next
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func codeUnit() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        defer { position += 4 }
        return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    }
}
