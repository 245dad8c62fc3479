// SPDX-License-Identifier: Apache-2.0

/// Dates as texts in ISO 8601, to the last bit. The calendar is Foundation's: the Julian one before 15 October 1582, so
/// that `Date.distantPast` is the first day of the year 1.
package enum DateText {
    /// The seconds since 2001 that are written by the calendar: to the end of the year 9999.
    private static let written = -1e11..<252_423_993_600
    private static let prefix = "2001-01-01T00:00:00Z + "

    /// ISO 8601 in UTC. Whole seconds have no fraction, others as many digits as the value has, so that the text is
    /// read as the same date.
    ///
    /// - Parameter fractionDigits: the least number of digits of a fraction: milliseconds.
    package static func text(of date: Date, fractionDigits: Int = 3) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard written.contains(seconds) else { return "\(prefix)\(seconds) s" }
        let whole = seconds.rounded(.down)
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(Date.ISO8601FormatStyle())
        guard whole != seconds else { return text }
        let digits = DecimalFraction(of: seconds).digits
        return "\(text.dropLast()).\(digits)\(String(repeating: "0", count: max(0, fractionDigits - digits.count)))Z"
    }

    /// A date in ISO 8601 with a time zone, or a day, which begins at midnight in UTC; nil for a text with anything
    /// else in it.
    package static func date(_ text: String) -> Date? {
        if let seconds = distantSeconds(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
        var rest = text.utf8[...]
        let isNegative = rest.takeSign()
        guard let year = rest.takeNumber(digits: 4...6), rest.take("-"), let month = rest.takeNumber(),
            rest.take("-"), let day = rest.takeNumber(),
            let days = days(year: isNegative ? -year : year, month, day)
        else { return nil }
        var seconds = days * 86_400
        if rest.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
        guard rest.take("T"), let hour = rest.takeNumber(), hour < 24, rest.take(":"),
            let minute = rest.takeNumber(), minute < 60, rest.take(":"), let second = rest.takeNumber(), second < 60
        else { return nil }
        seconds += (hour * 60 + minute) * 60 + second
        var fraction = ""[...]
        if rest.take(".") || rest.take(",") {
            fraction = Substring(rest.takeDigits())
            if fraction.isEmpty { return nil }
        }
        guard let offset = rest.takeOffset(), rest.isEmpty else { return nil }
        return interval(seconds - offset, fraction).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The seconds of a date that is written without the calendar: "2001-01-01T00:00:00Z + 1e+300 s".
    private static func distantSeconds(_ text: String) -> Double? {
        guard text.hasPrefix(prefix), text.hasSuffix(" s"),
            let seconds = Double(text.dropFirst(prefix.count).dropLast(2)), !(abs(seconds) < 1e11)
        else { return nil }
        return seconds
    }

    /// Whole seconds and the digits behind them, which count from the second before, also for early dates.
    private static func interval(_ whole: Int, _ digits: Substring) -> Double? {
        guard whole < 0, digits.contains(where: { $0 != "0" }) else { return Double("\(whole).\(digits)0") }
        return Double("-\(-whole - 1).\(DecimalFraction.complement(of: digits))")
    }

    /// The days since 2001 of a day; nil for one that the calendar doesn't have.
    private static func days(year: Int, _ month: Int, _ day: Int) -> Int? {
        let isJulian = (year, month, day) < (1582, 10, 15)
        guard (1...12).contains(month), !isJulian || (year, month, day) < (1582, 10, 5) else { return nil }
        let isLeap = year % 4 == 0 && (isJulian || year % 100 != 0 || year % 400 == 0)
        let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard (1...length).contains(day) else { return nil }
        // Years begin in March here, so that the day of the leap year is their last.
        let year = month <= 2 ? year - 1 : year
        func whole(_ divisor: Int) -> Int { Int((Double(year) / Double(divisor)).rounded(.down)) }
        let leapDays = whole(4) + (isJulian ? -2 : whole(400) - whole(100))
        return year * 365 + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 730_792
    }
}

extension Substring.UTF8View {
    /// Removes a time zone: "Z", "+02:00", "-0330", "+02". Nil for another text.
    fileprivate mutating func takeOffset() -> Int? {
        if take("Z") { return 0 }
        guard let first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") else { return nil }
        let isNegative = takeSign()
        let digits = takeDigits()
        let hours = digits.prefix(2)
        var minutes = digits.dropFirst(2)
        if minutes.isEmpty, take(":") {
            minutes = takeDigits()
            if minutes.isEmpty { return nil }
        }
        guard hours.count == 2, minutes.isEmpty || minutes.count == 2, let hour = Int(Substring(hours)), hour < 24,
            let minute = Int("0\(Substring(minutes))"), minute < 60
        else { return nil }
        return (hour * 60 + minute) * (isNegative ? -60 : 60)
    }
}
