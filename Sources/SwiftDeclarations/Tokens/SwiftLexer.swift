// SPDX-License-Identifier: Apache-2.0

/// Splits Swift sources into tokens.
///
/// It accepts any bytes: an unterminated literal or comment ends with its line or with the text. Nested comments and
/// interpolations are counted without recursion.
package struct SwiftLexer {
    let bytes: UnsafeBufferPointer<UInt8>
    var tokens: [SwiftToken] = []
    var position = 0
    private var startsLine = true
    private var followsSpace = false
    /// The string literals with an open interpolation, and the number of open parentheses in each.
    var interpolations: [(literal: StringDelimiter, depth: Int)] = []

    /// The failed searches for ends of regular expressions. They aren't repeated: with a hostile source, the cost would
    /// be quadratic.
    var noRegexBefore = 0
    var unclosedRegexPounds: Set<Int> = []

    static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
        bytes.withUnsafeBufferPointer { bytes in
            var lexer = SwiftLexer(bytes: bytes)
            lexer.tokens.reserveCapacity(bytes.count / 5)
            lexer.run()
            return lexer.tokens
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    // MARK: Reading

    /// The byte at an offset from the position; 0 after the end.
    @inline(__always)
    func peek(_ offset: Int = 0) -> UInt8 {
        let index = position + offset
        return index < bytes.count ? bytes[index] : 0
    }

    mutating func emit(_ kind: SwiftToken.Kind, from start: Int) {
        tokens.append(
            SwiftToken(kind: kind, start: start, end: position, startsLine: startsLine, followsSpace: followsSpace))
        startsLine = false
        followsSpace = false
    }

    private mutating func run() {
        if peek() == UInt8(ascii: "#") && peek(1) == UInt8(ascii: "!") { skipLine() }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while position < bytes.count { next() }
    }

    private mutating func next() {
        let start = position
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            position += 1
            startsLine = true
            followsSpace = true
        case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C, 0:
            position += 1
            followsSpace = true
        case UInt8(ascii: "/"):
            slash()
        case UInt8(ascii: "\""):
            startString(pounds: 0)
        case UInt8(ascii: "#"):
            pound()
        case UInt8(ascii: "`"):
            backtick()
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            number()
        case UInt8(ascii: "("):
            position += 1
            if !interpolations.isEmpty { interpolations[interpolations.count - 1].depth += 1 }
            emit(.punctuation, from: start)
        case UInt8(ascii: ")"):
            closeParenthesis()
        case _ where Self.isNameByte(byte) || byte == UInt8(ascii: "$"):
            while position < bytes.count, Self.isNameByte(bytes[position]) || bytes[position] == UInt8(ascii: "$") {
                position += 1
            }
            emit(.identifier, from: start)
        case _ where Self.isOperatorByte(byte):
            position += 1
            emit(.operatorCharacter, from: start)
        default:
            position += 1
            emit(.punctuation, from: start)
        }
    }

    /// Reads a closing parenthesis, which may end an interpolation.
    private mutating func closeParenthesis() {
        let start = position
        position += 1
        guard let open = interpolations.last else { return emit(.punctuation, from: start) }
        if open.depth > 0 {
            interpolations[interpolations.count - 1].depth -= 1
            return emit(.punctuation, from: start)
        }
        interpolations.removeLast()
        emit(.interpolationEnd, from: start)
        continueString(open.literal)
    }

    // MARK: Comments

    private mutating func slash() {
        let start = position
        if peek(1) == UInt8(ascii: "/") { return skipLine() }
        if peek(1) == UInt8(ascii: "*") { return skipComment() }
        if start >= noRegexBefore, let end = regexEnd() {
            position = end
            return emit(.regex, from: start)
        }
        position += 1
        emit(.operatorCharacter, from: start)
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n"), bytes[position] != UInt8(ascii: "\r") {
            position += 1
        }
        followsSpace = true
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if peek() == UInt8(ascii: "/") && peek(1) == UInt8(ascii: "*") {
                depth += 1
                position += 2
            } else if peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/") {
                depth -= 1
                position += 2
            } else {
                if peek() == UInt8(ascii: "\n") || peek() == UInt8(ascii: "\r") { startsLine = true }
                position += 1
            }
        } while depth > 0 && position < bytes.count
        position = min(position, bytes.count)
        followsSpace = true
    }

    // MARK: Names and numbers

    private mutating func pound() {
        let start = position
        var pounds = 0
        while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
        if peek(pounds) == UInt8(ascii: "\"") {
            position += pounds
            return startString(pounds: pounds)
        }
        if peek(pounds) == UInt8(ascii: "/"), !unclosedRegexPounds.contains(pounds),
            let end = extendedRegexEnd(pounds: pounds)
        {
            position = end
            return emit(.regex, from: start)
        }
        position += pounds
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        emit(pounds == 1 && position > start + 1 ? .pound : .punctuation, from: start)
    }

    private mutating func backtick() {
        let start = position
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "`"), bytes[end] != UInt8(ascii: "\n"),
            bytes[end] != UInt8(ascii: "\r")
        { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "`"), end > position + 1 else {
            position += 1
            return emit(.punctuation, from: start)
        }
        position = end + 1
        emit(.quotedIdentifier, from: start)
    }

    private mutating func number() {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            let isFraction = byte == UInt8(ascii: ".") && Self.isDigit(peek(1))
            let isSign =
                (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && Self.isExponent(bytes[position - 1])
                && Self.isDigit(peek(1))
                && !(bytes[start] == UInt8(ascii: "0") && position - start >= 2 && bytes[start + 1] == UInt8(ascii: "x")
                    && bytes[position - 1] | 32 == UInt8(ascii: "e"))
            guard Self.isNameByte(byte) || isFraction || isSign else { break }
            position += 1
        }
        emit(.number, from: start)
    }

    // MARK: Kinds of bytes

    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isExponent(_ byte: UInt8) -> Bool {
        byte | 32 == UInt8(ascii: "e") || byte | 32 == UInt8(ascii: "p")
    }

    /// Letters, digits, the underscore and non-ASCII characters.
    @inline(__always)
    package static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 128 || byte == UInt8(ascii: "_") || isDigit(byte)
            || (byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z"))
    }

    private static func isOperatorByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "="), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "~"),
            UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
