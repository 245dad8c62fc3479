extension Decimal {
    /// The double nearest to the decimal. Foundation's `doubleValue` rounds at each digit of the fraction: 19.99
    /// becomes 19.990000000000002.
    package var nearestDouble: Double {
        // What is no number has digits all the same.
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
