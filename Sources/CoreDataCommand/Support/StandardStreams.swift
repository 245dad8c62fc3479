// SPDX-License-Identifier: Apache-2.0

import OpenCoreData
import Synchronization

/// The output and error streams of the process.
enum StandardStreams {
    private static let pending = Locked(Data())
    private static let bufferSize = 65_536

    /// Ignores SIGPIPE, so that a closed pipe is a write error and doesn't end the process: otherwise SQLite's
    /// temporary files would remain beside the store.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// The end of a pipe into which the handler of a signal writes; -1 without a handler.
    private static let signalPipe = Atomic<Int32>(-1)

    /// Removes the unfinished files of a migration or a copy at Control-C, or at a request to end.
    static func removeUnfinishedFilesAtEnd() throws { try atEnd(isInterruption: true) { MigrationLock.abandon() } }

    /// Runs a body at Control-C, or at a request to end, before the process ends. The process ends without it after two
    /// seconds.
    ///
    /// - Parameters:
    ///   - isInterruption: whether the exit code says that the signal has ended the process, as shells have it.
    ///   - body: what is done before the end.
    ///
    /// A signal that comes when this function has returned is never lost: the handler is in place at once, and leaves a
    /// byte for the thread that waits. That thread receives the signals even if the process was started with these
    /// blocked.
    static func atEnd(isInterruption: Bool = false, _ body: @escaping @Sendable () -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandError("Signals can't be received: \(String(cString: strerror(errno))).")
        }
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        let reader = ends[0]
        let numbers = [SIGINT, SIGTERM]
        Thread.detachNewThread {
            var received = sigset_t()
            sigemptyset(&received)
            for number in numbers { sigaddset(&received, number) }
            pthread_sigmask(SIG_UNBLOCK, &received, nil)
            var byte: UInt8 = 0
            // A signal interrupts the wait.
            while read(reader, &byte, 1) < 0, errno == EINTR {}
            let code = isInterruption ? 128 + Int32(byte) : 0
            DispatchQueue.global().asyncAfter(deadline: .now() + 2) { _exit(code) }
            body()
            _exit(code)
        }
        for number in numbers {
            signal(number) { number in
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(StandardStreams.signalPipe.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = error
            }
        }
    }

    /// The bytes that a stream has, at most 64 KiB; waits for the first one. Empty at the end, and after an error.
    /// `FileHandle.read(upToCount:)` waits for all of them.
    static func available(_ handle: FileHandle) -> Data {
        var data = Data(count: 65_536)
        let count = data.withUnsafeMutableBytes { bytes in
            var count = read(handle.fileDescriptor, bytes.baseAddress, bytes.count)
            while count < 0, errno == EINTR { count = read(handle.fileDescriptor, bytes.baseAddress, bytes.count) }
            return count
        }
        return data.prefix(max(0, count))
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

    /// The columns of the terminal on which output appears; nil for a file or a pipe.
    static var outputWidth: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether errors appear on a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether the user can be asked: standard input and standard error are a terminal.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isErrorTerminal }

    /// Asks a question on the terminal, whose answer is yes or no.
    static func ask(_ question: String) -> Bool {
        try? FileHandle.standardError.write(contentsOf: Data("\(TerminalText.visible(question)) [y/N] ".utf8))
        return ["y", "yes"].contains((readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Prints several lines of this program.
    static func errorText(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

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
