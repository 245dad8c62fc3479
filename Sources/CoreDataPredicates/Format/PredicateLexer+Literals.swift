// SPDX-License-Identifier: Apache-2.0

extension PredicateLexer {
    /// A number in any notation: 12, 1.5, .5, 1e-3, 0xff, 0o17, 0b101.
    mutating func number() throws -> NSNumber {
        let start = position
        if peek() == "0", let letter = peek(1), let radix = Self.radix(of: letter) {
            position += 2
            let digits = consume { $0.properties.isASCIIHexDigit }
            if let value = Int64(digits, radix: radix) { return NSNumber(value: value) }
            if let value = UInt64(digits, radix: radix) { return NSNumber(value: value) }
            throw error(at: start, "expected a 64-bit integer of base \(radix)")
        }
        var text = consume(while: Self.isDigit)
        var isInteger = true
        if peek() == ".", let digit = peek(1), Self.isDigit(digit) {
            position += 1
            text = (text.isEmpty ? "0" : text) + "." + consume(while: Self.isDigit)
            isInteger = false
        }
        if let exponent = exponent() {
            text += exponent
            isInteger = false
        }
        if let next = peek(), Self.startsWord(next) {
            throw error(at: position, "a number can't be followed by a letter")
        }
        if isInteger {
            if let value = Int64(text) { return NSNumber(value: value) }
            if let value = UInt64(text) { return NSNumber(value: value) }
        }
        guard let value = Double(text), value.isFinite else {
            throw error(at: start, "expected a number within the range of a double")
        }
        return NSNumber(value: value)
    }

    private static func radix(of letter: Unicode.Scalar) -> Int? {
        switch letter {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private mutating func exponent() -> String? {
        guard peek() == "e" || peek() == "E" else { return nil }
        var length = 1
        if peek(length) == "+" || peek(length) == "-" { length += 1 }
        guard let digit = peek(length), Self.isDigit(digit) else { return nil }
        var text = String(String.UnicodeScalarView(scalars[position..<position + length]))
        position += length
        text += consume(while: Self.isDigit)
        return text
    }

    private mutating func consume(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        while let scalar = peek(), isIncluded(scalar) {
            result.append(scalar)
            position += 1
        }
        return String(result)
    }

    /// A string in single or double quotes, with the escapes of C.
    mutating func string(quote: Unicode.Scalar) throws -> String {
        let start = position
        position += 1
        var result = String.UnicodeScalarView()
        while let scalar = peek() {
            position += 1
            if scalar == quote { return String(result) }
            result.append(scalar == "\\" ? try escape() : scalar)
        }
        throw error(at: start, "the string has no closing quote")
    }

    private mutating func escape() throws -> Unicode.Scalar {
        guard let scalar = peek() else { throw error(at: position, "the string has no closing quote") }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u": return try codePoint()
        case "U": return try self.scalar(hexadecimal(digits: 8), at: position - 8)
        case "x": return try self.scalar(hexadecimal(digits: 2), at: position - 2)
        default: return scalar
        }
    }

    /// `\uXXXX`, or two of them as a UTF-16 surrogate pair.
    private mutating func codePoint() throws -> Unicode.Scalar {
        let start = position
        let first = try hexadecimal(digits: 4)
        guard UTF16.isLeadSurrogate(UInt16(first)), peek() == "\\", peek(1) == "u" else {
            return try scalar(first, at: start)
        }
        position += 2
        let second = try hexadecimal(digits: 4)
        guard UTF16.isTrailSurrogate(UInt16(second)) else { return try scalar(first, at: start) }
        return try scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), at: start)
    }

    private mutating func hexadecimal(digits: Int) throws -> UInt32 {
        let start = position
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = peek(), let digit = UInt32(String(scalar), radix: 16) else {
                throw error(at: start, "expected \(digits) hexadecimal digits")
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private func scalar(_ value: UInt32, at start: Int) throws -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(value) else { throw error(at: start, "expected the number of a character") }
        return scalar
    }
}
