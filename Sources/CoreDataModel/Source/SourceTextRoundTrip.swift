// SPDX-License-Identifier: Apache-2.0

/// Formats predicates and expressions, and parses each text again, so that it is written only if it is read as the same
/// value. Some values have no text: a variable with a space in its name, a constant of a class of the program.
struct SourceTextRoundTrip {
    /// The entity and the key, for messages.
    let entity: String?
    let key: String?
    /// Whether the same predicate must be read, as the text notation promises. In XML a constant can become an equal
    /// constant of another class, as in Xcode.
    var isExact = true

    /// The text of a predicate. Constants that the format language can't represent (dates, exact decimals) become `%@`;
    /// their values become elements `argument`, which name the attribute of the text.
    func predicate(_ predicate: NSPredicate?, _ attribute: String) throws -> (text: String?, arguments: [SourceElement])
    {
        guard let predicate else { return (nil, []) }
        let text = predicate.predicateText
        if roundTrips(text, [], predicate) { return (text, []) }
        // XML can't represent values beside the text.
        guard isExact else { throw notRepresentable("the predicate '\(text)'") }
        var split = PredicateArguments(avoiding: text)
        let (format, values) = split.format(predicate)
        let arguments = values.compactMap { SourceValue.element("argument", $0, of: attribute) }
        guard arguments.count == values.count, roundTrips(format, arguments.compactMap(SourceValue.read), predicate)
        else {
            throw notRepresentable("the predicate '\(text)'")
        }
        return (format, arguments)
    }

    private func roundTrips(_ text: String, _ arguments: [Any], _ predicate: NSPredicate) -> Bool {
        guard let parsed = try? NSPredicate.parse(text, arguments: arguments) else { return false }
        guard isExact else { return parsed.predicateText == predicate.predicateText }
        // 1 and 1.0 are equal but have different texts. An argument keeps its class.
        return parsed.structurallyEquals(predicate)
            && (!arguments.isEmpty || parsed.predicateText == predicate.predicateText)
    }

    func expression(_ expression: NSExpression?) throws -> String? {
        guard let expression else { return nil }
        let text = SourceDerivation.text(expression)
        guard let parsed = try? SourceDerivation.read(text),
            isExact ? parsed.structurallyEquals(expression) : SourceDerivation.text(parsed) == text
        else {
            throw notRepresentable("the expression '\(text)'")
        }
        return text
    }

    func notRepresentable(_ part: String) -> CocoaError {
        let owner = [key.map { "'\($0)'" }, entity.map { "entity '\($0)'" }].compactMap { $0 }.joined(separator: " of ")
        return ModelFileError.notExpressible(
            "\(part) of \(owner) can't be written as text that is read as the same value.", entity: entity, key: key)
    }
}
