// SPDX-License-Identifier: Apache-2.0

/// A decimal number that can be hashed. On Linux, `NSDecimalNumber.hash` of Foundation recurses without end.
///
/// Decimal values of objects and archives are of this class, so that sets can contain them. An equal `NSNumber` has the
/// same hash.
package final class HashableDecimalNumber: NSDecimalNumber, @unchecked Sendable {
    package override init(decimal value: Decimal) { super.init(decimal: value) }

    package required convenience init(integerLiteral value: Int) { self.init(decimal: Decimal(value)) }
    package required convenience init(floatLiteral value: Double) { self.init(decimal: Decimal(value)) }
    package required convenience init(booleanLiteral value: Bool) { self.init(decimal: value ? 1 : 0) }
    package required convenience init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        self.init(decimal: NSNumber(bytes: buffer, objCType: type).decimalOrNaN)
    }
    package required convenience init?(coder: NSCoder) {
        guard let value = NSDecimalNumber(coder: coder) else { return nil }
        self.init(decimal: value.decimalValue)
    }

    package override var doubleValue: Double { decimalValue.nearestDouble }

    package override var hash: Int { NSNumber(value: doubleValue).hash }

    package override func isEqual(_ object: Any?) -> Bool {
        if let other = object as? HashableDecimalNumber { return decimalValue == other.decimalValue }
        return super.isEqual(object)
    }
}

extension Decimal {
    /// The decimal with the fewest digits that reads back to the same double; nil if a decimal has no room for them,
    /// and for infinite numbers and NaN.
    package init?(shortest number: Double) {
        guard number.isFinite else { return nil }
        let text = "\(number)"
        if let decimal = Decimal(string: text) {
            self = decimal
            return
        }
        // Foundation's reader takes exponents up to 127 only, but more digits.
        let parts = text.split(separator: "e")
        let numerals = parts[0].split(separator: ".")
        let fraction = numerals.count > 1 && numerals[1] != "0" ? numerals[1] : ""
        let zeros = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
        guard (0..<170).contains(zeros),
            let decimal = Decimal(string: numerals[0] + fraction + String(repeating: "0", count: zeros)),
            !decimal.isNaN
        else { return nil }
        self = decimal
    }

    /// The double nearest to the decimal. Foundation's `doubleValue` rounds at each digit of the fraction: 19.99
    /// becomes 19.990000000000002.
    package var nearestDouble: Double {
        // NaN has a significand too.
        if isNaN { return .nan }
        // One division of two exact doubles rounds once.
        let digits = NSDecimalNumber(decimal: significand.magnitude).doubleValue
        if digits < 0x1p53, (-22...22).contains(exponent) {
            let size = exponent < 0 ? digits / Self.powersOfTen[-exponent] : digits * Self.powersOfTen[exponent]
            return isSignMinus ? -size : size
        }
        return Double(description) ?? NSDecimalNumber(decimal: self).doubleValue
    }

    /// The powers of ten that a double holds exactly.
    private static let powersOfTen: [Double] = (0...22).map { Double("1e\($0)")! }
}

extension NSNumber {
    /// The number as a decimal: all digits of an integer, or the fewest digits that tell a floating-point number from
    /// its neighbours. NaN for infinite numbers, at which Foundation's `decimalValue` stops the program.
    ///
    /// Foundation converts a plain number by way of a double, whose fraction it takes in binary:
    /// 9007199254740993 becomes 9007199254740992, and 1000000000000000.5 becomes 1000000000000000.2048.
    package final var decimalOrNaN: Decimal {
        if self is NSDecimalNumber { return decimalValue }
        if let exact = Numbers.Exact(self).decimal { return exact }
        let number = doubleValue
        // Less than the smallest decimal, or with more digits than decimals of its size have.
        return number.magnitude < 1 ? Decimal(string: String(format: "%.128f", number)) ?? 0 : .nan
    }

    /// Whether the number isn't zero. Foundation's `boolValue` on Linux looks at the whole part alone.
    package final var isTrue: Bool { doubleValue != 0 }
}
