// SPDX-License-Identifier: Apache-2.0

/// A diagnostic of the model compiler in the format of compilers: `path:line:column: warning: text`.
package struct CompilerDiagnostic: Equatable, Sendable, CustomStringConvertible {
    package let severity: ModelFinding.Severity
    /// The file concerned; nil for a diagnostic about the tool.
    let path: String?
    package let line: Int?
    /// The column in the line, if it is known.
    package let column: Int?
    /// A sentence without a full stop.
    package let text: String

    package init(_ severity: ModelFinding.Severity, path: String?, line: Int? = nil, column: Int? = nil, _ text: String)
    {
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.text = text
    }

    /// Creates a diagnostic for a finding about a model in a file.
    package init(_ finding: ModelFinding, path: String) {
        self.init(finding.severity, path: path, line: finding.line, finding.message)
    }

    /// Creates a diagnostic for a thrown error, with the file, line and reason that the error names.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - path: the file if the error names none.
    package init(_ error: any Error, path: String) {
        let userInfo = (error as? CocoaError)?.userInfo ?? (error as NSError).userInfo
        // The reason is the message without the file, which precedes it here.
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
        let location = path.map { $0 + position } ?? "momc"
        return MessageText.oneLine("\(location): \(severity.rawValue): \(text)")
    }
}
