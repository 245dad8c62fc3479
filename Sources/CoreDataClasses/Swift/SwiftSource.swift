/// A Swift source file: its text, and its path for messages.
package struct SwiftSource: Sendable {
    /// The path for messages and `#sourceLocation`.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// Reads a file.
    ///
    /// - Throws: `CocoaError` if the file can't be read or isn't valid UTF-8.
    package init(contentsOf url: URL) throws {
        let data = try Data(contentsOf: url)
        guard let text = String(validating: data, as: UTF8.self) else {
            let reason = "the source file is not valid UTF-8. Save it as UTF-8."
            throw CoreDataErrors.cocoaError(
                .fileReadInapplicableStringEncoding, message: "\(url.path): \(reason)", reason: reason,
                userInfo: [NSFilePathErrorKey: url.path])
        }
        self.init(path: url.path, text: text)
    }

    /// The file's name without folder.
    package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether the file may contain declarations that need preparation. A fast search in the text.
    package var mentionsManagedObjects: Bool {
        text.contains("NSManaged") || text.contains("@objc") || text.contains("#keyPath") || text.contains("#selector")
    }
}

/// The sources of an imported module. They are read when a type is looked up in them.
package struct DependencySources: Sendable {
    package let module: String
    package let sources: [SwiftSource]

    package init(module: String, sources: [SwiftSource]) {
        self.module = module
        self.sources = sources
    }
}

/// An error or a warning in a source, in the form of the compiler's messages.
package struct SourceDiagnostic: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable { case error, warning }

    package let severity: Severity
    package let path: String
    /// Both count from 1.
    package let line: Int
    package let column: Int
    package let message: String

    package init(_ severity: Severity = .error, path: String, line: Int, column: Int, message: String) {
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

extension SwiftName {
    /// A name in source form, in backticks if it needs them. Any text can be a name in backticks.
    static func spelled(_ name: String) -> String { isIdentifier(name) ? escaped(name) : "`\(name)`" }

    /// The name with `_` in place of characters that aren't allowed in identifiers, for parts of longer names.
    static func part(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }

    /// Text as a string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 32 || scalar.value == 127 {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
