// SPDX-License-Identifier: Apache-2.0

/// Converts between dates and the microseconds since 2000 that the server stores.
enum PostgreSQLTimestamp {
    /// From 2000-01-01 to 2001-01-01, the reference date of `Date`.
    private static let yearInMicroseconds: Int64 = 366 * 86_400 * 1_000_000
    private static let microsecondsPerSecond: Int64 = 1_000_000
    /// Seconds that can be converted without an overflow.
    private static let limit = 9.22334e12

    /// The seconds of the server's first date, and the end of its last date.
    private static let first = -211_845_110_400.0
    private static let end = 9_223_339_708_800.0

    /// Whether the server can store a date. It stores infinite dates, and null in place of a date that is not a number.
    @inline(__always) static func isStorable(_ date: Date) -> Bool {
        let seconds = date.timeIntervalSinceReferenceDate
        return seconds >= first && seconds < end || !seconds.isFinite
    }

    /// The microseconds of a date, rounded to the nearest.
    ///
    /// The infinite dates become `infinity` and `-infinity`. A date that is too far away becomes a number that the
    /// server refuses with SQLSTATE 22008.
    @inline(__always) static func microseconds(of date: Date) -> Int64 {
        let seconds = date.timeIntervalSinceReferenceDate
        guard abs(seconds) < limit else {
            if seconds.isInfinite { return seconds < 0 ? .min : .max }
            return seconds < 0 ? .min + 1 : .max - 1
        }
        let whole = seconds.rounded(.down)
        // The difference is exact, so the product is rounded once only.
        let fraction = ((seconds - whole) * Double(microsecondsPerSecond)).rounded()
        return Int64(whole) * microsecondsPerSecond + Int64(fraction) + yearInMicroseconds
    }

    /// The date nearest to a number of microseconds.
    @inline(__always) static func date(microseconds: Int64) -> Date {
        if microseconds == .max { return Date(timeIntervalSinceReferenceDate: .infinity) }
        let (value, overflow) = microseconds.subtractingReportingOverflow(yearInMicroseconds)
        if overflow { return Date(timeIntervalSinceReferenceDate: -.infinity) }
        if value.magnitude <= 1 << 53 {
            return Date(timeIntervalSinceReferenceDate: Double(value) / Double(microsecondsPerSecond))
        }
        let (seconds, rest) = value.quotientAndRemainder(dividingBy: microsecondsPerSecond)
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds) + Double(rest) / Double(microsecondsPerSecond))
    }

    /// The date that a row has after a date was written to it.
    static func rounded(_ date: Date) -> Date { self.date(microseconds: microseconds(of: date)) }
}
