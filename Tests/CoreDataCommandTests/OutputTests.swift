import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: output")
struct OutputTests {
    @Test("Columns are as wide as their widest cell, and nothing trails")
    func columns() {
        let layout = ColumnLayout(rows: [["a", "bbb", ""], ["cccc", "d", "e"]])
        #expect(layout.lines == ["a     bbb", "cccc  d    e"])
    }

    @Test("Dates are ISO 8601 in UTC, with milliseconds where there are any")
    func dates() {
        #expect(CellValue.text(of: Date(timeIntervalSinceReferenceDate: 0)) == "2001-01-01T00:00:00Z")
        #expect(CellValue.text(of: Date(timeIntervalSinceReferenceDate: 0.25)) == "2001-01-01T00:00:00.250Z")
    }

    @Test("Sort keys are ascending unless they say otherwise")
    func sortKeys() throws {
        let keys = try SortKey.parse("name,artist.name:desc,year:asc")
        #expect(keys.map(\.keyPath) == ["name", "artist.name", "year"])
        #expect(keys.map(\.isAscending) == [true, false, true])
    }

    @Test("Bytes are counted for people")
    func data() {
        #expect(CellValue.data(Data([1])).text == "1 byte")
        #expect(CellValue.data(Data(count: 12)).text == "12 bytes")
    }
}
