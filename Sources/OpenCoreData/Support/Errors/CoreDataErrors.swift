/// Makes the errors of the framework: each has a description and a failure reason, and, where there is a remedy, a
/// recovery suggestion.
enum CoreDataErrors {
    /// An error in `NSCocoaErrorDomain`.
    ///
    /// - Parameters:
    ///   - code: Apple's code.
    ///   - description: what failed, in one sentence.
    ///   - reason: why it failed, in one sentence.
    ///   - suggestion: what to do about it.
    ///   - userInfo: further keys.
    static func error(
        _ code: Int, _ description: String, reason: String, suggestion: String? = nil, userInfo: [String: Any] = [:]
    ) -> NSError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = [description, reason, suggestion].compactMap { $0 }.joined(separator: " ")
        info[NSLocalizedFailureReasonErrorKey] = reason
        if let suggestion { info[NSLocalizedRecoverySuggestionErrorKey] = suggestion }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }
}
