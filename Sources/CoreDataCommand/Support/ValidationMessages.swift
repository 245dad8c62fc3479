// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The messages of a validation error, one for each property.
enum ValidationMessages {
    static func of(_ error: any Error) -> [String] {
        let error = error as NSError
        let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        return parts.map { part in
            let key = part.userInfo[NSValidationKeyErrorKey] as? String
            return (key.map { "\($0): " } ?? "") + text(of: part)
        }
    }

    /// The messages, each with the object that breaks the rule.
    static func named(_ error: any Error) -> [String] {
        let error = error as NSError
        let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        return parts.flatMap { part in
            let object = part.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
            return of(part).map { (object.map { "\(ObjectLabel.title(of: $0)): " } ?? "") + $0 }
        }
    }

    /// The mistake, and the limit that the value breaks: `pages is too large: the rule is SELF <= 3000. (1610)`.
    static func text(of error: NSError) -> String {
        var text = error.localizedDescription
        let phrase = " breaks the rule "
        if !text.contains(phrase), let reason = error.localizedFailureReason, let range = reason.range(of: phrase) {
            if text.hasSuffix(".") { text.removeLast() }
            text += ": the rule is \(reason[range.upperBound...])"
        }
        return "\(text) (\(error.code))"
    }
}
