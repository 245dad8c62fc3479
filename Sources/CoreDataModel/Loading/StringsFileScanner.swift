// SPDX-License-Identifier: Apache-2.0

/// Splits the text of a strings file into entries, comments, and quoted and unquoted strings.
struct StringsFileScanner {
    private let scalars: [Unicode.Scalar]
    private let url: URL
    private var position = 0

    init(_ text: String, url: URL) {
        // Characters would combine a quotation mark with a following combining mark.
        scalars = Array(text.unicodeScalars)
        self.url = url
    }

    /// Reads all entries.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file and line.
    mutating func read() throws -> [String: String] {
        var strings: [String: String] = [:]
        try skipSpace()
        // A property list of the old format is the same text in braces.
        let isBraced = consume("{")
        try skipSpace()
        while position < scalars.count, !(isBraced && peek == "}") {
            let key = try string()
            try skipSpace()
            var value = key
            if consume("=") {
                try skipSpace()
                value = try string()
                try skipSpace()
            }
            guard consume(";") || (isBraced && peek == "}") else { throw failure("';' is missing") }
            strings[key] = value
            try skipSpace()
        }
        if isBraced {
            guard consume("}") else { throw failure("'}' is missing") }
            try skipSpace()
            if position < scalars.count { throw failure("there is text after '}'") }
        }
        return strings
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func isNext(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        position + 1 < scalars.count && scalars[position] == first && scalars[position + 1] == second
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() throws {
        while let scalar = peek {
            if scalar.properties.isWhitespace {
                position += 1
            } else if isNext("/", "/") {
                while let next = peek, next != "\n", next != "\r" { position += 1 }
            } else if isNext("/", "*") {
                position += 2
                while !isNext("*", "/") {
                    guard peek != nil else { throw failure("a comment doesn't end") }
                    position += 1
                }
                position += 2
            } else {
                return
            }
        }
    }

    private mutating func string() throws -> String {
        guard let quote = peek, quote == "\"" || quote == "'" else { return try unquotedString() }
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek {
            position += 1
            if scalar == quote { return String(text) }
            text.append(scalar == "\\" ? try escape() : scalar)
        }
        throw failure("a string doesn't end")
    }

    private mutating func unquotedString() throws -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek,
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_-./:$".unicodeScalars.contains(scalar),
            !isNext("/", "/"), !isNext("/", "*")
        {
            text.append(scalar)
            position += 1
        }
        guard !text.isEmpty else { throw failure("a string is missing") }
        return String(text)
    }

    private mutating func escape() throws -> Unicode.Scalar {
        guard let scalar = peek else { throw failure("a string doesn't end") }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "a": return "\u{07}"
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "v": return "\u{0B}"
        case "U", "u": return try unicodeEscape()
        case "0"..."7":
            position -= 1
            let code = try number(
                digits: min(3, scalars[position...].prefix(3).prefix { ("0"..."7").contains($0) }.count), radix: 8)
            guard code < 0x80, let result = Unicode.Scalar(code) else {
                throw failure("an octal escape is not an ASCII character")
            }
            return result
        default: return scalar
        }
    }

    /// Four digits are a UTF-16 code unit. Two units encode a character outside the basic plane.
    private mutating func unicodeEscape() throws -> Unicode.Scalar {
        let unit = try number(digits: 4, radix: 16)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard (0xD800..<0xDC00).contains(unit), isNext("\\", "U") || isNext("\\", "u") else {
            throw failure("half of a character is missing")
        }
        position += 2
        let second = try number(digits: 4, radix: 16)
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
        else {
            throw failure("half of a character is missing")
        }
        return scalar
    }

    private mutating func number(digits count: Int, radix: Int) throws -> UInt32 {
        let end = min(position + count, scalars.count)
        var digits = String.UnicodeScalarView()
        digits.append(contentsOf: scalars[position..<end])
        guard end - position == count, let code = UInt32(String(digits), radix: radix), digits.first != "+" else {
            throw failure("an escape isn't followed by \(Wording.count(count, "digit"))")
        }
        position = end
        return code
    }

    private func failure(_ reason: String) -> CocoaError {
        // A line ends with , \r or both.
        let read = scalars[..<min(position, scalars.count)]
        let line = zip(read.indices, read).reduce(1) { line, item in
            let isReturnBeforeFeed = item.1 == "\r" && item.0 + 1 < scalars.count && scalars[item.0 + 1] == "\n"
            return line + (item.1 == "\n" || (item.1 == "\r" && !isReturnBeforeFeed) ? 1 : 0)
        }
        return ModelFileError.corrupt(url, "\(reason) (line \(line)).")
    }
}
