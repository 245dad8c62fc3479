import CoreDataModel

/// Processes mutants one after the other, in a process that may crash.
struct Worker {
    /// The stack size of a thread in a typical program.
    private static let stackSize = 512 << 10

    let kind: any InputKind
    let options: Options

    /// Runs on a thread with a small stack, to find recursion that is too deep.
    func run(progress url: URL) throws {
        let mutator = try Mutator(kind, seed: options.seed)
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        let failure = try SmallThread.run(stackSize: Self.stackSize) {
            try work(mutator, file)
        }
        if let failure { throw failure }
    }

    private func work(_ mutator: Mutator, _ file: FileHandle) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var progress = Progress()
        for number in options.first..<(options.first + options.count) {
            progress.number = number
            try progress.write(to: file)
            let mutant = try mutator.mutant(number)
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                switch try kind.take(mutant, in: folder, number: number) {
                case .accepted: progress.accepted += 1
                case .refused: progress.refused += 1
                }
            } catch {
                // One line for each defect: the run counts the lines.
                let text = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
                print("finding \(number) \(text.prefix(600))")
                fflush(nil)
            }
        }
        progress.number = options.first + options.count
        try progress.write(to: file)
    }
}

/// A thread with a stack of a given size.
enum SmallThread {
    private final class Result: @unchecked Sendable {
        // Safe: the thread writes it before the signal, and this thread reads it after the signal.
        var failure: (any Error)?
    }

    private struct Body: @unchecked Sendable {
        // Safe: one thread runs the body while the other one waits.
        let run: () throws -> Void
    }

    /// - Returns: the error of the body.
    static func run(stackSize: Int, _ body: @escaping () throws -> Void) throws -> (any Error)? {
        let result = Result()
        let body = Body(run: body)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try body.run() } catch { result.failure = error }
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        return result.failure
    }
}
