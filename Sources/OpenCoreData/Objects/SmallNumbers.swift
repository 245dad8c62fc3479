/// Number objects: small integers are made once, since making one costs more than reading the value.
enum SmallNumbers {
    private static let range: ClosedRange<Int64> = -128...1023
    private static let numbers: [NSNumber] = range.map { NSNumber(value: $0) }

    @inline(__always)
    static func number(_ value: Int64) -> NSNumber {
        range.contains(value) ? numbers[Int(value - range.lowerBound)] : NSNumber(value: value)
    }
}
