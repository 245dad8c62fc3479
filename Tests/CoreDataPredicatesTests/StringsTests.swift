import Testing

@testable import CoreDataPredicates

@Suite("Strings are compared alike in memory and in SQL")
struct StringsTests {
    @Test("Folding takes away case and diacritics")
    func folding() {
        expectEqual(Strings.fold("ÅNGSTRÖM", [.caseInsensitive, .diacriticInsensitive]), "angstrom")
        expectEqual(Strings.fold("ÅNGSTRÖM", .diacriticInsensitive), "ANGSTROM")
        expectEqual(Strings.fold("ÅB", .caseInsensitive), "åb")
        expectEqual(Strings.fold("AB", [.caseInsensitive, .normalized]), "AB")
        expectEqual(Strings.fold("AB", []), "AB")
    }

    @Test("Equality without options is that of the bytes")
    func bytes() {
        expectFalse(Strings.equal("\u{e9}", "e\u{301}", []))
        expectTrue(Strings.equal("\u{e9}", "e\u{301}", .diacriticInsensitive))
        expectTrue(Strings.equal("", "", .caseInsensitive))
        expectFalse(Strings.equal("[", "{", .caseInsensitive))
        expectFalse(Strings.equal("@", "`", .caseInsensitive))
    }

    @Test("Every string begins and ends with the empty one and holds it")
    func empty() {
        for string in ["", "a", "é"] {
            expectTrue(Strings.begins(string, with: "", []))
            expectTrue(Strings.ends(string, with: "", .caseInsensitive))
            expectTrue(Strings.contains(string, "", []))
        }
        expectFalse(Strings.contains("", "a", []))
    }

    @Test(
        "LIKE knows ?, * and the backslash",
        arguments: [
            ("", "", true), ("", "*", true), ("", "?", false), ("abc", "a*c", true), ("abc", "a?c", true),
            ("abc", "a?", false),
            ("aXbXc", "a*X*c", true), ("aaa", "*a", true), ("a*c", "a\\*c", true), ("abc", "a\\*c", false),
            ("é", "?", true),
            ("日本語", "?本*", true), ("ab", "ab\\", false), ("ab\\", "ab\\", true), ("mississippi", "*issip*", true),
            ("mississippi", "*iss?x*", false), ("a\nb", "a?b", true), ("abc", "***", true), ("abc", "", false),
        ])
    func like(string: String, pattern: String, expected: Bool) {
        expectEqual(Strings.like(string, pattern, []), expected)
        expectEqual(Strings.like(string.uppercased(), pattern, .caseInsensitive), expected)
    }

    @Test("LIKE takes no more than quadratic time")
    func likeIsBounded() {
        let string = String(repeating: "a", count: 2_000)
        expectFalse(Strings.like(string, String(repeating: "*a", count: 100) + "b", []))
    }

    @Test("MATCHES means the whole string")
    func matches() throws {
        expectTrue(try Strings.matches("abc", "a|abc", []))
        expectFalse(try Strings.matches("abc", "b", []))
        expectTrue(try Strings.matches("É", "e", [.caseInsensitive, .diacriticInsensitive]))
        expectTrue(try Strings.matches("", "", []))
        #expect(throws: (any Error).self) { try Strings.matches("a", "(", []) }
        #expect(throws: (any Error).self) { try Strings.matches("a", "a)(b", []) }
    }

    @Test("Order is that of the bytes")
    func order() {
        expectEqual(Strings.order("a", "b"), .orderedAscending)
        expectEqual(Strings.order("a", "ab"), .orderedAscending)
        expectEqual(Strings.order("Z", "a"), .orderedAscending)
        expectEqual(Strings.order("z", "é"), .orderedAscending)
        expectEqual(Strings.order("é", "é"), .orderedSame)
        expectEqual(Strings.order("\u{FFFF}", "\u{10000}"), .orderedAscending)
    }
}
