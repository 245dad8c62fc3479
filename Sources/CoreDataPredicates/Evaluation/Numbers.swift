// SPDX-License-Identifier: Apache-2.0

/// Conversion, exact comparison and arithmetic of numbers of any type.
package enum Numbers {
    /// The value as a number; nil for other values, strings included.
    package static func number(_ value: Any?) -> NSNumber? {
        if let value, type(of: value) == String.self { return nil }
        return switch value {
        case nil: nil
        case let number as NSNumber: number
        case let decimal as Decimal: HashableDecimalNumber(decimal: decimal)
        default: nil
        }
    }

    /// The exact order of two numbers; nil if one is not a number (NaN).
    static func compare(_ one: NSNumber, _ two: NSNumber) -> ComparisonResult? {
        let (one, two) = (Exact(one), Exact(two))
        switch (one, two) {
        case (.integer(let one), .integer(let two)): return order(one, two)
        case (.real(let one), .real(let two)): return one.isNaN || two.isNaN ? nil : order(one, two)
        case (.integer(let one), .real(let two)): return order(one, two)
        case (.real(let one), .integer(let two)): return order(two, one).map(reversed)
        case (.decimal, _), (_, .decimal): return order(decimal: one, two)
        }
    }

    /// True for floating-point and decimal numbers: arithmetic on them is not integer arithmetic.
    package static func isReal(_ number: NSNumber) -> Bool {
        if case .integer = Exact(number) { return false }
        return true
    }

    /// The whole part of a number, if an integer of 64 bits can have it; nil beyond, and for NaN.
    package static func int64(_ number: NSNumber) -> Int64? {
        let value = number.int64Value
        // Foundation wraps or saturates numbers beyond 64 bits. No result of that is in this range.
        if value > 0, value < 1 << 62, type(of: number) == NSNumber.self { return value }
        switch Exact(number) {
        case .integer(let integer): return Int64(exactly: integer)
        case .real(let real): return real >= -0x1p63 && real < 0x1p63 ? Int64(real) : nil
        case .decimal(let decimal):
            let isInRange = !decimal.isNaN && decimal >= Decimal(Int64.min) && decimal <= Decimal(Int64.max)
            return isInRange ? value : nil
        }
    }

    /// The whole part of a number, or the nearest integer of 64 bits; for NaN the smallest one.
    package static func clampedInt64(_ number: NSNumber) -> Int64 {
        int64(number) ?? (number.doubleValue > 0 ? .max : .min)
    }

    /// A number in the widest type of its family.
    enum Exact {
        case integer(Int128)
        case real(Double)
        case decimal(Decimal)

        init(_ number: NSNumber) {
            if type(of: number) != NSNumber.self, let decimal = number as? NSDecimalNumber {
                self = .decimal(decimal.decimalValue)
                return
            }
            switch UInt8(bitPattern: number.objCType.pointee) {
            case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
            case UInt8(ascii: "Q"): self = .integer(Int128(number.uint64Value))
            default: self = .integer(Int128(number.int64Value))
            }
        }

        /// As a double, rounded where it must be.
        var double: Double {
            switch self {
            case .integer(let value): Double(value)
            case .real(let value): value
            case .decimal(let value): value.nearestDouble
            }
        }

        /// As a decimal, nil outside the range of `Decimal`.
        var decimal: Decimal? {
            switch self {
            case .integer(let value): Decimal(string: String(value))
            case .real(let value): Decimal(shortest: value)
            case .decimal(let value): value
            }
        }

        /// As a decimal that compares as the number does with integers: the shortest text of a whole double beyond 2^53
        /// may be another integer.
        fileprivate var comparedDecimal: Decimal? {
            if case .real(let value) = self, value.magnitude > 0x1p53, value.magnitude < 0x1p64 {
                return Decimal(string: String(Int128(value)))
            }
            return decimal
        }
    }

    private static func order<Value: Comparable>(_ one: Value, _ two: Value) -> ComparisonResult {
        one == two ? .orderedSame : one < two ? .orderedAscending : .orderedDescending
    }

    private static func order(_ integer: Int128, _ real: Double) -> ComparisonResult? {
        if real.isNaN { return nil }
        if real >= 0x1p100 { return .orderedAscending }
        if real <= -0x1p100 { return .orderedDescending }
        let whole = real.rounded(.towardZero)
        let result = order(integer, Int128(whole))
        return result == .orderedSame ? order(whole, real) : result
    }

    private static func order(decimal one: Exact, _ two: Exact) -> ComparisonResult? {
        if let one = one.comparedDecimal, let two = two.comparedDecimal, !one.isNaN, !two.isNaN {
            return order(one, two)
        }
        return one.double.isNaN || two.double.isNaN ? nil : order(one.double, two.double)
    }

    private static func reversed(_ result: ComparisonResult) -> ComparisonResult {
        switch result {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}
