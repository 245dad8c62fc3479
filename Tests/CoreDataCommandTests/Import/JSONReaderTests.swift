import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store import: JSON")
struct JSONReaderTests {
    private func value(_ text: String) throws -> JSONValue {
        let reader = JSONReader(source: ByteSource(bytes: Array(text.utf8), line: 1))
        let value = try reader.value()
        try expectEqual(reader.peek(), nil)
        return value
    }

    @Test(
        "Values",
        arguments: [
            ("null", JSONValue.null), (" true ", .boolean(true)), ("false", .boolean(false)),
            ("-12.50e3", .number("-12.50e3")), ("\"\"", .string("")), ("[]", .array([])), ("{}", .object([])),
            ("[1, [2]]", .array([.number("1"), .array([.number("2")])])),
            ("{\"a\":{\"b\":null}}", .object([("a", .object([("b", .null)]))])),
            (#""\"\\\/\b\f\n\r\tA\ud83d\ude00é""#, .string("\"\\/\u{8}\u{c}\n\r\tA\u{1F600}é")),
        ])
    func values(text: String, expected: JSONValue) throws {
        try expectEqual(value(text), expected)
    }

    @Test(
        "Mistakes are named with their line",
        arguments: [
            ("[1,\n2,\n]", 3), ("{\"a\"\n1}", 2), ("{\"a\":1,\n\"a\":2}", 2), ("[1\n2]", 2), ("\"a\nb\"", 2),
            (#""\ud83d""#, 1), (#""\x""#, 1), ("tru", 1), ("-", 1), ("1e", 1), ("", 1), ("'a'", 1), ("{a:1}", 1),
            ("[1", 1), ("\"a", 1),
        ])
    func mistakes(text: String, line: Int) throws {
        let fault = try #require(throws: ImportFault.self) { try value(text) }
        expectEqual(fault.line, line, "\(fault.text)")
        #expect(fault.text.hasSuffix(".") || fault.text.contains("closed"))
    }

    @Test("Values that are nested very deeply are refused")
    func deep() throws {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: ImportFault.self) { try value(text) }
    }
}
