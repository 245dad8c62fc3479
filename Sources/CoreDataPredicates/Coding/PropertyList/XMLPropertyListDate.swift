/// `2001-01-01T00:00:00Z`, the one form of dates that property lists in XML know. A formatter would take a millisecond
/// for each.
package enum XMLPropertyListDate {
    private static let daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    /// The days from 0001-01-01 to 2001-01-01.
    private static let daysBeforeReference = 730_485

    /// The seconds since 2001-01-01 00:00:00 UTC; nil for a text that is no date.
    package static func seconds(_ text: String) -> Double? {
        let digits = Array(text.utf8)
        guard digits.count == 20, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
            digits[10] == UInt8(ascii: "T"),
            digits[13] == UInt8(ascii: ":"), digits[16] == UInt8(ascii: ":"), digits[19] == UInt8(ascii: "Z"),
            let year = number(digits[0..<4]), let month = number(digits[5..<7]), let day = number(digits[8..<10]),
            let hour = number(digits[11..<13]), let minute = number(digits[14..<16]),
            let second = number(digits[17..<19]),
            year >= 1, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let monthEnd = month == 12 ? 365 : daysBeforeMonth[month]
        let length = monthEnd - daysBeforeMonth[month - 1] + (isLeap && month == 2 ? 1 : 0)
        guard day <= length else { return nil }
        let past = year - 1
        let days =
            past * 365 + past / 4 - past / 100 + past / 400 + daysBeforeMonth[month - 1] + (isLeap && month > 2 ? 1 : 0)
            + day - 1
        return Double(((days - daysBeforeReference) * 24 + hour) * 3600 + minute * 60 + second)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit) - 0x30
        }
        return value
    }
}
