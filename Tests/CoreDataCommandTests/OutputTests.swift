import CoreData
import Testing

@testable import CoreDataCommand
@testable import CoreDataModel

@Suite("coredata: output")
struct OutputTests {
    @Test("Columns are as wide as their widest cell, without trailing spaces")
    func columns() {
        let layout = ColumnLayout(rows: [["a", "bbb", ""], ["cccc", "d", "e"]])
        expectEqual(layout.lines, ["a     bbb", "cccc  d    e"])
    }

    @Test(
        "Dates are ISO 8601 in UTC, with all digits that they have",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.250Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
            (718_273_645.123, "2023-10-06T08:27:25.123Z"), (718_273_645.1234567, "2023-10-06T08:27:25.1234567Z"),
            (-86400.000001, "2000-12-30T23:59:59.999999Z"), (1.5e-05, "2001-01-01T00:00:00.000015Z"),
            (63_113_904_000, "4001-01-01T00:00:00Z"), (1e300, "2001-01-01T00:00:00Z + 1e+300 s"),
        ])
    func dates(seconds: Double, text: String) {
        expectEqual(DateText.text(of: Date(timeIntervalSinceReferenceDate: seconds)), text)
    }

    @Test("The seconds of a date and its fraction read back as the same number")
    func exactDates() {
        var generator = SeededGenerator(seed: TestRun.seed(for: "fractions of dates"))
        for _ in 0..<2000 {
            let seconds = Double.random(in: -1e9...1e9, using: &generator)
            guard seconds.rounded() != seconds else { continue }
            let whole = Decimal(Int(seconds.rounded(.down)))
            let fraction = Decimal(string: "0." + DecimalFraction(of: seconds).digits) ?? .nan
            expectEqual(Double("\(whole + fraction)"), seconds)
        }
    }

    @Test("Sort keys are ascending by default")
    func sortKeys() throws {
        let keys = try SortKey.parse("name,artist.name:desc,year:asc")
        expectEqual(keys.map(\.keyPath), ["name", "artist.name", "year"])
        expectEqual(keys.map(\.isAscending), [true, false, true])
    }

    @Test("Data is shown by its size")
    func data() {
        expectEqual(CellValue.data(Data([1])).text, "1 byte")
        expectEqual(CellValue.data(Data(count: 12)).text, "12 bytes")
    }

    @Test("Wide characters have two columns, and combining characters none")
    func widths() {
        expectEqual(TerminalText.width(of: "abc"), 3)
        expectEqual(TerminalText.width(of: "日本語"), 6)
        expectEqual(TerminalText.width(of: "e\u{301}👩‍👩‍👧"), 3)
        expectEqual(TerminalText.prefix(of: "日本語", width: 5), "日本")
    }

    @Test("Control characters and changes of the writing direction are made visible")
    func controls() {
        expectEqual(TerminalText.visible("a\u{1b}[31mb\u{7}\u{7f}"), "a␛[31mb␇␡")
        expectEqual(TerminalText.visible("\u{202e}abc\u{9b}"), "\u{fffd}abc\u{fffd}")
        expectEqual(TerminalText.visible("Zażółć 👩‍👩‍👧"), "Zażółć 👩‍👩‍👧")
    }
}
