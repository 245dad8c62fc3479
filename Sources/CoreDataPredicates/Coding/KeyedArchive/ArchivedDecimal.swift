// SPDX-License-Identifier: Apache-2.0

/// The archived form of a decimal number: up to eight units of 16 bits, an exponent, and flags.
enum ArchivedDecimal {
    static let classes: Set = ["NSDecimalNumber", "NSDecimalNumberPlaceholder"]
    private static let unitLimit = 8

    static func decode(_ object: KeyedArchiveObject) throws -> Decimal {
        guard let bytes = object.contents["NS.mantissa"]?.dataValue, bytes.count <= 2 * unitLimit, bytes.count % 2 == 0,
            let length = object.plainInteger("NS.length"), (0...unitLimit).contains(length), 2 * length <= bytes.count,
            let exponent = object.plainInteger("NS.exponent"), (-128...127).contains(exponent)
        else {
            throw object.typeMismatch("NS.mantissa", "a decimal number")
        }
        let isNegative = try object.flag("NS.negative")
        if length == 0 {
            // A negative number without digits is NaN. A zero keeps its fraction digits.
            if isNegative { return Decimal.nan }
            return Decimal(string: exponent < 0 ? "0." + String(repeating: "0", count: -exponent) : "0") ?? 0
        }
        let isLittleEndian = object.plainInteger("NS.mantissa.bo") ?? 1 == 1
        let raw = [UInt8](bytes)
        var units = (0..<length).map { unit in
            UInt16(raw[2 * unit + (isLittleEndian ? 0 : 1)]) | UInt16(raw[2 * unit + (isLittleEndian ? 1 : 0)]) << 8
        }
        guard let significand = Decimal(string: digits(of: &units)) else {
            throw object.typeMismatch("NS.mantissa", "a decimal number")
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }

    static func encode(_ decimal: Decimal) -> [(key: String, value: PropertyListValue)] {
        let units = decimal.isNaN || decimal.isZero ? [] : self.units(of: decimal.significand)
        var mantissa = Data()
        for unit in units + Array(repeating: 0, count: unitLimit - units.count) {
            mantissa.append(UInt8(truncatingIfNeeded: unit))
            mantissa.append(UInt8(truncatingIfNeeded: unit >> 8))
        }
        return [
            ("NS.mantissa", .data(mantissa)),
            ("NS.compact", .boolean(true)),
            ("NS.length", .integer(Int64(units.count))),
            ("NS.negative", .boolean(decimal.isNaN || decimal.sign == .minus)),
            ("NS.exponent", .integer(decimal.isNaN ? 0 : Int64(decimal.exponent))),
            ("NS.mantissa.bo", .integer(1)),
        ]
    }

    /// The decimal digits of a little-endian number in units of 16 bits. The units are zero afterwards.
    private static func digits(of units: inout [UInt16]) -> String {
        var digits: [Character] = []
        while units.contains(where: { $0 != 0 }) {
            var remainder: UInt32 = 0
            for position in units.indices.reversed() {
                let value = remainder << 16 | UInt32(units[position])
                units[position] = UInt16(value / 10)
                remainder = value % 10
            }
            digits.append(Character(String(remainder)))
        }
        return digits.isEmpty ? "0" : String(digits.reversed())
    }

    /// The units of an integer, without leading zeros.
    private static func units(of significand: Decimal) -> [UInt16] {
        var units: [UInt16] = []
        for digit in significand.description.compactMap(\.wholeNumberValue) {
            var carry = UInt32(digit)
            for position in units.indices {
                let value = UInt32(units[position]) * 10 + carry
                units[position] = UInt16(truncatingIfNeeded: value)
                carry = value >> 16
            }
            if carry > 0, units.count < unitLimit { units.append(UInt16(carry)) }
        }
        return units
    }
}
