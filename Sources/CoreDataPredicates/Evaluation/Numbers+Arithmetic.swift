// SPDX-License-Identifier: Apache-2.0

extension Numbers {
    /// The sum of the numbers among the values, 0 for none.
    static func sum(_ values: [Any]) -> NSNumber {
        values.compactMap(number).reduce(NSNumber(value: 0), add)
    }

    /// The mean of the numbers among the values, nil for none.
    static func average(_ values: [Any]) -> NSNumber? {
        let numbers = values.compactMap(number)
        guard !numbers.isEmpty else { return nil }
        return divide(sum(numbers), NSNumber(value: Double(numbers.count)))
    }

    static func add(_ one: NSNumber, _ two: NSNumber) -> NSNumber {
        calculate(one, two, { $0.addingReportingOverflow($1) }, { $0 + $1 }, { $0 + $1 })
    }

    static func subtract(_ one: NSNumber, _ two: NSNumber) -> NSNumber {
        calculate(one, two, { $0.subtractingReportingOverflow($1) }, { $0 - $1 }, { $0 - $1 })
    }

    static func multiply(_ one: NSNumber, _ two: NSNumber) -> NSNumber {
        calculate(one, two, { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 }, { $0 * $1 })
    }

    /// The quotient. For two integers it is an integer, as in SQL; division of integers by zero gives infinity.
    static func divide(_ one: NSNumber, _ two: NSNumber) -> NSNumber {
        calculate(
            one, two, { $1 == 0 ? (0, true) : $0.dividedReportingOverflow(by: $1) }, { $0 / $1 },
            { $1.isZero ? .nan : $0 / $1 })
    }

    /// Calculates with integers, decimals or doubles, whichever represents both operands. Integers that overflow become
    /// doubles.
    private static func calculate(
        _ one: NSNumber, _ two: NSNumber,
        _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ reals: (Double, Double) -> Double,
        _ decimals: (Decimal, Decimal) -> Decimal
    ) -> NSNumber {
        let (first, second) = (Exact(one), Exact(two))
        switch (first, second) {
        case (.integer(let left), .integer(let right)):
            if let left = Int64(exactly: left), let right = Int64(exactly: right) {
                let (value, overflow) = integers(left, right)
                if !overflow { return NSNumber(value: value) }
            }
        case (.decimal, _), (_, .decimal):
            if let left = first.decimal, let right = second.decimal {
                return HashableDecimalNumber(decimal: decimals(left, right))
            }
        default:
            break
        }
        return NSNumber(value: reals(first.double, second.double))
    }
}
