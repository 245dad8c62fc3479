import OpenCoreData

/// One line of text for an error, with what Core Data says in `userInfo`.
enum ErrorReport {
    static func text(for error: any Error) -> String {
        if error is CommandError || error is OutputError { return error.localizedDescription }
        let error = error as NSError
        var text = error.localizedDescription
        for key in [
            NSLocalizedFailureReasonErrorKey, "reason", NSLocalizedRecoverySuggestionErrorKey,
            NSDebugDescriptionErrorKey,
        ] {
            if let detail = error.userInfo[key] as? String, !text.contains(detail) { text += " \(detail)" }
        }
        if let path = path(in: error), !text.contains(path) { text += " [\(path)]" }
        return "\(text) (\(error.domain) \(error.code))"
    }

    private static func path(in error: NSError) -> String? {
        error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
    }
}
