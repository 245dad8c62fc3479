import CoreData

#if canImport(Glibc)
    import Glibc
#endif

/// A run of the command on a new terminal, whose width is known.
struct TerminalRun {
    let status: Int32
    /// The text of the terminal: output and errors.
    let text: String

    /// - Parameters:
    ///   - width: the columns of the terminal.
    ///   - input: the text that is typed.
    init(_ arguments: [String], width: UInt16 = 80, input: String = "") async throws {
        // Foundation has no calls for terminals, so the device is asked by the numbers of Linux.
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        var lock: Int32 = 0
        guard main >= 0, ioctl(main, 0x4004_5431, &lock) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
            throw TestFailure("There is no terminal: \(String(cString: strerror(errno))).")
        }
        let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(main, UInt(TIOCSWINSZ), &size)
        let terminal = FileHandle(fileDescriptor: other, closeOnDealloc: false)
        let process = Process()
        process.executableURL = CommandRun.executable
        process.arguments = arguments
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        Data(input.utf8).withUnsafeBytes { _ = write(main, $0.baseAddress, $0.count) }
        let ending: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        status = ending
        // A terminal keeps more than these tests print, until its other side is closed.
        close(other)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var count = read(main, &buffer, buffer.count)
        while count > 0 {
            bytes += buffer.prefix(count)
            count = read(main, &buffer, buffer.count)
        }
        text = String(decoding: bytes, as: UTF8.self)
        close(main)
    }

    var lines: [String] { text.components(separatedBy: "\r\n") }
}
