// SPDX-License-Identifier: Apache-2.0

/// An error or a warning in a source, in the form of the compiler's messages.
package struct SourceDiagnostic: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable { case error, warning }

    package let severity: Severity
    package let path: String
    /// Both count from 1.
    package let line: Int
    package let column: Int
    let message: String

    init(_ severity: Severity = .error, path: String, line: Int, column: Int, message: String) {
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }

    /// `path:line:column: error: message`.
    package var description: String { "\(path):\(line):\(column): \(severity): \(message)" }
}

/// The errors in the sources of a module, sorted by file and line.
package struct SourceDiagnostics: Error, Sendable, CustomStringConvertible {
    package let all: [SourceDiagnostic]

    package init(_ all: [SourceDiagnostic]) {
        self.all = all
    }

    package var description: String { all.map(\.description).joined(separator: "\n") }
}
