/// The texts of predicates and expressions: each is parsed again before it is written, so that no text says something else than the
/// model. Not everything that an archive or code can hold has a text: a variable with a space in its name, a constant of an
/// application's class.
struct SourceTextCheck {
    /// Entity and key, for messages.
    let entity: String?
    let key: String?
    /// Whether the very same predicate must come back, as the notation promises. In XML a constant may become one of another
    /// class that says the same, as it does in Xcode.
    var isExact = true

    func predicate(_ predicate: NSPredicate?) throws -> String? {
        guard let predicate else { return nil }
        let text = predicate.predicateText
        guard let again = try? NSPredicate.parse(text), isExact ? again.structurallyEquals(predicate) : again.predicateText == text
        else {
            throw refusal("the predicate '\(text)'")
        }
        return text
    }

    func expression(_ expression: NSExpression?) throws -> String? {
        guard let expression else { return nil }
        let text = SourceDerivation.text(expression)
        guard let again = try? SourceDerivation.read(text), isExact ? again.structurallyEquals(expression) : SourceDerivation.text(again) == text
        else {
            throw refusal("the expression '\(text)'")
        }
        return text
    }

    func refusal(_ what: String) -> CocoaError {
        let owner = [key.map { "'\($0)'" }, entity.map { "entity '\($0)'" }].compactMap { $0 }.joined(separator: " of ")
        return ModelFileError.notExpressible("\(what) of \(owner) has no text that gives it again.", entity: entity, key: key)
    }
}
