/// A change between two models that no mapping can be inferred for.
struct InferenceProblem: Hashable {
    enum Kind: String {
        case entity, attribute, relationship
    }

    let kind: Kind
    /// The destination entity that declares what changed.
    let entityName: String
    /// The attribute or relationship; nil for the entity itself.
    let propertyName: String?
    /// What is wrong, as Apple says it where Apple does.
    let reason: String
    /// What to do about it.
    let remedy: String

    /// `NSInferredMappingModelError`, 134190.
    private static let code = CocoaError.Code(rawValue: 134190)

    /// One error for all problems: that of the first, with all of them as details where there are several.
    static func error(_ problems: [InferenceProblem]) -> CocoaError {
        guard let first = problems.first else { return CocoaError(code) }
        guard problems.count > 1 else { return first.error }
        var userInfo = first.error.userInfo
        let sentences = problems.map { "\($0.subject): \($0.reason)." }
        userInfo[NSLocalizedDescriptionKey] =
            "The mapping model can't be inferred for \(problems.count) reasons. " + sentences.joined(separator: " ")
        // Core Data's key of the errors that one error stands for, as in validation.
        userInfo["NSDetailedErrors"] = problems.map(\.error)
        return CocoaError(code, userInfo: userInfo)
    }

    private var subject: String { propertyName.map { "\(entityName).\($0)" } ?? entityName }

    private var error: CocoaError {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: "The mapping model can't be inferred. \(subject): \(reason). \(remedy)",
            NSLocalizedFailureReasonErrorKey: reason,
            NSLocalizedRecoverySuggestionErrorKey: remedy,
            "reason": reason,
            "entity": entityName,
        ]
        if let propertyName { userInfo[kind.rawValue] = propertyName }
        return CocoaError(Self.code, userInfo: userInfo)
    }
}
