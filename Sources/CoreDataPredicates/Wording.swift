// SPDX-License-Identifier: Apache-2.0

/// Puts counts and names into English messages.
package enum Wording {
    /// A count with its noun: "1 object", "2 entities".
    ///
    /// - Parameters:
    ///   - count: the number of things.
    ///   - noun: the noun in the singular. Words may stand before it.
    package static func count(_ count: some BinaryInteger, _ noun: String) -> String {
        "\(count) \(count == 1 ? noun : plural(of: noun))"
    }

    /// A name behind its article: "a String", "an NSString".
    ///
    /// - Parameter name: a noun or the name of a type.
    package static func withArticle(_ name: String) -> String {
        "\(hasVowelSound(name) ? "an" : "a") \(name)"
    }

    /// A type behind its article.
    package static func withArticle(_ type: Any.Type) -> String { withArticle("\(type)") }

    private static func plural(of noun: String) -> String {
        let letters = Array(noun)
        guard let last = letters.last else { return noun }
        if last == "y", letters.count > 1, !"aeiou".contains(letters[letters.count - 2]) {
            return noun.dropLast() + "ies"
        }
        return noun + (["s", "x", "ch", "sh"].contains(where: noun.hasSuffix) ? "es" : "s")
    }

    /// Whether the name begins with the sound of a vowel. Capital letters at the beginning, as in `NSString` and `URL`,
    /// are pronounced one by one.
    private static func hasVowelSound(_ name: String) -> Bool {
        let letters = Array(name.drop { !$0.isLetter }.prefix(3))
        guard let first = letters.first else { return false }
        if first.isUppercase, letters.count > 1, letters[1].isUppercase { return "AEFHILMNORSX".contains(first) }
        let beginning = String(letters).lowercased()
        if ["one", "uni", "use", "usa", "uti", "eu"].contains(where: beginning.hasPrefix) { return false }
        return "aeiou".contains(beginning.prefix(1))
    }
}
