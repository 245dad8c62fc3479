import Foundation

/// Values and keys that a client may send in place of others, as they are in the text of a form.
enum OddValues {
    static let few = ["null", "1", "\"a\"", "[]", "{}"]

    static let keys = [
        "", "x", "self", "entity", "objectID ", "version ", "title ", "Title", "a.b", "title.length", "@count", "[0]",
        "\\u0000", "managedObjectContext", "extra", String(repeating: "k", count: 1000),
    ]

    static let all: [String] =
        [
            "null", "true", "false", "0", "-0", "1", "-1", "1.5", "-0.0", "1.0", "1e2", "1e-400", "1e400", "-1e400",
            "32767", "32768", "-32769", "2147483648", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "3.5e38", "1e300",
            String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1",
            // Not JSON.
            "", "tru", "01", "+1", ".5", "1.", "0x10", "NaN", "-Infinity", "'a'", "\"", "\"\\x\"", "\"\\ud800\"",
            "\"\n\"",
            "/**/1", "1,", "[1,]", "{\"a\"}", "{1:2}", "]", "}", "\u{FEFF}1", "\u{0}",
            // Texts.
            "\"\"", "\"a\"", "\" \"", "\"\\u0000\"", "\"a\\u0000b\"", "\"\u{1F600}\"", "\"\\ud83d\\ude00\"",
            "\"\\uFFFE\"", "\"secret\"", "\"true\"", "\"1\"", "\"\(String(repeating: "é", count: 20))\"",
            "\"\(String(repeating: "x", count: 5000))\"",
            // Decimal numbers.
            "\"12.5\"", "\"-0\"", "\"1e5\"", "\"1e400\"", "\"nan\"", "\"NaN\"", "\"1,5\"", "\"٣\"", "\".\"", "\"-\"",
            "\"\(String(repeating: "9", count: 38))\"", "\"\(String(repeating: "9", count: 39))\"",
            "\"0.\(String(repeating: "0", count: 36))1\"", "\" 1\"",
            // Dates.
            "\"0000-00-00T00:00:00Z\"", "\"0001-01-01T00:00:00Z\"", "\"9999-12-31T23:59:60Z\"",
            "\"99999999-01-01T00:00:00Z\"", "\"-2026-01-01T00:00:00Z\"", "\"2026-02-30T00:00:00Z\"",
            "\"2026-11-26T25:04:05Z\"", "\"2026-11-26T15:04:05\"", "\"2026-11-26\"", "\"2026-11-26T15:04:05.9999999Z\"",
            "\"2026-11-26T15:04:05.\(String(repeating: "9", count: 19))Z\"", "\"2026-11-26T15:04:05.Z\"",
            "\"2026-11-26T15:04:05.٣Z\"", "\"2026-11-26T15:04:05+99:99\"", "\"20261126T150405Z\"",
            "\"9223372036854775807-01-01T00:00:00Z\"",
            // Bytes, UUIDs and URLs.
            "\"QUJD\"", "\"QQ==\"", "\"QQ\"", "\"====\"", "\"Q U J D\"", "\"QUJD\\n\"", "\"-_-_\"",
            "\"00000000-0000-0000-0000-000000000000\"", "\"8c3d0a5e-2f4b-4e53-9e0b-0a2b6f0c1d2e\"",
            "\"{8C3D0A5E-2F4B-4E53-9E0B-0A2B6F0C1D2E}\"", "\"https://example.org\"", "\"http://[\"", "\"http://a b/\"",
            "\"%zz\"", "\"//\"", "\"http://é.example/ü\"", "\"file:///etc/passwd\"",
            // IDs.
            "\"x-coredata:\"", "\"x-coredata://\"", "\"x-coredata:///Tag/p1\"", "\"x-coredata://A/Tag/p1\"",
            "\"x-coredata://A/Tag/tA\"", "\"x-coredata://[/Tag/p1\"", "\"x-coredata://A:99999/Tag/p1\"",
            // Arrays and objects.
            "[]", "{}", "[null]", "[[]]", "[1,\"a\",{}]", "{\"\":null}", "{\"a\":{\"b\":[]}}", "{\"name\":null}",
            "{\"objectID\":null}", "{\"objectID\":\"\",\"name\":\"a\"}", "{\"city\":\"a\\u0000\",\"height\":40000}",
            "{\"height\":1.5}",
        ] + [15, 20, 600, 5000].flatMap { nested($0) }

    private static func nested(_ depth: Int) -> [String] {
        [
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
            String(repeating: "{\"steps\":", count: depth) + "1" + String(repeating: "}", count: depth),
            String(repeating: "[", count: depth),
        ]
    }

    /// The texts of URIs that aren't the one of an object, or aren't as the framework writes it.
    static func uris(_ text: String) -> [String] {
        let uri = String(text.dropFirst().dropLast())
        return [
            "\(uri)/", "\(uri)x", "\(uri).0", "\(uri)9999999", "\(uri)99999999999999999999", "\(uri)?a=b", "\(uri)#a",
            "\(uri)%20", " \(uri)", "\(uri) ", "\(uri)\\u0000", "\(uri)\\n", "\(uri)/p1", "\(uri)#Team",
            "\(uri)#Person",
            "\(uri)#Unknown", "\(uri)#Step", "\(uri)#p0", "\(uri)#p-1", "\(uri)#p+1", "\(uri)#p01", "\(uri)#p",
            "\(uri)#t1", "\(uri)#store", "\(uri)#small", "\(uri)#scheme", "\(uri)#user", "\(uri)#port",
            "\(uri)#escaped",
        ].map { "\"\($0)\"" }
    }
}
