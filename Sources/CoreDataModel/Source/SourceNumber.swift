// SPDX-License-Identifier: Apache-2.0

/// Reads numbers in the attributes of source models. The number at the beginning of a text counts; a text without a
/// number at its beginning is 0.
package enum SourceNumber {
    /// The integer at the beginning, limited to the range of 64 bits.
    static func integer(_ text: String) -> Int64 {
        let text = numberPrefix(text)
        if let value = Int64(text) { return value }
        guard let value = Double(text), value.isFinite else { return 0 }
        if value >= 0x1p63 { return .max }
        if value <= -0x1p63 { return .min }
        return Int64(value)
    }

    static func real(_ text: String) -> Double { Double(numberPrefix(text)) ?? 0 }

    static func decimal(_ text: String) -> NSDecimalNumber {
        let value = NSDecimalNumber(string: numberPrefix(text), locale: Locale(identifier: "en_US_POSIX"))
        return value == NSDecimalNumber.notANumber ? NSDecimalNumber.zero : value
    }

    /// A count, which must be in the range of `Int32` as in the version hash; nil for another text.
    package static func count(_ text: String) -> Int? { Int32(text).map(Int.init) }

    /// The sign, digits, fraction and exponent at the beginning of a text; "0" if there are none.
    private static func numberPrefix(_ text: String) -> String {
        var rest = Substring(text).drop { $0.isWhitespace }
        var number = ""
        if let sign = rest.first, sign == "+" || sign == "-" {
            if sign == "-" { number.append(sign) }
            rest = rest.dropFirst()
        }
        var digits = consumeDigits(&rest)
        if rest.first == "." {
            rest = rest.dropFirst()
            let fraction = consumeDigits(&rest)
            if digits.isEmpty && fraction.isEmpty { return "0" }
            if digits.isEmpty { digits = "0" }
            if !fraction.isEmpty { digits += "." + fraction }
        }
        if digits.isEmpty { return "0" }
        number += digits
        if rest.first == "e" || rest.first == "E" {
            rest = rest.dropFirst()
            var exponent = "e"
            if let sign = rest.first, sign == "+" || sign == "-" {
                exponent.append(sign)
                rest = rest.dropFirst()
            }
            let exponentDigits = consumeDigits(&rest)
            if !exponentDigits.isEmpty && exponentDigits.count <= 4 { number += exponent + exponentDigits }
        }
        return number
    }

    private static func consumeDigits(_ rest: inout Substring) -> String {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return String(digits)
    }
}
