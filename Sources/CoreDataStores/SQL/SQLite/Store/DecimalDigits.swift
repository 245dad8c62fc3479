// SPDX-License-Identifier: Apache-2.0

/// Reads the decimals of most rows, such as `-19.99`, in a fraction of the time that Foundation's scanner takes.
enum DecimalDigits {
    /// The decimal of a text that is a sign, up to 18 digits and a point; nil for other texts.
    static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Decimal? {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        // 18 digits and a point.
        guard let first = rest.first, isDigit(first), rest.count <= 19 else { return nil }
        var digits: UInt64 = 0
        var exponent = 0
        var isFraction = false
        for byte in rest {
            if isDigit(byte) {
                digits = digits * 10 + UInt64(byte & 15)
                if isFraction { exponent -= 1 }
            } else if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else {
                return nil
            }
        }
        // Zero has no sign: Foundation takes a negative zero for NaN.
        if digits == 0 { return 0 }
        while exponent < 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(digits))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
