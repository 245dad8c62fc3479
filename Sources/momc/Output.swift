import CoreDataModel

/// What the tool prints: answers on standard output, messages on standard error.
enum Output {
    static func print(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    static func tell(_ message: CompilerDiagnostic) {
        FileHandle.standardError.write(Data((message.description + "\n").utf8))
    }

    /// Prints all messages.
    ///
    /// - Returns: whether there is no error among them.
    static func tell(_ messages: [CompilerDiagnostic]) -> Bool {
        messages.forEach(tell)
        return !messages.contains { $0.severity == .error }
    }
}
