import OpenCoreData
import Synchronization

/// The output and error streams of the process.
enum StandardStreams {
    private static let pending = Mutex(Data())
    private static let bufferSize = 65_536

    /// Ignores SIGPIPE, so that a closed pipe is a write error and doesn't end the process: otherwise SQLite's
    /// temporary files would remain beside the store.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Has Control-C, or a request to end, run a body first. The process ends without it after two seconds.
    ///
    /// - Returns: what waits for the signals while it exists.
    static func atEnd(_ body: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                DispatchQueue.global().async {
                    body()
                    _exit(0)
                }
                DispatchQueue.global().asyncAfter(deadline: .now() + 2) { _exit(0) }
            }
            source.resume()
            return source
        }
    }

    /// Prints a line. It is buffered until ``flush()``.
    static func output(_ line: String) throws {
        let isFull = pending.withLock { pending in
            pending.append(contentsOf: line.utf8)
            pending.append(10)
            return pending.count >= bufferSize
        }
        if isFull { try flush() }
    }

    /// Prints a line of text from a file, without characters that control a terminal.
    static func outputText(_ line: String) throws {
        try output(TerminalText.visible(line))
    }

    /// Writes the buffered lines.
    static func flush() throws {
        let data = pending.withLock { pending in
            defer { pending = Data() }
            return pending
        }
        guard !data.isEmpty else { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: data)
        } catch {
            throw OutputError(cause: error as NSError)
        }
    }

    /// Whether errors appear on a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static func error(_ line: String) {
        // An error that can't be printed is ignored.
        try? FileHandle.standardError.write(contentsOf: Data((TerminalText.visible(line) + "\n").utf8))
    }
}

/// The error of output that can't be written.
struct OutputError: LocalizedError {
    let cause: NSError

    /// Whether the reader closed the pipe, as `head` does.
    var isPipeClosed: Bool {
        let posix = cause.domain == NSPOSIXErrorDomain ? cause : cause.userInfo[NSUnderlyingErrorKey] as? NSError
        return posix?.domain == NSPOSIXErrorDomain && posix?.code == Int(EPIPE)
    }

    var errorDescription: String? {
        let posix = cause.userInfo[NSUnderlyingErrorKey] as? NSError ?? cause
        return "The output couldn't be written: \(posix.localizedDescription)"
    }
}

/// One line of text for an error, with the details from its `userInfo`.
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

/// An error of the command itself. Its text is a sentence with the remedy.
struct CommandError: LocalizedError {
    let errorDescription: String?

    init(_ text: String) {
        errorDescription = text
    }
}
