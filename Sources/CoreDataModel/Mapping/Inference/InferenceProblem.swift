// SPDX-License-Identifier: Apache-2.0

/// A difference between two models that prevents an inferred mapping model.
package struct InferenceProblem: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case entity, attribute, relationship
    }

    package let kind: Kind
    /// The destination entity that declares the changed part.
    package let entityName: String
    /// The attribute or relationship; nil for a problem of the entity.
    package let propertyName: String?
    /// The problem, in Apple's words if there are any.
    package let reason: String
    /// The remedy.
    package let remedy: String

    /// `NSInferredMappingModelError`, 134190.
    private static let code = CocoaError.Code(rawValue: 134190)

    /// One error for all problems, of which there is at least one. It equals the error of the first problem, and
    /// contains all of them as details if there are several.
    static func error(_ problems: [InferenceProblem]) -> CocoaError {
        let first = problems[0]
        guard problems.count > 1 else { return first.error }
        var userInfo = first.error.userInfo
        let sentences = problems.map { "\($0.subject): \($0.reason)." }
        // The key of Core Data for the errors that a validation error combines.
        userInfo["NSDetailedErrors"] = problems.map(\.error)
        return CoreDataErrors.cocoaError(
            code,
            message: "The mapping model can't be inferred for \(Wording.count(problems.count, "reason")). "
                + sentences.joined(separator: " "),
            reason: first.reason, suggestion: first.remedy, userInfo: userInfo)
    }

    /// The entity or property that can't be inferred: "Car.owner" or "Car".
    var subject: String { propertyName.map { "\(entityName).\($0)" } ?? entityName }

    /// The problem and its remedy, as sentences.
    package var text: String { "\(subject): \(reason). \(remedy)" }

    private var error: CocoaError {
        var userInfo: [String: Any] = ["reason": reason, "entity": entityName]
        if let propertyName { userInfo[kind.rawValue] = propertyName }
        return CoreDataErrors.cocoaError(
            Self.code, message: "The mapping model can't be inferred. \(text)", reason: reason,
            suggestion: remedy, userInfo: userInfo)
    }
}
