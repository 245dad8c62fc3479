/// The texts of predicates and expressions: each is parsed again before it is written, so that no text says something
/// else than the model. Not everything that an archive or code can hold has a text: a variable with a space in its
/// name, a constant of an application's class.
struct SourceTextCheck {
    /// Entity and key, for messages.
    let entity: String?
    let key: String?
    /// Whether the very same predicate must come back, as the notation promises. In XML a constant may become one of
    /// another class that says the same, as it does in Xcode.
    var isExact = true

    /// The text of a predicate. Constants that the format language can't say (dates, exact decimals) become `%@`, and
    /// their values elements `argument` that name the attribute of the text.
    func predicate(_ predicate: NSPredicate?, _ attribute: String) throws -> (text: String?, arguments: [SourceElement])
    {
        guard let predicate else { return (nil, []) }
        let text = predicate.predicateText
        if gives(text, [], predicate) { return (text, []) }
        // XML has no place for values beside the text.
        guard isExact else { throw refusal("the predicate '\(text)'") }
        var split = PredicateArguments(avoiding: text)
        let (format, values) = split.format(predicate)
        let arguments = values.compactMap { SourceValue.element("argument", $0, of: attribute) }
        guard arguments.count == values.count, gives(format, arguments.compactMap(SourceValue.read), predicate) else {
            throw refusal("the predicate '\(text)'")
        }
        return (format, arguments)
    }

    private func gives(_ text: String, _ arguments: [Any], _ predicate: NSPredicate) -> Bool {
        guard let again = try? NSPredicate.parse(text, arguments: arguments) else { return false }
        guard isExact else { return again.predicateText == predicate.predicateText }
        // 1 and 1.0 are equal, but not the same text; a value that is given as an argument is what it was.
        return again.structurallyEquals(predicate)
            && (!arguments.isEmpty || again.predicateText == predicate.predicateText)
    }

    func expression(_ expression: NSExpression?) throws -> String? {
        guard let expression else { return nil }
        let text = SourceDerivation.text(expression)
        guard let again = try? SourceDerivation.read(text),
            isExact ? again.structurallyEquals(expression) : SourceDerivation.text(again) == text
        else {
            throw refusal("the expression '\(text)'")
        }
        return text
    }

    func refusal(_ what: String) -> CocoaError {
        let owner = [key.map { "'\($0)'" }, entity.map { "entity '\($0)'" }].compactMap { $0 }.joined(separator: " of ")
        return ModelFileError.notExpressible(
            "\(what) of \(owner) has no text that gives it again.", entity: entity, key: key)
    }
}
