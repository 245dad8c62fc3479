import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: output")
struct OutputTests {
    @Test("Columns are as wide as their widest cell, without trailing spaces")
    func columns() {
        let layout = ColumnLayout(rows: [["a", "bbb", ""], ["cccc", "d", "e"]])
        #expect(layout.lines == ["a     bbb", "cccc  d    e"])
    }

    @Test("Dates are ISO 8601 in UTC, with milliseconds if they aren't zero")
    func dates() {
        #expect(CellValue.text(of: Date(timeIntervalSinceReferenceDate: 0)) == "2001-01-01T00:00:00Z")
        #expect(CellValue.text(of: Date(timeIntervalSinceReferenceDate: 0.25)) == "2001-01-01T00:00:00.250Z")
    }

    @Test("Sort keys are ascending by default")
    func sortKeys() throws {
        let keys = try SortKey.parse("name,artist.name:desc,year:asc")
        #expect(keys.map(\.keyPath) == ["name", "artist.name", "year"])
        #expect(keys.map(\.isAscending) == [true, false, true])
    }

    @Test("Data is shown by its size")
    func data() {
        #expect(CellValue.data(Data([1])).text == "1 byte")
        #expect(CellValue.data(Data(count: 12)).text == "12 bytes")
    }

    @Test("Wide characters have two columns, and combining characters none")
    func widths() {
        #expect(TerminalText.width(of: "abc") == 3)
        #expect(TerminalText.width(of: "日本語") == 6)
        #expect(TerminalText.width(of: "e\u{301}👩‍👩‍👧") == 3)
        #expect(TerminalText.prefix(of: "日本語", width: 5) == "日本")
    }

    @Test("Control characters and changes of the writing direction are made visible")
    func controls() {
        #expect(TerminalText.visible("a\u{1b}[31mb\u{7}\u{7f}") == "a␛[31mb␇␡")
        #expect(TerminalText.visible("\u{202e}abc\u{9b}") == "\u{fffd}abc\u{fffd}")
        #expect(TerminalText.visible("Zażółć 👩‍👩‍👧") == "Zażółć 👩‍👩‍👧")
    }
}
