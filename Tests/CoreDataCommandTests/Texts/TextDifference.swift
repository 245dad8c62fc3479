import CoreData

@testable import CoreDataModel

/// A text that a user takes for another value than the rule, and why it must.
struct TextDifference: Sendable {
    let users: [String]
    let reason: String
    /// Whether it concerns a text: the type, the text, what the rule takes it for, and what the user does.
    let concerns: @Sendable (NSAttributeType, String, TextReading, TextReading) -> Bool

    private static let models = ["editor", "notation, a word", "notation, quoted"]

    static let all = [
        TextDifference(
            users: ["form"], reason: "An empty field is no value.",
            concerns: { _, text, _, found in text.allSatisfy(\.isWhitespace) && found == .none }),
        TextDifference(
            users: ["editor"], reason: "An empty field is no default.",
            concerns: { _, text, _, found in
                text.trimmingCharacters(in: .whitespaces).isEmpty && found == .none
            }),
        TextDifference(
            users: ["editor"],
            reason: "A model file is XML, which has no such character, and texts of a bounded length.",
            concerns: { _, text, _, found in
                found == .refused && (!XMLValue.canRepresent(text) || text.utf8.count > 100_000)
            }),
        TextDifference(
            users: models + ["notation, with a type"],
            reason: "Models have dates as seconds since 2001, and people copy them from there.",
            concerns: { type, text, rule, found in
                type == .dateAttributeType && rule == .refused
                    && found
                        == NumberText(text.trimmingCharacters(in: .whitespaces)).map {
                            .value(($0.double + 0).description)
                        }
            }),
        TextDifference(
            users: models + ["notation, with a type"],
            reason: "Xcode reads the text of a number that is not finite as 0.",
            concerns: { type, _, rule, found in
                found == .refused && [.value("inf"), .value("-inf"), .value("NaN"), .value("nan")].contains(rule)
            }),
        TextDifference(
            users: ["notation, quoted"],
            reason: "The text is one of Xcode's file, which may be any, and has the value that Xcode reads.",
            concerns: { type, text, rule, found in
                let isXcodes = type.isNumber || type == .booleanAttributeType || type == .URIAttributeType
                return isXcodes && found == TextReading(SourceText.value(of: text, type: type), type)
            }),
        TextDifference(
            users: ["notation, with a type"],
            reason: "A value beside its type is that of a predicate, too: any number.",
            concerns: { type, text, rule, found in
                rule == .refused && text == "nan" && found == .value("nan")
                    || type == .integer64AttributeType && rule == .refused && UInt64(text) != nil
            }),
        TextDifference(
            users: ["snapshot, texts"], reason: "JSON has null in place of what is no number.",
            concerns: { type, _, rule, found in
                type == .decimalAttributeType && rule == .value("NaN") && found == .refused
            }),
        TextDifference(
            users: ["notation, a word"], reason: "The word is that of a default value that is null.",
            concerns: { _, text, _, found in text == "null" && (found == .none || found == .refused) }),
        TextDifference(
            users: ["snapshot, numbers and Booleans"],
            reason: "Foundation decodes JSON: -0 is an integer, and a number with a point or an exponent is a double.",
            concerns: { type, text, _, found in
                type.isNumber && (text.contains(".") || text.lowercased().contains("e") || text == "-0")
                    && [.refused, .value("0"), .value("0.0")].contains(found)
            }),
        TextDifference(
            users: ["snapshot, numbers and Booleans"], reason: "No number of a request becomes a Boolean.",
            concerns: { type, text, _, found in
                type == .booleanAttributeType && NumberText(text) != nil && found == .refused
            }),
    ]
}
