// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The output of the tool: results on standard output, messages on standard error.
enum Output {
    /// Makes a closed pipe a failed write.
    static func prepare() { signal(SIGPIPE, SIG_IGN) }

    /// Prints a result.
    ///
    /// - Returns: the exit code: 0, or 1 if the output can't be written.
    static func print(_ text: String) -> Int32 {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
            return 0
        } catch {
            let cause = error as NSError
            let posix = cause.userInfo[NSUnderlyingErrorKey] as? NSError ?? cause
            report(CompilerDiagnostic(.error, path: nil, "the output can't be written: \(posix.localizedDescription)"))
            return 1
        }
    }

    /// Prints a message. The exit code says what happened also when the message can't be printed.
    static func report(_ message: CompilerDiagnostic) {
        try? FileHandle.standardError.write(contentsOf: Data((message.description + "\n").utf8))
    }

    /// Prints messages.
    ///
    /// - Returns: true if no message is an error.
    static func report(_ messages: [CompilerDiagnostic]) -> Bool {
        messages.forEach(report)
        return !messages.contains { $0.severity == .error }
    }
}
