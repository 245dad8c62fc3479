import Foundation
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Decimals of columns")
struct DecimalDigitsTests {
    private func decimal(_ text: String) -> Decimal? {
        Array(text.utf8).withUnsafeBufferPointer { DecimalDigits.decimal($0) }
    }

    @Test(
        "are those that Foundation reads",
        arguments: [
            "0", "0.0", "-0.0", "1", "-1", "19.99", "-19.99", "5.0", "100", "1500.50", "0.001", "-0.1",
            "999999999999999999", "99999999999999999.9", "0.00000000000000001",
        ])
    func examples(_ text: String) {
        let found = decimal(text)
        let expected = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        expectEqual(found, expected)
        expectEqual(found?.description, expected?.description)
        expectEqual(found?.isNaN, false)
    }

    @Test("are none if the text has fewer digits than the number")
    func ofNumbers() {
        func decimal(_ text: String, _ number: Double) -> Decimal? {
            Array(text.utf8).withUnsafeBufferPointer { DecimalDigits.decimal($0, of: number) }
        }
        expectEqual(decimal("0.3", 0.3), Decimal(string: "0.3"))
        expectEqual(decimal("-0.3", -0.3), Decimal(string: "-0.3"))
        expectEqual(decimal("0.3", 0.1 + 0.2), nil)
        expectEqual(decimal("12345678901234.6", 12345678901234.56), nil)
    }

    @Test("of random numbers are those that Foundation reads")
    func random() {
        let seed = TestRun.seed(for: "decimal digits")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let number = Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random))
            let text = "\(number / Double([1, 10, 100, 1000, 10_000].randomElement(using: &random)!))"
            guard let found = decimal(text) else { continue }
            expectEqual(found, Decimal(string: text), "\(text), seed \(seed)")
            expectEqual(found.description, Decimal(string: text)?.description, "\(text), seed \(seed)")
        }
    }

    @Test(
        "in other forms are left to Foundation",
        arguments: ["", "-", ".5", "1e20", "1.0e+20", "+1", "1,5", "1.2.3", " 1", "nan", "Inf", "12345678901234567890"])
    func others(_ text: String) { expectEqual(decimal(text), nil) }
}
