// SPDX-License-Identifier: Apache-2.0

/// Dates of the text notation: `2001-01-02T00:00:00Z`, in the proleptic Gregorian calendar.
package enum TextNotationDate {
    private static let secondsBefore2001 = 978_307_200
    private static let secondsOfDay = 86_400

    /// The date of an interval since 2001-01-01 00:00:00 UTC; nil if it isn't a whole second of the years 1 to 9999.
    package static func text(_ interval: Double) -> String? {
        guard abs(interval) < 1e12, let seconds = Int(exactly: interval) else { return nil }
        let total = seconds + secondsBefore2001
        let day = Int((Double(total) / Double(secondsOfDay)).rounded(.down))
        let second = total - day * secondsOfDay
        let (year, month, dayOfMonth) = civil(day)
        guard (1...9999).contains(year) else { return nil }
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfMonth, 2))"
        return date + "T\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))Z"
    }

    /// The interval of a date with or without a time; nil if the text is not a date.
    package static func interval(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count == 20 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
        }
        func isMark(_ mark: Character, at position: Int) -> Bool { bytes[position] == mark.asciiValue }
        guard isMark("-", at: 4), isMark("-", at: 7), let year = number(0..<4), let month = number(5..<7),
            let day = number(8..<10),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let days = self.days(year, month, day)
        guard civil(days) == (year, month, day) else { return nil }
        var seconds = 0
        if bytes.count == 20 {
            guard isMark("T", at: 10), isMark(":", at: 13), isMark(":", at: 16), isMark("Z", at: 19),
                let hour = number(11..<13),
                let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60, second < 60
            else { return nil }
            seconds = (hour * 60 + minute) * 60 + second
        }
        return Double(days * secondsOfDay + seconds - secondsBefore2001)
    }

    // MARK: Days since 1970-01-01. Years begin in March here, so that the day of the leap year is their last.

    private static let daysOfEra = 146_097

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - (daysOfEra - 1)) / daysOfEra
        let dayOfEra = days - era * daysOfEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / (daysOfEra - 1)) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
