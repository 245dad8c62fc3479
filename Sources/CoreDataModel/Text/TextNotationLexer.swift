// SPDX-License-Identifier: Apache-2.0

/// Splits text into tokens. White space and the comments `// …` and `/* … */` separate tokens.
struct TextNotationLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var column = 1

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(TextNotationError) -> TextNotationToken {
        let lineBefore = line
        let isFirst = position == 0
        try skipSpace()
        let startsLine = isFirst || line != lineBefore
        let (line, column) = (line, column)
        func token(_ kind: TextNotationToken.Kind) -> TextNotationToken {
            TextNotationToken(kind: kind, line: line, column: column, startsLine: startsLine)
        }
        guard let byte = peek else { return token(.end) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"),
            UInt8(ascii: "="),
            UInt8(ascii: ","), UInt8(ascii: ";"):
            advance()
            return token(.mark(Character(Unicode.Scalar(byte))))
        case UInt8(ascii: "\""): return token(.text(try quotedText(hashes: 0)))
        case UInt8(ascii: "#"): return token(.text(try rawText()))
        default: return token(.word(try word()))
        }
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func peek(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func advance() {
        let byte = bytes[position]
        position += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            // Columns count characters, not bytes.
            column += 1
        }
    }

    func problem(_ message: String) -> TextNotationError {
        TextNotationError(message: message, line: line, column: column)
    }

    private mutating func skipSpace() throws(TextNotationError) {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while let next = peek, next != UInt8(ascii: "\n") { advance() }
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(TextNotationError) {
        let start = problem("this comment doesn't end; '*/' is missing")
        advance()
        advance()
        while !(peek == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
            guard peek != nil else { throw start }
            advance()
        }
        advance()
        advance()
    }

    /// Decodes one UTF-8 character.
    private mutating func scalar() throws(TextNotationError) -> Unicode.Scalar {
        let first = bytes[position]
        if first < 0x80 {
            advance()
            return Unicode.Scalar(first)
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let end = min(position + length, bytes.count)
        guard let decoded = String(validating: bytes[position..<end], as: UTF8.self),
            let scalar = decoded.unicodeScalars.first,
            decoded.unicodeScalars.count == 1
        else { throw problem("the byte 0x\(String(first, radix: 16, uppercase: true)) is not valid UTF-8") }
        while position < end { advance() }
        return scalar
    }

    // MARK: Words and texts

    private mutating func word() throws(TextNotationError) -> String {
        var word = String.UnicodeScalarView()
        while let byte = peek {
            let before = self
            if byte >= 0x80 {
                let scalar = try scalar()
                guard TextNotationText.isWordCharacter(scalar) else {
                    self = before
                    break
                }
                word.append(scalar)
            } else {
                guard TextNotationText.isWordCharacter(Unicode.Scalar(byte)) else { break }
                advance()
                word.append(Unicode.Scalar(byte))
            }
        }
        guard word.isEmpty else { return String(word) }
        let start = problem("")
        let character = TextNotationText.visible(try scalar())
        throw TextNotationError(
            message: "the character '\(character)' is not allowed here", line: start.line, column: start.column)
    }

    /// Reads `#"…"#`, a text without escapes. It can have more number signs on both sides.
    private mutating func rawText() throws(TextNotationError) -> String {
        let start = problem("'#' begins a text only before a quotation mark, as in #\"…\"#")
        var hashes = 0
        while peek == UInt8(ascii: "#") {
            hashes += 1
            advance()
        }
        guard peek == UInt8(ascii: "\"") else { throw start }
        return try quotedText(hashes: hashes)
    }

    private mutating func quotedText(hashes: Int) throws(TextNotationError) -> String {
        let start = problem("this text doesn't end on its line; a closing quotation mark is missing")
        advance()
        var text = String.UnicodeScalarView()
        while let byte = peek, byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\""), isFollowed(byHashes: hashes) {
                for _ in 0...hashes { advance() }
                return String(text)
            }
            if byte == UInt8(ascii: "\\"), hashes == 0 {
                advance()
                text.append(try escape())
            } else {
                text.append(try scalar())
            }
        }
        throw start
    }

    private func isFollowed(byHashes hashes: Int) -> Bool {
        guard position + hashes < bytes.count else { return false }
        return bytes[(position + 1)..<(position + 1 + hashes)].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private mutating func escape() throws(TextNotationError) -> Unicode.Scalar {
        let start = problem(
            "after '\\' only one of \\ \" n r t u{…} can follow; write a text with many '\\' as #\"…\"#")
        guard let byte = peek else { throw start }
        advance()
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard peek == UInt8(ascii: "{") else { throw start }
            advance()
            var digits = ""
            while let digit = peek, digit != UInt8(ascii: "}"), digits.utf8.count < 8 {
                digits.unicodeScalars.append(Unicode.Scalar(digit))
                advance()
            }
            guard peek == UInt8(ascii: "}"), let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code)
            else {
                throw start
            }
            advance()
            return scalar
        default: throw start
        }
    }
}
