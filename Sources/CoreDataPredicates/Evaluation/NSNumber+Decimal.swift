extension NSNumber {
    /// The number as a decimal; not a number for the infinite, at which Foundation's `decimalValue` stops the program.
    package final var decimalOrNaN: Decimal {
        self is NSDecimalNumber || doubleValue.isFinite ? decimalValue : .nan
    }
}
