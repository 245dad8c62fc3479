/// The texts of predicates and expressions for the notation: each is parsed again before it is written, so that no text says
/// something else than the model.
struct SourceTextCheck {
    /// Entity and key, for messages.
    let entity: String?
    let key: String?

    func predicate(_ predicate: NSPredicate?) throws -> String? {
        guard let predicate else { return nil }
        let text = predicate.predicateText
        guard let again = try? NSPredicate.parse(text), again.structurallyEquals(predicate) else {
            throw refusal("the predicate '\(text)'")
        }
        return text
    }

    func expression(_ expression: NSExpression?) throws -> String? {
        guard let expression else { return nil }
        let text = SourceDerivation.text(expression)
        guard let again = try? SourceDerivation.read(text), again.structurallyEquals(expression) else {
            throw refusal("the expression '\(text)'")
        }
        return text
    }

    func refusal(_ what: String) -> CocoaError {
        let owner = [key.map { "'\($0)'" }, entity.map { "entity '\($0)'" }].compactMap { $0 }.joined(separator: " of ")
        return ModelFileError.notExpressible("\(what) of \(owner) has no text that gives it again.", entity: entity, key: key)
    }
}
