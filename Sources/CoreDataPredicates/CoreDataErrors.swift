// SPDX-License-Identifier: Apache-2.0

/// Makes the errors of the framework. No other file makes one: each has a description and a failure reason, and, where
/// there is a remedy, a recovery suggestion.
///
/// `print(error)` shows the failure reason on Linux, and `"(null)"` for an error that has none.
package enum CoreDataErrors {
    /// The key in `userInfo` for the name of the property of a fetch request that a store can't use.
    package static let requestPropertyKey = "requestProperty"

    /// An error in `NSCocoaErrorDomain` whose localized description is description, reason and suggestion.
    ///
    /// - Parameters:
    ///   - code: Apple's code.
    ///   - description: what failed, in one sentence.
    ///   - reason: why it failed, in one sentence.
    ///   - suggestion: what to do about it.
    ///   - userInfo: further keys.
    package static func error(
        _ code: Int, _ description: String, reason: String, suggestion: String? = nil, userInfo: [String: Any] = [:]
    ) -> NSError {
        error(
            code, message: [description, reason, suggestion].compactMap { $0 }.joined(separator: " "), reason: reason,
            suggestion: suggestion, userInfo: userInfo)
    }

    /// An error with the given text as its localized description.
    ///
    /// - Parameters:
    ///   - code: Apple's code.
    ///   - message: the localized description: what failed and why.
    ///   - reason: why it failed.
    ///   - suggestion: what to do about it.
    ///   - domain: the domain of the code.
    ///   - userInfo: further keys.
    package static func error(
        _ code: Int, message: String, reason: String, suggestion: String? = nil, domain: String = NSCocoaErrorDomain,
        userInfo: [String: Any] = [:]
    ) -> NSError {
        NSError(domain: domain, code: code, userInfo: completed(userInfo, message, reason, suggestion))
    }

    /// The same as a `CocoaError`.
    package static func cocoaError(
        _ code: CocoaError.Code, message: String, reason: String, suggestion: String? = nil,
        userInfo: [String: Any] = [:]
    ) -> CocoaError {
        CocoaError(code, userInfo: completed(userInfo, message, reason, suggestion))
    }

    /// An error with further keys. It gets a description and a failure reason if it lacks them.
    package static func adding(_ userInfo: [String: Any], to error: NSError) -> NSError {
        NSError(
            domain: error.domain, code: error.code,
            userInfo: completed(
                error.userInfo.merging(userInfo) { _, added in added }, error.localizedDescription, reason(of: error),
                error.localizedRecoverySuggestion))
    }

    /// A copy of an error in which the values of some keys are replaced.
    package static func replacing(_ userInfo: [String: Any], in error: NSError) -> NSError {
        NSError(
            domain: error.domain, code: error.code, userInfo: error.userInfo.merging(userInfo) { _, other in other })
    }

    /// The reason of an error that any framework has made.
    package static func reason(of error: any Error) -> String {
        let error = error as NSError
        return error.localizedFailureReason ?? error.localizedDescription
    }

    private static func completed(
        _ userInfo: [String: Any], _ message: String, _ reason: String, _ suggestion: String?
    ) -> [String: Any] {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = message
        info[NSLocalizedFailureReasonErrorKey] = reason
        if let suggestion { info[NSLocalizedRecoverySuggestionErrorKey] = suggestion }
        if let underlying = info[NSUnderlyingErrorKey] as? any Error,
            (underlying as NSError).localizedFailureReason == nil
        {
            info[NSUnderlyingErrorKey] = adding([:], to: underlying as NSError)
        }
        return info
    }
}
