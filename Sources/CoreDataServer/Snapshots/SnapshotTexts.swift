// SPDX-License-Identifier: Apache-2.0

/// Dates as texts in ISO 8601, in UTC, with as many digits for fractions of seconds as they need, up to six.
enum SnapshotDate {
    private static let style = Date.ISO8601FormatStyle()

    static func text(_ date: Date) -> String {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        // Dates far away have whole seconds only.
        guard abs(microseconds) < 9e15 else { return style.format(date) }
        let seconds = (microseconds / 1_000_000).rounded(.down)
        let fraction = Int(microseconds - seconds * 1_000_000)
        let whole = style.format(Date(timeIntervalSince1970: seconds))
        guard fraction > 0, whole.hasSuffix("Z") else { return whole }
        let digits = String(fraction)
        var text = String(repeating: "0", count: 6 - digits.count) + digits
        while text.hasSuffix("0") { text.removeLast() }
        return "\(whole.dropLast()).\(text)Z"
    }

    /// Nil for another text.
    static func date(_ text: String) -> Date? {
        // Foundation takes 30 February for 2 March, and 25 o'clock for an hour of the next day.
        let clock = "\(text.prefix(19))Z"
        if let date = try? style.parse(clock), style.format(date) != clock { return nil }
        guard let point = text.firstIndex(of: ".") else { return try? style.parse(text) }
        let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits.count <= 18, let fraction = Double("0.\(digits)"),
            let whole = try? style.parse("\(text[..<point])\(text[digits.endIndex...])")
        else { return nil }
        return whole.addingTimeInterval(fraction)
    }
}

/// Decimal numbers as texts.
enum SnapshotDecimal {
    /// Nil for a text that is not, as a whole, a number of at most 38 digits.
    static func number(_ text: String) -> Decimal? {
        var rest = Substring(text)
        if rest.first == "-" { rest.removeFirst() }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard areDigits, parts.reduce(0, { $0 + $1.count }) <= 38 else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}
