// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Reads dates from text: those that `CellValue` writes, to the last bit, and other forms of ISO 8601.
enum DateText {
    /// A date in ISO 8601, or a day, which begins at midnight in UTC; nil for a text with anything else in it.
    static func date(_ text: String) -> Date? {
        if let seconds = distantSeconds(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
        // Foundation's strategies ignore what follows a date.
        let form = /[+-]?\d{4,}-\d\d-\d\d(T\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d(:?\d\d)?))?/
        guard text.wholeMatch(of: form) != nil else { return nil }
        if let date = exact(text) { return date }
        if let date = try? Date(text, strategy: .iso8601) { return date }
        if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) {
            return date
        }
        return try? Date("\(text)T00:00:00Z", strategy: .iso8601)
    }

    /// The seconds of a date that no calendar can write: "2001-01-01T00:00:00Z + 1e+300 s".
    private static func distantSeconds(_ text: String) -> Double? {
        let prefix = "2001-01-01T00:00:00Z + "
        guard text.hasPrefix(prefix), text.hasSuffix(" s"),
            let seconds = Double(text.dropFirst(prefix.count).dropLast(2)), !(abs(seconds) < CellValue.distantTime)
        else { return nil }
        return seconds
    }

    /// A date in UTC. Its fraction counts from the second before, also for early dates.
    private static func exact(_ text: String) -> Date? {
        guard text.hasSuffix("Z") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = wholeSeconds(String(parts[0])) else { return nil }
        guard parts.count == 2 else { return Date(timeIntervalSinceReferenceDate: whole) }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ ("0"..."9").contains($0) }),
            let seconds = Decimal(string: "\(Int64(whole))"), let fraction = Decimal(string: "0.\(parts[1])"),
            let sum = Double("\(seconds + fraction)")
        else { return nil }
        return Date(timeIntervalSinceReferenceDate: sum)
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
