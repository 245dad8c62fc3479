// SPDX-License-Identifier: Apache-2.0

extension FunctionLibrary {
    /// Functions of numbers.
    static let arithmetic: [String: LibraryFunction] = [
        "add:to:": LibraryFunction(argumentCount: 2) { sum($0[0], $0[1]) },
        "from:subtract:": LibraryFunction(argumentCount: 2) { difference($0[0], $0[1]) },
        "multiply:by:": numbers { Numbers.multiply($0, $1) },
        "divide:by:": numbers { Numbers.divide($0, $1) },
        "modulus:by:": numbers(modulus),
        "raise:toPower:": numbers { real(pow($0.doubleValue, $1.doubleValue)) },
        "sqrt:": number { real($0.doubleValue.squareRoot()) },
        "log:": number { real(log10($0.doubleValue)) },
        "ln:": number { real(log($0.doubleValue)) },
        "exp:": number { real(exp($0.doubleValue)) },
        "abs:": number(magnitude),
        "floor:": number { rounded($0, .down) },
        "ceiling:": number { rounded($0, .up) },
        "trunc:": number { rounded($0, .towardZero) },
        "random": LibraryFunction(argumentCount: 0) { _ in NSNumber(value: Int64(Int32.random(in: 0...Int32.max))) },
        "random:": number(randomNumber),
        "randomn:": number(randomNumber),
    ]

    /// A random integer from 0 up to, but not including, the limit.
    @Sendable private static func randomNumber(below limit: NSNumber) -> NSNumber? {
        limit.int64Value > 0 ? NSNumber(value: Int64.random(in: 0..<limit.int64Value)) : nil
    }

    /// The sum of two numbers, or of a date and seconds.
    private static func sum(_ one: Any?, _ two: Any?) -> Any? {
        switch (Numbers.number(one), Numbers.number(two)) {
        case (let one?, let two?): Numbers.add(one, two)
        case (nil, let seconds?): (one as? Date)?.addingTimeInterval(seconds.doubleValue)
        case (let seconds?, nil): (two as? Date)?.addingTimeInterval(seconds.doubleValue)
        case (nil, nil): nil
        }
    }

    /// The difference of two numbers, the seconds between two dates, or a date minus seconds.
    private static func difference(_ one: Any?, _ two: Any?) -> Any? {
        if let one = Numbers.number(one) { return Numbers.number(two).map { Numbers.subtract(one, $0) } }
        guard let date = one as? Date else { return nil }
        if let seconds = Numbers.number(two) { return date.addingTimeInterval(-seconds.doubleValue) }
        return (two as? Date).map { real(date.timeIntervalSince($0)) }
    }

    @Sendable private static func real(_ value: Double) -> NSNumber {
        NSNumber(value: value)
    }

    @Sendable private static func modulus(_ one: NSNumber, _ two: NSNumber) -> NSNumber? {
        if Numbers.isReal(one) || Numbers.isReal(two) {
            return real(one.doubleValue.truncatingRemainder(dividingBy: two.doubleValue))
        }
        let divisor = two.int64Value
        if divisor == 0 { return nil }
        return NSNumber(value: divisor == -1 ? 0 : one.int64Value % divisor)
    }

    @Sendable private static func magnitude(_ number: NSNumber) -> NSNumber? {
        if let decimal = number as? NSDecimalNumber { return HashableDecimalNumber(decimal: abs(decimal.decimalValue)) }
        if Numbers.isReal(number) || number.int64Value == .min { return real(abs(number.doubleValue)) }
        return NSNumber(value: abs(number.int64Value))
    }

    private static func rounded(_ number: NSNumber, _ rule: FloatingPointRoundingRule) -> NSNumber {
        Numbers.isReal(number) ? real(number.doubleValue.rounded(rule)) : number
    }
}

extension FunctionLibrary {
    /// Functions on the bits of 64-bit integers.
    static let bits: [String: LibraryFunction] = [
        "bitwiseAnd:with:": numbers { NSNumber(value: $0.int64Value & $1.int64Value) },
        "bitwiseOr:with:": numbers { NSNumber(value: $0.int64Value | $1.int64Value) },
        "bitwiseXor:with:": numbers { NSNumber(value: $0.int64Value ^ $1.int64Value) },
        "leftshift:by:": numbers { NSNumber(value: $0.int64Value << $1.int64Value) },
        "rightshift:by:": numbers { NSNumber(value: $0.int64Value >> $1.int64Value) },
        "onesComplement:": number { NSNumber(value: ~$0.int64Value) },
    ]
}
