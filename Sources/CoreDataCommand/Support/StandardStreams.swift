import OpenCoreData
import Synchronization

/// Lines to the process's output and error streams.
enum StandardStreams {
    private static let pending = Mutex(Data())
    private static let bufferSize = 65_536

    /// Has a reader that went away be an error of writing, not the end of the process: the store must be closed first,
    /// or SQLite's side files stay beside it.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Prints a line; it may wait for others until ``flush()``.
    static func output(_ line: String) throws {
        let isFull = pending.withLock { pending in
            pending.append(contentsOf: line.utf8)
            pending.append(10)
            return pending.count >= bufferSize
        }
        if isFull { try flush() }
    }

    /// Prints a line of text that a file holds, made harmless for a terminal.
    static func outputText(_ line: String) throws {
        try output(TerminalText.visible(line))
    }

    /// Writes what waits.
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

    static func error(_ line: String) {
        // Where nobody can be told, nobody is.
        try? FileHandle.standardError.write(contentsOf: Data((TerminalText.visible(line) + "\n").utf8))
    }
}

/// The output could not be written.
struct OutputError: LocalizedError {
    let cause: NSError

    /// Whether the reader had enough, as `head` has.
    var isReaderGone: Bool {
        let posix = cause.domain == NSPOSIXErrorDomain ? cause : cause.userInfo[NSUnderlyingErrorKey] as? NSError
        return posix?.domain == NSPOSIXErrorDomain && posix?.code == Int(EPIPE)
    }

    var errorDescription: String? {
        let posix = cause.userInfo[NSUnderlyingErrorKey] as? NSError ?? cause
        return "The output couldn't be written: \(posix.localizedDescription)"
    }
}
