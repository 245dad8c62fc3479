// SPDX-License-Identifier: Apache-2.0

/// The server's binary form of `numeric`: four numbers of 16 bits (count of digits, weight of the first digit, sign,
/// count of shown decimals), then digits to the base 10,000.
enum PostgreSQLNumeric {
    private static let negative: UInt16 = 0x4000
    private static let notANumber: UInt16 = 0xC000
    private static let base: UInt128 = 10_000

    /// Appends a decimal number in all its digits.
    static func append(_ value: Decimal, to bytes: inout PostgreSQLBytes) {
        if value.isNaN {
            bytes.append(bigEndian: UInt16(0))
            bytes.append(bigEndian: UInt16(0))
            bytes.append(bigEndian: notANumber)
            bytes.append(bigEndian: UInt16(0))
            return
        }
        let magnitude = magnitude(of: value)
        let exponent = magnitude == 0 ? 0 : Int(value.exponent)
        // The exponent is made a multiple of four, so that digits to the base 10,000 start there.
        let shift = ((exponent % 4) + 4) % 4
        let start = (exponent - shift) / 4
        // At most 38 digits and three zeros: the lowest digit is taken first, so that the rest fits.
        let power: UInt128 = [1, 10, 100, 1000][shift]
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 12) { digits in
            var count = 0
            var rest = magnitude
            if shift > 0, rest > 0 {
                let unit = base / power
                digits[count] = UInt16(rest % unit * power)
                count += 1
                rest /= unit
            }
            while rest > 0 {
                digits[count] = UInt16(rest % base)
                count += 1
                rest /= base
            }
            var first = 0
            while first < count, digits[first] == 0 { first += 1 }
            bytes.append(bigEndian: UInt16(count - first))
            bytes.append(bigEndian: UInt16(bitPattern: Int16(count > first ? start + count - 1 : 0)))
            bytes.append(bigEndian: value.isSignMinus && count > first ? negative : 0)
            bytes.append(bigEndian: UInt16(max(0, -exponent)))
            var index = count
            while index > first {
                index -= 1
                bytes.append(bigEndian: digits[index])
            }
        }
    }

    /// Whether bytes are a binary form: all digits of the count are there, and nothing else.
    static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8 else { return false }
        return bytes.count == 8 + 2 * Int(UInt16(bigEndian: bytes.loadUnaligned(as: UInt16.self)))
    }

    /// The decimal number of a binary form. Digits beyond the 38 of `Decimal` are rounded; infinite numbers and
    /// numbers that are too large are NaN.
    static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal {
        guard bytes.count >= 8 else { return .nan }
        func unit(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        let count = Int(unit(0))
        let weight = Int(Int16(bitPattern: unit(1)))
        let sign = unit(2)
        guard sign == 0 || sign == negative, bytes.count >= 8 + count * 2 else { return .nan }
        var magnitude: UInt128 = 0
        var exponent = (weight - count + 1) * 4
        // The first part that no longer fits is rounded with what follows.
        for index in 0..<count {
            let digit = UInt128(unit(4 + index))
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: base)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if !overflow, !carry {
                magnitude = sum
                continue
            }
            exponent += (count - index) * 4
            let remaining = (index..<count).map { unit(4 + $0) }
            round(&magnitude, &exponent, remaining)
            break
        }
        while magnitude > 0, exponent < 0, magnitude % 10 == 0 {
            magnitude /= 10
            exponent += 1
        }
        return decimal(magnitude, exponent, isNegative: sign == negative)
    }

    /// Takes further decimal digits from the digits to the base 10,000 while they fit, and rounds half up.
    private static func round(_ magnitude: inout UInt128, _ exponent: inout Int, _ remaining: [UInt16]) {
        for digit in remaining {
            for divisor: UInt16 in [1000, 100, 10, 1] {
                let next = UInt128(digit / divisor % 10)
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, carry) = product.addingReportingOverflow(next)
                guard !overflow, !carry else {
                    if next >= 5 {
                        if magnitude == .max {
                            magnitude /= 10
                            exponent += 1
                        }
                        magnitude += 1
                    }
                    return
                }
                magnitude = sum
                exponent -= 1
            }
        }
    }

    private static func magnitude(of value: Decimal) -> UInt128 {
        let significand = value.significand.magnitude
        // Exact below 2^53. Beyond, only the text gives all digits.
        let number = NSDecimalNumber(decimal: significand).doubleValue
        if number < 0x1p53 { return UInt128(number) }
        return UInt128(significand.description) ?? 0
    }

    private static func decimal(_ magnitude: UInt128, _ exponent: Int, isNegative: Bool) -> Decimal {
        var magnitude = magnitude
        var exponent = exponent
        while exponent > 127, magnitude > 0 {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            if overflow { return .nan }
            magnitude = product
            exponent -= 1
        }
        while exponent < -128, magnitude > 0 {
            magnitude /= 10
            exponent += 1
        }
        guard magnitude > 0 else { return Decimal() }
        let high = UInt64(truncatingIfNeeded: magnitude >> 64)
        let low = Decimal(UInt64(truncatingIfNeeded: magnitude))
        let significand = high == 0 ? low : Decimal(high) * twoToThe64th + low
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    private static let twoToThe64th = Decimal(UInt64.max) + 1
}
