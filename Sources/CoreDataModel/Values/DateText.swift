// SPDX-License-Identifier: Apache-2.0

/// Reads dates from text: the forms that `CellValue` writes, to the last bit, and other forms of ISO 8601.
package enum DateText {
    /// The seconds from 2001 beyond which the calendar can't format dates.
    static let distantTime = 1e11

    /// ISO 8601 in UTC. Whole seconds have no fraction, others as many digits as the value has, at least milliseconds:
    /// the number of seconds that the text says reads back as the stored one.
    package static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < distantTime else { return "2001-01-01T00:00:00Z + \(seconds) s" }
        let whole = seconds.rounded(.down)
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(Date.ISO8601FormatStyle())
        guard whole != seconds else { return text }
        let digits = DecimalFraction(of: seconds).digits
        let fraction = digits + String(repeating: "0", count: max(0, 3 - digits.count))
        return "\(text.dropLast()).\(fraction)Z"
    }

    /// A date in ISO 8601, or a day, which begins at midnight in UTC; nil for a text with anything else in it.
    package static func date(_ text: String) -> Date? {
        if let seconds = distantSeconds(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
        let form = /([+-]?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d(?::?\d\d)?))?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        let local = "\(match.1)T\(match.2 ?? "00:00:00")"
        let clock = local.hasPrefix("+") ? String(local.dropFirst()) : local
        guard let seconds = wholeSeconds(clock), let offset = offset(of: match.4 ?? "Z") else { return nil }
        // Foundation takes 30 February for 2 March.
        guard Date(timeIntervalSinceReferenceDate: seconds).formatted(Date.ISO8601FormatStyle()) == "\(clock)Z" else {
            return nil
        }
        return date(seconds - offset, fraction: match.3)
    }

    /// The seconds of a date that no calendar can write: "2001-01-01T00:00:00Z + 1e+300 s".
    private static func distantSeconds(_ text: String) -> Double? {
        let prefix = "2001-01-01T00:00:00Z + "
        guard text.hasPrefix(prefix), text.hasSuffix(" s"),
            let seconds = Double(text.dropFirst(prefix.count).dropLast(2)), !(abs(seconds) < distantTime)
        else { return nil }
        return seconds
    }

    /// A date with digits behind its whole seconds. They count from the second before, also for early dates.
    private static func date(_ whole: Double, fraction digits: Substring?) -> Date? {
        guard let digits else { return Date(timeIntervalSinceReferenceDate: whole) }
        guard let seconds = Decimal(string: "\(Int64(whole))"), let fraction = Decimal(string: "0.\(digits)"),
            let sum = Double("\(seconds + fraction)")
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: sum)
    }

    /// The seconds of a time zone: "Z", "+02:00", "-0330", "+02".
    private static func offset(of text: Substring) -> Double? {
        let digits = text.filter(\.isNumber)
        guard !digits.isEmpty else { return 0 }
        guard let hours = Int(digits.prefix(2)), let minutes = Int("0\(digits.dropFirst(2))"), hours < 24, minutes < 60
        else { return nil }
        return Double(hours * 3_600 + minutes * 60) * (text.hasPrefix("-") ? -1 : 1)
    }

    /// The seconds of a date without a fraction, since 2001.
    private static func wholeSeconds(_ text: String) -> Double? {
        guard text.hasPrefix("-") else {
            return (try? Date("\(text)Z", strategy: .iso8601))?.timeIntervalSinceReferenceDate
        }
        // Foundation writes years before the first and doesn't read them. The calendar of such dates repeats every four
        // years.
        let parts = text.dropFirst().split(separator: "-", maxSplits: 1)
        let years = 1_400
        guard parts.count == 2, let year = Int(parts[0]), year < years else { return nil }
        let digits = String(years - year)
        let later = String(repeating: "0", count: 4 - digits.count) + digits + "-" + parts[1]
        return wholeSeconds(later).map { $0 - Double(years) * 365.25 * 86_400 }
    }
}
