/// The words of the format language. A key of such a name is written with `#` in front.
enum ReservedWords {
    private static let words: Set<String> = [
        "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY",
        "FETCH", "CAST", "TERNARY", "FUNCTION", "TRUEPREDICATE", "FALSEPREDICATE", "UNION", "INTERSECT", "MINUS",
        "CASEINSENSITIVE", "CI",
    ]

    /// Words that the language uses in one place only, so that elsewhere they may be keys.
    private static let harmless: Set<String> = [
        "FIRST", "LAST", "SIZE", "FETCH", "CAST", "TERNARY", "FUNCTION", "SUBQUERY", "CASEINSENSITIVE", "CI",
    ]

    /// True if a key of this name is written with `#` in front.
    static func contains(_ word: String) -> Bool {
        words.contains(word.uppercased())
    }

    /// True if a key of this name can't be read without `#` in front.
    static func forbidsKey(_ word: String) -> Bool {
        contains(word) && !harmless.contains(word.uppercased())
    }
}
