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
        func sign() -> Bool {
            guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return false }
            rest.removeFirst()
            return first == UInt8(ascii: "-")
        }
        func take() -> Substring.UTF8View {
            let taken = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[taken.endIndex...]
            return taken
        }
        let isBelowZero = sign()
        let whole = take()
        var fraction = rest[rest.startIndex..<rest.startIndex]
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = take()
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var power = 0
        if let letter = rest.first, letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") {
            rest.removeFirst()
            let isSmall = sign()
            let digits = take()
            guard !digits.isEmpty else { return nil }
            power = min(Int(Substring(digits)) ?? Self.maximumExponent, Self.maximumExponent) * (isSmall ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
        let all = (Substring(whole) + Substring(fraction)).drop { $0 == "0" }
        let zeros = all.reversed().prefix { $0 == "0" }.count
        digits = String(all.dropLast(zeros))
        exponent = digits.isEmpty ? 0 : power - fraction.count + zeros
        isNegative = isBelowZero && !digits.isEmpty
    }

    var isZero: Bool { digits.isEmpty }

    /// The number as an integer; nil for one with a fraction, or beyond 64 bits.
    var integer: Int64? {
        if isZero { return 0 }
        guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }

    /// The number as a decimal; nil for one with more digits than a decimal keeps.
    var decimal: Decimal? {
        if isZero { return 0 }
        guard let decimal = Decimal(string: "\(isNegative ? "-" : "")\(digits)e\(exponent)"), decimal.isFinite,
            NumberText(decimal.description) == self
        else { return nil }
        return decimal
    }
}
