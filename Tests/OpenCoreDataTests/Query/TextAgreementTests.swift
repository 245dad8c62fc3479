import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("Tests of texts as SQL")
struct TextAgreementTests {
    private static let texts = [
        "", " ", "a", "A", "e", "é", "e\u{301}", "É", "E\u{301}", "Straße", "STRASSE", "strasse", "ẞ", "ı", "I", "i",
        "İ", "i\u{307}", "ﬁ", "fi", "FI", "Σίσυφος",
        "σίσυφοσ", "👍", "👍🏽", "👩‍👩‍👧", "🇩🇪", "🇩🇪🇫🇷",
        "한글", "\u{1112}\u{1161}\u{11AB}글", "q\u{307}\u{323}", "q\u{323}\u{307}",
        "שלום", "مرحبا", "العَرَبِيَّة", "a\u{0}b",
        "a\u{0}B", "\u{0}", "\u{FFFF}", "\u{10FFFF}", "a\u{10FFFF}", "\u{E000}", "\u{D7FF}", "50% * off?", "*", "?",
        "\\", "a\\*b", "a*b", "日本語", "ｱｲｳ", "アイウ", "𝒜bc",
        "line\nbreak", "\u{212A}elvin", "kelvin", "Ǆ", "ǆ", "\u{200D}", "a\u{300}\u{301}", "O'Hara \"x\"",
    ]

    private static let patterns = [
        "", "a", "É", "e\u{301}", "ss", "ß", "i", "İ", "fi", "👍", "🇩🇪", "\u{1112}", "q\u{323}", "a\u{0}", "\u{10FFFF}",
        "ΣΊΣΥΦΟΣ", "K", "*", "?", "a*", "*e*", "??", "a\\*b", "\\", "\u{D7FF}",
        "*\u{301}", "ア*", "STRASSE",
    ]

    @Test(
        "have the same results as in memory, for every operator and option",
        arguments: ["==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN"])
    func operators(name: String) throws {
        let library = try Library()
        let tag = library.entity("Tag")
        let tags = Self.texts.enumerated().map { index, text in
            let object = LibraryObject(tag, key: Int64(index + 1))
            object.values["name"] = text
            return object
        }
        let nothing = LibraryObject(tag, key: Int64(tags.count + 1))
        try library.connection.withTransaction {
            for object in tags + [nothing] {
                let value = (object.values["name"] as? String).map { SQLValue.text($0) } ?? .null
                try library.connection.run(
                    "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 5, 1, ?)", [.integer(object.key), value])
            }
        }
        for options in ["", "[c]", "[d]", "[cd]", "[n]", "[l]", "[cl]", "[cdl]"] {
            for pattern in Self.patterns {
                for isNegated in [false, true] {
                    let argument: Any = name == "IN" ? [pattern, "A", "é"] : pattern
                    let predicate = try NSPredicate.parse(
                        "\(isNegated ? "NOT " : "")name \(name)\(options) %@", arguments: [argument])
                    let expected = (tags + [nothing]).filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
                    try expectEqual(library.keys(library.query("Tag", predicate)).sorted(), expected, "\(predicate)")
                }
            }
        }
    }

    @Test(
        "have the same results as MATCHES in memory",
        arguments: [
            "a", ".*", "[A-Z]+", "(?i)strasse", "\\w+", "\\p{L}+", "\\X", ".", "..", "a.b", "(?s)line.break", "[^a]*",
            "é|É", "(a|b)*", "",
        ])
    func matches(pattern: String) throws {
        let library = try Library()
        var random = SeededGenerator(seed: 12)
        try library.fill(&random)
        for options in ["", "[c]", "[d]", "[cd]"] {
            let predicate = try NSPredicate.parse("name MATCHES\(options) %@", arguments: [pattern])
            let expected = library.artists.filter { predicate.asInSQL.evaluate(with: $0) }.map(\.key)
            try expectEqual(library.keys(library.query("Artist", predicate)).sorted(), expected, "\(predicate)")
        }
    }

    @Test("throw an error that names an invalid expression, as a constant or in a row")
    func invalid() throws {
        let library = try Library()
        let constant = thrownError {
            _ = try library.keys(
                library.query(
                    "Tag",
                    NSComparisonPredicate(
                        leftExpression: NSExpression(forKeyPath: "name"),
                        rightExpression: NSExpression(forConstantValue: "(a"), modifier: .direct, type: .matches)))
        }
        expectEqual(constant?.code, 134060)
        expectEqual(constant?.localizedDescription.contains("(a"), true)
        try library.connection.run("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 5, 1, '[z')")
        let column = thrownError { _ = try library.keys(library.query("Tag", .parse("'x' MATCHES name"))) }
        expectEqual(column?.localizedDescription.contains("[z"), true, "\(String(describing: column))")
    }
}
