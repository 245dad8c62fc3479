// SPDX-License-Identifier: Apache-2.0

/// The refusal of an edit: a sentence with the remedy.
package struct ModelEditError: LocalizedError, Equatable {
    package let message: String
    /// The attribute whose value is refused; nil if the whole edit is.
    package let attribute: String?

    package var errorDescription: String? { message }

    init(_ message: String, attribute: String? = nil) {
        self.message = message
        self.attribute = attribute
    }

    static func missing(_ path: ModelPath) -> ModelEditError {
        let name = path.name.map { " ‘\($0)’" } ?? ""
        return ModelEditError("There is no \(ModelWords.kind(path.kind))\(name). Another edit has removed it.")
    }
}

/// The words of messages about elements.
package enum ModelWords {
    /// A kind of element in words.
    package static func kind(_ kind: String) -> String {
        switch kind {
        case "fetchedProperty": "fetched property"
        case "fetchRequest": "fetch request"
        case "fetchIndex": "index"
        case "fetchIndexElement": "element of an index"
        case "entity", "attribute", "relationship", "configuration", "composite", "model": kind
        default: "element <\(kind)>"
        }
    }

    /// A kind of element with its article: "an entity", "a relationship".
    static func kindWithArticle(_ kind: String) -> String {
        let word = Self.kind(kind)
        return (word.first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + word
    }
}
