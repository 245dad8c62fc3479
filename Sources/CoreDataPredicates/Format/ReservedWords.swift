// SPDX-License-Identifier: Apache-2.0

/// The reserved words of the format language. A key of such a name is written after `#`.
enum ReservedWords {
    private static let words: Set<String> = [
        "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY",
        "FETCH", "CAST", "TERNARY", "FUNCTION", "TRUEPREDICATE", "FALSEPREDICATE", "UNION", "INTERSECT", "MINUS",
        "CASEINSENSITIVE", "CI",
    ]

    /// Words that are reserved in one context only, and can be keys elsewhere.
    private static let contextual: Set<String> = [
        "FIRST", "LAST", "SIZE", "FETCH", "CAST", "TERNARY", "FUNCTION", "SUBQUERY", "CASEINSENSITIVE", "CI",
    ]

    /// True if a key of this name is written after `#`.
    static func contains(_ word: String) -> Bool {
        words.contains(word.uppercased())
    }

    /// True if the parser needs `#` before a key of this name.
    static func requiresEscaping(_ word: String) -> Bool {
        contains(word) && !contextual.contains(word.uppercased())
    }
}

/// The error of a format string that can't be parsed.
package struct PredicateFormatError: Error, CustomStringConvertible, Sendable {
    /// The format string.
    package let format: String
    /// The position of the error, in Unicode scalars from the start of the string.
    package let position: Int
    /// The expected text as a noun phrase, or the mistake as a clause.
    package let expected: String

    package var description: String {
        let scalars = Array(format.unicodeScalars)
        let start = max(0, min(position, scalars.count))
        var near = String.UnicodeScalarView()
        near.append(contentsOf: scalars[start..<min(scalars.count, start + 20)])
        let place = near.isEmpty ? "at the end" : "at position \(position), before \"\(String(near))\""
        let shown = scalars.count > 200 ? "a text of \(scalars.count) characters" : "\"\(format)\""
        return "Unable to parse \(shown) \(place): \(expected)."
    }
}
