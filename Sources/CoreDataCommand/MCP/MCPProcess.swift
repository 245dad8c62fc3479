// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A call of a tool: this program with a verb, as a process that can be ended at any time, and whose end ends nothing
/// else.
final class MCPProcess: Sendable {
    struct Limits: Sendable {
        let seconds: Int
        /// The most bytes of output.
        let bytes: Int
    }

    struct Result {
        let status: Int32
        let output: String
        let errors: String
        /// Whether there was more output.
        let isCut: Bool
        let isLate: Bool
    }

    private struct State {
        var process: Process?
        var isEnded = false
    }

    private let state = Locked(State())

    /// Ends the call.
    func end() {
        let process = state.withLock { state in
            state.isEnded = true
            return state.process
        }
        process?.terminate()
    }

    /// Runs the program, until it ends or a limit is reached.
    ///
    /// - Throws: an error if the program can't be started, and `CancellationError` if the call was ended before.
    func run(_ program: URL, _ call: MCPTool.Call, _ limits: Limits) throws -> Result {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = call.arguments
        process.standardOutput = output
        process.standardError = errors
        let input = call.input.map { _ in Pipe() }
        process.standardInput = input ?? FileHandle.nullDevice
        try state.withLock { state in
            guard !state.isEnded else { throw CancellationError() }
            try process.run()
            state.process = process
        }
        let isLate = Locked(false)
        let timer = DispatchWorkItem {
            isLate.withLock { $0 = true }
            process.terminate()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limits.seconds), execute: timer)
        defer { timer.cancel() }
        // The program may write while it reads.
        if let input, let text = call.input {
            Thread.detachNewThread {
                try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
                try? input.fileHandleForWriting.close()
            }
        }
        let failure = Locked(Data())
        let reading = DispatchGroup()
        reading.enter()
        Thread.detachNewThread {
            let text = Self.read(errors.fileHandleForReading, atMost: 20_000).data
            failure.withLock { $0 = text }
            reading.leave()
        }
        let (data, isCut) = Self.read(output.fileHandleForReading, atMost: limits.bytes) { process.terminate() }
        process.waitUntilExit()
        reading.wait()
        return Result(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
            errors: String(decoding: failure.withLock { $0 }, as: UTF8.self), isCut: isCut,
            isLate: isLate.withLock { $0 })
    }

    /// Reads to the end, and keeps no more than the limit. The closure is called when there is more.
    private static func read(_ handle: FileHandle, atMost limit: Int, _ more: () -> Void = {}) -> (
        data: Data, isCut: Bool
    ) {
        var (data, isCut) = (Data(), false)
        while case let part = StandardStreams.available(handle), !part.isEmpty {
            let rest = limit - data.count
            data.append(part.prefix(rest))
            guard part.count > rest, !isCut else { continue }
            isCut = true
            more()
        }
        return (data, isCut)
    }
}
