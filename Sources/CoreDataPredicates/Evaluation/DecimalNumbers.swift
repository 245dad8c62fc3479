// SPDX-License-Identifier: Apache-2.0

/// A decimal number that can be hashed. On Linux, `NSDecimalNumber.hash` of Foundation recurses without end.
///
/// Decimal values of objects and archives are of this class, so that sets can contain them. The hash is that of an
/// equal `NSNumber`.
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
    /// The number as a decimal; NaN for infinite numbers, at which Foundation's `decimalValue` stops the program.
    package final var decimalOrNaN: Decimal {
        self is NSDecimalNumber || doubleValue.isFinite ? decimalValue : .nan
    }
}
