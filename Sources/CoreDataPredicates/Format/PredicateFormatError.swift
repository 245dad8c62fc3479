/// A text that isn't in the predicate format language.
package struct PredicateFormatError: Error, CustomStringConvertible, Sendable {
    /// The text that was read.
    package let format: String
    /// Where the trouble is, in Unicode scalars from the start of the text.
    package let position: Int
    /// What was expected there, as a noun phrase, or what is wrong, as a sentence.
    package let expected: String

    package init(format: String, position: Int, expected: String) {
        self.format = format
        self.position = position
        self.expected = expected
    }

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
