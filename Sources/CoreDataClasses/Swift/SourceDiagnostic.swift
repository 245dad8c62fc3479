/// What is wrong with a source, in the form of the compiler's messages.
package struct SourceDiagnostic: Error, Equatable, Sendable, CustomStringConvertible {
    package let path: String
    /// Both count from 1.
    package let line: Int
    package let column: Int
    package let message: String

    package init(path: String, line: Int, column: Int, message: String) {
        self.path = path
        self.line = line
        self.column = column
        self.message = message
    }

    /// `path:line:column: error: message`.
    package var description: String { "\(path):\(line):\(column): error: \(message)" }
}

/// All that is wrong with the sources of a module, by file and line.
package struct SourceDiagnostics: Error, Sendable, CustomStringConvertible {
    package let all: [SourceDiagnostic]

    package init(_ all: [SourceDiagnostic]) {
        self.all = all
    }

    package var description: String { all.map(\.description).joined(separator: "\n") }
}
