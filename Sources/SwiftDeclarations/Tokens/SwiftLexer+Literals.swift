// SPDX-License-Identifier: Apache-2.0

/// The delimiter of a string literal: its quotes, and the `#` signs of a raw string.
struct StringDelimiter: Equatable {
    let pounds: Int
    let isMultiline: Bool
}

extension SwiftLexer {
    // MARK: Strings

    /// Reads a string from its opening quotes. The position is after its `#` signs.
    mutating func startString(pounds: Int) {
        let start = position - pounds
        let isMultiline =
            peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") && !closesAtOnce(pounds: pounds)
        position += isMultiline ? 3 : 1
        string(StringDelimiter(pounds: pounds, isMultiline: isMultiline), from: start)
    }

    /// Whether the quotes are an empty raw string, `#""#`, and not the start of a multiline string.
    private func closesAtOnce(pounds: Int) -> Bool {
        guard pounds > 0 else { return false }
        return (0..<pounds).allSatisfy { peek(2 + $0) == UInt8(ascii: "#") }
    }

    /// Continues a string after an interpolation.
    mutating func continueString(_ delimiter: StringDelimiter) { string(delimiter, from: position) }

    private mutating func string(_ delimiter: StringDelimiter, from start: Int) {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\") && hasPounds(delimiter.pounds, after: 1) {
                if peek(1 + delimiter.pounds) == UInt8(ascii: "(") {
                    if position > start { emit(.string, from: start) }
                    let escape = position
                    position += 2 + delimiter.pounds
                    emit(.interpolationStart, from: escape)
                    interpolations.append((delimiter, 0))
                    return
                }
                // An escaped character can't end the literal, except a line break.
                position += 1 + delimiter.pounds
                let escaped = peek()
                if position < bytes.count,
                    delimiter.isMultiline || (escaped != UInt8(ascii: "\n") && escaped != UInt8(ascii: "\r"))
                {
                    position += 1
                }
            } else if byte == UInt8(ascii: "\""), closes(delimiter) {
                position += (delimiter.isMultiline ? 3 : 1) + delimiter.pounds
                return emit(.string, from: start)
            } else if !delimiter.isMultiline && (byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")) {
                // An unterminated literal: the compiler reports it.
                if position > start { emit(.string, from: start) }
                return
            } else {
                position += 1
            }
        }
        position = min(position, bytes.count)
        if position > start { emit(.string, from: start) }
    }

    private func hasPounds(_ count: Int, after offset: Int) -> Bool {
        (0..<count).allSatisfy { peek(offset + $0) == UInt8(ascii: "#") }
    }

    private func closes(_ delimiter: StringDelimiter) -> Bool {
        let quotes = delimiter.isMultiline ? 3 : 1
        return (0..<quotes).allSatisfy { peek($0) == UInt8(ascii: "\"") } && hasPounds(delimiter.pounds, after: quotes)
    }

    // MARK: Regular expressions

    /// The end of the regular expression literal at this slash; nil if the slash is an operator.
    ///
    /// The rule is the compiler's: an operand is expected, and the literal is closed in the same line.
    mutating func regexEnd() -> Int? {
        guard expectsOperand else { return nil }
        let first = peek(1)
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") || first == UInt8(ascii: "\n")
            || first == UInt8(ascii: "\r") || first == 0
        {
            return nil
        }
        var index = position + 1
        var parentheses = 0
        var isInClass = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                noRegexBefore = index
                return nil
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            case UInt8(ascii: "(") where !isInClass: parentheses += 1
            case UInt8(ascii: ")") where !isInClass:
                parentheses -= 1
                if parentheses < 0 { return nil }
            case UInt8(ascii: "/"): return bytes[index - 1] == UInt8(ascii: " ") ? nil : index + 1
            default: break
            }
            index += 1
        }
        noRegexBefore = bytes.count
        return nil
    }

    /// Whether the token before can't end an operand.
    private var expectsOperand: Bool {
        guard let last = tokens.last else { return true }
        switch last.kind {
        case .number, .string, .regex, .quotedIdentifier, .interpolationEnd, .pound: return false
        case .interpolationStart: return true
        case .punctuation:
            return ![UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ".")].contains(
                bytes[last.start])
        // A postfix operator has no space before it, and space after it.
        case .operatorCharacter:
            return position > last.end || ![UInt8(ascii: "!"), UInt8(ascii: "?")].contains(bytes[last.start])
        case .identifier:
            let word = String(decoding: bytes[last.start..<last.end], as: UTF8.self)
            return [
                "return", "in", "case", "let", "var", "try", "await", "where", "if", "while", "switch", "throw", "else",
                "guard", "is", "as",
            ].contains(word)
        }
    }

    /// The end of a `#/…/#` literal, which may have several lines.
    mutating func extendedRegexEnd(pounds: Int) -> Int? {
        var index = position + pounds + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
                continue
            }
            if bytes[index] == UInt8(ascii: "/"), index + pounds < bytes.count,
                (1...pounds).allSatisfy({ bytes[index + $0] == UInt8(ascii: "#") })
            {
                return index + 1 + pounds
            }
            index += 1
        }
        unclosedRegexPounds.insert(pounds)
        return nil
    }
}
