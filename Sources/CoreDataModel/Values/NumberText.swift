// SPDX-License-Identifier: Apache-2.0

/// A decimal number of a text, exactly: its digits, and the power of ten of the last one.
struct NumberText: Equatable {
    let isNegative: Bool
    /// Without zeros at the beginning and the end; empty for zero.
    let digits: String
    let exponent: Int

    /// Beyond this power of ten no type has a value.
    private static let maximumExponent = 100_000

    /// - Parameter text: `12`, `-1.50`, `.5`, `2e10`; nil for all else, such as hexadecimal digits and `nan`.
    init?(_ text: String) {
        var rest = text.utf8[...]
        self.init(taking: &rest)
        guard rest.isEmpty else { return nil }
    }

    /// The number at the beginning of a text, after white space; nil if there is none.
    init?(prefixOf text: String) {
        var rest = text.drop(while: \.isWhitespace).utf8
        self.init(taking: &rest)
    }

    private init?(taking rest: inout Substring.UTF8View) {
        isNegative = rest.takeSign()
        let whole = rest.takeDigits()
        let fraction = rest.take(".") ? rest.takeDigits() : whole.suffix(0)
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var power = 0
        var exponent = rest
        if exponent.take("e") || exponent.take("E") {
            let isSmall = exponent.takeSign()
            let digits = exponent.takeDigits()
            if !digits.isEmpty {
                power = min(Int(Substring(digits)) ?? Self.maximumExponent, Self.maximumExponent) * (isSmall ? -1 : 1)
                rest = exponent
            }
        }
        let all = (Substring(whole) + Substring(fraction)).drop { $0 == "0" }
        let zeros = all.reversed().prefix { $0 == "0" }.count
        digits = String(all.dropLast(zeros))
        self.exponent = digits.isEmpty ? 0 : power - fraction.count + zeros
    }

    var isZero: Bool { digits.isEmpty }

    /// The number as an integer; nil for one with a fraction, or beyond 64 bits.
    var integer: Int64? {
        if isZero { return 0 }
        guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }

    /// The nearest double, which is infinite for a larger number.
    var double: Double { Double("\(isNegative ? "-" : "")0\(digits)e\(exponent)") ?? 0 }

    /// The decimal with as many of the digits as it can have; nil for a number that is too large or too small.
    var nearestDecimal: Decimal? {
        // Foundation's reader takes exponents up to 127 only, but more digits.
        let zeros = (1..<170).contains(exponent) ? exponent : 0
        let text = "\(isNegative ? "-" : "")0\(digits)\(String(repeating: "0", count: zeros))e\(exponent - zeros)"
        guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), decimal.isFinite else {
            return nil
        }
        return decimal
    }

    /// The number as a decimal; nil for one with more digits than a decimal keeps.
    var decimal: Decimal? {
        if isZero { return 0 }
        return nearestDecimal.flatMap { NumberText($0.description) == self ? $0 : nil }
    }
}

/// Reading from the beginning of a text.
extension Substring.UTF8View {
    /// Removes a character; false if another one is there.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard first == UInt8(ascii: character) else { return false }
        removeFirst()
        return true
    }

    /// Removes a sign; true for a minus.
    mutating func takeSign() -> Bool {
        if take("-") { return true }
        _ = take("+")
        return false
    }

    /// Removes the digits 0 to 9.
    mutating func takeDigits() -> Substring.UTF8View {
        let taken = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        self = self[taken.endIndex...]
        return taken
    }

    /// Removes a number with so many digits; nil for another number of digits.
    mutating func takeNumber(digits counts: ClosedRange<Int> = 2...2) -> Int? {
        let digits = takeDigits()
        return counts.contains(digits.count) ? Int(Substring(digits)) : nil
    }
}
