import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store import: comma-separated values")
struct CSVReaderTests {
    private func reader(_ bytes: [UInt8], delimiter: String = ",", maximumSize: Int = 10_000_000) -> CSVReader {
        CSVReader(
            ByteSource(bytes: bytes, line: 1), delimiter: delimiter.utf8.first ?? 0, maximumSize: maximumSize)
    }

    private func records(_ text: String, delimiter: String = ",") throws -> [CSVReader.Record] {
        let reader = reader(Array(text.utf8), delimiter: delimiter)
        var records: [CSVReader.Record] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func texts(_ text: String, delimiter: String = ",") throws -> [[String]] {
        try records(text, delimiter: delimiter).map { $0.fields.map(\.text) }
    }

    @Test(
        "Fields and records",
        arguments: [
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]), ("a,\n,b\n", [["a", ""], ["", "b"]]),
            ("\"a,b\",c", [["a,b", "c"]]), ("\"a\"\"b\"", [["a\"b"]]), ("\"\"", [[""]]), ("\"\"\"\"", [["\""]]),
            ("\"a\nb\r\nc\",d", [["a\nb\r\nc", "d"]]), ("a\"b,c", [["a\"b", "c"]]), (" \"a\"", [[" \"a\""]]),
            ("a\n\n\r\nb", [["a"], ["b"]]), ("", []), ("\n\n", []), ("é,日本,\u{1F600}", [["é", "日本", "\u{1F600}"]]),
            ("a\u{0}b,\u{1}", [["a\u{0}b", "\u{1}"]]), ("a;b", [["a;b"]]),
        ])
    func records(text: String, expected: [[String]]) throws {
        try expectEqual(texts(text), expected)
    }

    @Test("Another delimiter")
    func delimiter() throws {
        try expectEqual(texts("a;\"b;c\";d,e", delimiter: ";"), [["a", "b;c", "d,e"]])
        try expectEqual(texts("a\tb", delimiter: "\t"), [["a", "b"]])
    }

    @Test("A record has the line in which it begins, also behind line breaks in texts")
    func lines() throws {
        try expectEqual(records("a\n\"b\r\n\nc\"\r\n\rd\n").map(\.line), [1, 2, 6])
    }

    @Test("An empty text differs from no text")
    func quoted() throws {
        try expectEqual(records("\"\",").first?.fields.map(\.isQuoted), [true, false])
    }

    @Test("Text after a closing quote concerns its record alone")
    func afterQuote() throws {
        let found = try records("\"a\"b,c\nd,e\n")
        expectEqual(found.map { $0.problem == nil }, [false, true])
    }

    @Test("A quote that is never closed is named by its line")
    func open() throws {
        let fault = try #require(throws: ImportFault.self) { try records("a,b\nc,\"d\ne\nf") }
        expectEqual(fault.line, 2)
        expectContains(fault.text, "never closed")
    }

    @Test("A record without an end is refused before it fills the memory")
    func long() throws {
        let text = "a\n\"" + String(repeating: "x\n", count: 1_000)
        let fault = try #require(throws: ImportFault.self) {
            let reader = reader(Array(text.utf8), maximumSize: 500)
            while try reader.next() != nil {}
        }
        expectEqual(fault.line, 2)
    }

    @Test(
        "Bytes that are no UTF-8 are named with their line",
        arguments: [
            ([UInt8]("name\nJos".utf8) + [0xe9, 10], 2, "0xe9"),
            ([UInt8]("\"a\nb\r\nc".utf8) + [0xff, 0x22], 3, "0xff"),
            ([0xc3], 1, "0xc3"), ([UInt8]("a\n".utf8) + [0xed, 0xa0, 0x80], 2, "0xed"),
        ])
    func encoding(bytes: [UInt8], line: Int, byte: String) throws {
        let fault = try #require(throws: ImportFault.self) {
            let reader = reader(bytes)
            while try reader.next() != nil {}
        }
        expectEqual(fault.line, line)
        expectContains(fault.text, byte)
    }

    @Test("A million columns")
    func wide() throws {
        let record = try requireValue(try records(String(repeating: "x,", count: 999_999) + "y").first)
        expectEqual(record.fields.count, 1_000_000)
        expectEqual(record.fields.last?.text, "y")
    }

    @Test("Random texts are read as the formatter of CSV writes them")
    func random() throws {
        var generator = SeededGenerator(seed: TestRun.seed(for: "comma-separated values"))
        let parts = ["a", "\"", ",", "\n", "\r", "\r\n", "é", " ", ";", "", "\u{0}", "1"]
        for _ in 0..<500 {
            let width = Int.random(in: 2...4, using: &generator)
            let rows = (0..<5).map { _ in
                (0..<width).map { _ in
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        parts.randomElement(using: &generator) ?? ""
                    }.joined()
                }
            }
            var text = ""
            let columns = (0..<width).map { "c\($0)" }
            let formatter = CSVFormatter(columns: columns) { text += $0 + "\n" }
            for row in rows {
                try formatter.add(OutputRecord(cells: zip(columns, row).map { ($0, .text($1)) }))
            }
            try formatter.finish()
            #expect(try Array(texts(text).dropFirst()).elementsEqual(rows) { $0.elementsEqual($1, by: sameScalars) })
        }
    }

    /// Strings are equal if they are canonically equivalent, so the scalars are compared.
    private func sameScalars(_ left: String, _ right: String) -> Bool {
        left.unicodeScalars.elementsEqual(right.unicodeScalars)
    }
}
