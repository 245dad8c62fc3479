import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: tables on terminals")
struct TableOutputTests {
    private func lines(
        _ columns: [String], _ pages: [[[String]]], width: Int? = nil, isVertical: Bool = false
    ) throws -> [String] {
        var lines: [String] = []
        let formatter = OutputFormat.table.formatter(
            columns: columns, noun: "row", isVertical: isVertical, width: width
        ) { lines.append($0) }
        for page in pages {
            for row in page {
                try formatter.add(OutputRecord(cells: zip(columns, row).map { ($0, .text($1)) }))
            }
            try formatter.finishPage()
        }
        try formatter.finish()
        return lines
    }

    @Test("A wider cell of a later page widens its column from there on")
    func growing() throws {
        try expectEqual(
            lines(["a", "b"], [[["1", "2"]], [["long", "3"], ["4", "5"]]]),
            ["a  b", "-  -", "1  2", "long  3", "4     5", "3 rows"])
    }

    @Test("A table without rows has its header")
    func empty() throws {
        try expectEqual(lines(["a", "bc"], [[]]), ["a  bc", "-  --", "0 rows"])
    }

    @Test("On a terminal the widest columns are cut, and narrow ones stay")
    func fitting() throws {
        let long = String(repeating: "x", count: 30)
        let found = try lines(["id", "text", "more"], [[["1", long, long]]], width: 40)
        expectEqual(found[0], "id  text               more")
        expectEqual(found[2], "1   \(String(repeating: "x", count: 16))…  \(String(repeating: "x", count: 16))…")
        #expect(found.dropLast().allSatisfy { TerminalText.width(of: $0) <= 40 })
        expectEqual(found.count, 4)
    }

    @Test("Columns without room are named below the table")
    func leftOut() throws {
        let found = try lines(["first", "second", "third"], [[["abcdefghij", "b", "abcdefghij"]]], width: 20)
        expectEqual(found[0], "first       second")
        expectEqual(
            found.last,
            "1 column not shown: third. Use --vertical, or choose columns with --fetch.")
    }

    @Test("No line is wider than the terminal", arguments: 1...60)
    func widths(width: Int) throws {
        var generator = SeededGenerator(seed: TestRun.seed(for: "widths of tables"))
        let columns = (0..<Int.random(in: 1...8, using: &generator)).map { "column\($0)" }
        let rows = (0..<3).map { _ in
            columns.map { _ in String(repeating: "日x", count: Int.random(in: 0...15, using: &generator)) }
        }
        let found = try lines(columns, [rows, rows], width: width)
        #expect(found.prefix(8).allSatisfy { TerminalText.width(of: $0) <= width }, "\(found)")
    }

    @Test("A vertical table has a line for each value, which is not cut")
    func vertical() throws {
        let long = String(repeating: "x", count: 90)
        try expectEqual(
            lines(["id", "text"], [[["1", long], ["2", ""]]], isVertical: true),
            ["id:   1", "text: \(long)", "", "id:   2", "text:", "", "2 rows"])
    }

    @Test("JSON in one line is what an encoder writes")
    func json() throws {
        let record = OutputRecord(cells: [
            ("text", .text("a\"\\/\n\u{1}\u{1F600}")), ("whole", .real(3)), ("tiny", .real(.leastNonzeroMagnitude)),
            ("huge", .real(1e300)), ("none", .none), ("exact", .decimal(Decimal(string: "-12.50")!)),
            ("flag", .boolean(true)), ("bytes", .data(Data([255, 0]))), ("nan", .real(.nan)),
            ("inner", .composite([.init(name: "b", value: .integer(1)), .init(name: "a", value: .text("é"))])),
        ])
        let cells = Dictionary(uniqueKeysWithValues: record.cells.map { ($0.name, JSONCell(value: $0.value)) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        expectEqual(JSONLine.text(of: record), String(decoding: try encoder.encode(cells), as: UTF8.self))
    }

    @Test("What controls a terminal is escaped in JSON")
    func controls() {
        let record = OutputRecord(cells: [("a\u{9b}", .text("\u{202e}\u{7f}"))])
        expectEqual(JSONLine.text(of: record), #"{"a\u009b":"\u202e\u007f"}"#)
    }
}
