import Testing

@testable import CoreDataPredicates

@Suite("Numbers are compared exactly")
struct NumbersTests {
    @Test(
        "Across types",
        arguments: [
            (NSNumber(value: 1), NSNumber(value: 1.0), ComparisonResult.orderedSame),
            (NSNumber(value: true), NSNumber(value: 1), .orderedSame),
            (NSNumber(value: Int64.max), NSNumber(value: 0x1p63), .orderedAscending),
            (NSNumber(value: Int64.max), NSNumber(value: UInt64(Int64.max) + 1), .orderedAscending),
            (NSNumber(value: 9_007_199_254_740_993), NSNumber(value: 9_007_199_254_740_992.0), .orderedDescending),
            (NSDecimalNumber(string: "0.1"), NSNumber(value: 0.1), .orderedSame),
            (NSDecimalNumber(string: "0.10000000000000000001"), NSNumber(value: 0.1), .orderedDescending),
            (NSDecimalNumber(string: "5"), NSNumber(value: 5), .orderedSame),
            (NSDecimalNumber(string: "1152921504606846976"), NSNumber(value: 0x1p60), .orderedSame),
            (NSDecimalNumber(string: "1152921504606847000"), NSNumber(value: 0x1p60), .orderedDescending),
            (NSDecimalNumber(string: "1e23"), NSNumber(value: 1e23), .orderedSame),
            (NSNumber(value: -0.5), NSNumber(value: 0), .orderedAscending),
            (NSNumber(value: Double.infinity), NSNumber(value: Int64.max), .orderedDescending),
            (NSNumber(value: 1e300), NSDecimalNumber(string: "1"), .orderedDescending),
        ])
    func compare(one: NSNumber, two: NSNumber, expected: ComparisonResult) {
        expectEqual(Numbers.compare(one, two), expected)
    }

    @Test("Numbers that equal a third one equal each other")
    func transitivity() {
        let numbers: [NSNumber] = [0x1p53, 0x1p54, 0x1p60, 0x1p63, 1e18, 1e19].flatMap { (value: Double) in
            let decimal = NSDecimalNumber(string: String(UInt64(value)))
            return [
                NSNumber(value: value), NSNumber(value: value.nextUp), NSNumber(value: UInt64(value)), decimal,
                NSDecimalNumber(decimal: decimal.decimalValue + 1), NSDecimalNumber(string: value.description),
            ]
        }
        for one in numbers {
            for two in numbers where Numbers.compare(one, two) == .orderedSame {
                for three in numbers {
                    expectEqual(Numbers.compare(one, three), Numbers.compare(two, three), "\(one) \(two) \(three)")
                }
            }
        }
    }

    @Test("NaN has no order")
    func notANumber() {
        expectEqual(Numbers.compare(NSNumber(value: Double.nan), NSNumber(value: 1)), nil)
        expectEqual(Numbers.compare(NSNumber(value: 1), NSNumber(value: Double.nan)), nil)
    }

    @Test("Arithmetic keeps integers and decimals and doesn't overflow")
    func arithmetic() {
        func value(_ text: String) -> NSNumber? {
            NSExpression(format: text).expressionValue(with: nil, context: nil) as? NSNumber
        }
        expectEqual(value("9223372036854775807 + 1")?.doubleValue, 0x1p63)
        expectEqual(value("7 / 2")?.intValue, 3)
        expectEqual(value("1 / 0")?.doubleValue, .infinity)
        expectEqual(
            value("CAST('0.1', 'NSDecimalNumber') + CAST('0.2', 'NSDecimalNumber')"), NSDecimalNumber(string: "0.3"))
        expectEqual(value("-9223372036854775807 - 1")?.int64Value, .min)
        expectEqual(value("modulus:by:(-9223372036854775808, -1)")?.doubleValue, 0)
        expectEqual(value("modulus:by:(1, 0)"), nil)
    }

    @Test(
        "a decimal becomes the nearest double",
        arguments: ["19.99", "0.1", "-0.25", "99999.99", "1e20", "123456789012345678.9", "5e-30", "0", "1e-100"])
    func nearestDouble(text: String) throws {
        let decimal = try requireValue(Decimal(string: text))
        expectEqual(decimal.nearestDouble, Double(text))
        expectEqual(HashableDecimalNumber(decimal: decimal).hash, NSNumber(value: decimal.nearestDouble).hash)
    }
}
