import Testing

@testable import SwiftDataExpansion

@Suite("JSON of the plugin")
struct JSONTests {
    private func value(_ text: String) -> JSON? { JSONParser.value(of: Array(text.utf8)) }

    @Test("values of every kind are read")
    func values() {
        expectEqual(
            value(" { \"a\" : [ 1 , -2.5e1 , true , false , null , \"x\" ] , \"b\":{} } "),
            .object([
                ("a", .array([.number(1), .number(-25), .bool(true), .bool(false), .null, .string("x")])),
                ("b", .object([])),
            ]))
    }

    @Test(
        "escapes of strings are read",
        arguments: [
            (#"a\n\t\r\"\\\/\b\f"#, "a\n\t\r\"\\/\u{8}\u{C}"), (#"\u00e9"#, "é"), (#"\ud83c\udf89"#, "🎉"), ("é🎉", "é🎉"),
            (#"\ud83c"#, "\u{FFFD}"), (#"\ud83cx"#, "\u{FFFD}x"), (#"\ud83c\u0041"#, "\u{FFFD}A"),
            (#"\udf89"#, "\u{FFFD}"),
        ])
    func escapes(written: String, text: String) {
        expectEqual(value("\"\(written)\""), .string(text))
    }

    @Test(
        "texts of every kind are written so that they are read again",
        arguments: ["", "a\"b\\c", "é\n\t\u{1}\u{7F}", "🎉\r\n"])
    func roundTrip(text: String) {
        let json = JSON.object([(text, .array([.string(text), .number(3), .number(0.5), .null, .bool(true)]))])
        expectEqual(JSONParser.value(of: json.bytes), json)
    }

    @Test(
        "other text is refused",
        arguments: [
            "", " ", "{", "[", "\"", "{\"a\"}", "{\"a\":}", "{a:1}", "[1,]", "tru", "nul", "1 2", "\"\\u12\"", "\"\\",
            "-", "]",
            "{\"a\":1,}",
        ])
    func refused(text: String) {
        expectEqual(value(text), nil)
    }

    @Test("deep nesting is refused", arguments: ["[", "{\"a\":"])
    func depth(piece: String) {
        expectEqual(value(String(repeating: piece, count: 100_000)), nil)
    }
}
