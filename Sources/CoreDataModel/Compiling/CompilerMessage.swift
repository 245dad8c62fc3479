/// A message of the model compiler, as compilers print it: `path:line:column: warning: text`.
package struct CompilerMessage: Equatable, Sendable, CustomStringConvertible {
    package let severity: ModelFinding.Severity
    /// The file concerned; nil where the tool itself is.
    package let path: String?
    package let line: Int?
    /// The column in that line, where it is known.
    package let column: Int?
    /// The sentence, without a full stop.
    package let text: String

    package init(_ severity: ModelFinding.Severity, path: String?, line: Int? = nil, column: Int? = nil, _ text: String)
    {
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.text = text
    }

    /// A finding about a model in a file.
    package init(_ finding: ModelFinding, path: String) {
        self.init(finding.severity, path: path, line: finding.line, finding.message)
    }

    /// An error that was thrown, with the file, the line and the reason that it names.
    ///
    /// - Parameter path: the file where the error names none.
    package init(_ error: any Error, path: String) {
        let userInfo = (error as? CocoaError)?.userInfo ?? (error as NSError).userInfo
        // A reason is the message without the file, which stands in front here.
        let reason =
            userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? userInfo[NSDebugDescriptionErrorKey] as? String
            ?? userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
        self.init(
            .error, path: userInfo[NSFilePathErrorKey] as? String ?? path,
            line: (userInfo[ModelFileError.lineKey] as? NSNumber)?.intValue,
            column: (userInfo[ModelFileError.columnKey] as? NSNumber)?.intValue,
            reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
    }

    package var description: String {
        let position = [line, line == nil ? nil : column].compactMap { $0 }.map { ":\($0)" }.joined()
        let place = path.map { $0 + position } ?? "momc"
        return MessageText.oneLine("\(place): \(severity.rawValue): \(text)")
    }
}
