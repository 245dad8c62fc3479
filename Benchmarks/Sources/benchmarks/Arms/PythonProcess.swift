import CoreData

/// A Python process that does SQLAlchemy's part: one line of JSON is a request, one line the answer.
final class PythonProcess {
    private struct Request: Encodable {
        let workload: String
        let file: String
        let rows: Int
    }

    private struct Answer: Decodable {
        let version: String?
        let error: String?
        let wall: Double?
        let processor: Double?
        let checksum: Int64?
    }

    let version: String
    private let process = Process()
    private let input: FileHandle
    private let output: FileHandle
    private var unread = Data()

    init(executable: String) throws {
        guard let script = Bundle.module.url(forResource: "sqlalchemy_arms", withExtension: "py") else {
            throw BenchmarkError("sqlalchemy_arms.py is missing")
        }
        let (inputPipe, outputPipe) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [executable, script.path]
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        input = inputPipe.fileHandleForWriting
        output = outputPipe.fileHandleForReading
        let first = try Self.answer(output, &unread)
        guard let first, let version = first.version else {
            throw BenchmarkError("\(executable) doesn't have SQLAlchemy 2")
        }
        self.version = version
    }

    deinit {
        // The script ends when there is no more to read.
        try? input.close()
        process.waitUntilExit()
    }

    /// Opens the file and fetches what is to be changed, which isn't measured.
    func prepare(_ workload: String, file: URL, rows: Int) throws {
        try send(Request(workload: workload, file: file.path, rows: rows))
    }

    /// Does the work; answers the times that Python measured.
    func run() throws -> Outcome {
        try input.write(contentsOf: Data("run\n".utf8))
        let answer = try received()
        guard let wall = answer.wall, let processor = answer.processor else {
            throw BenchmarkError("SQLAlchemy answers no times")
        }
        return Outcome(answer.checksum, time: Time(wall: wall, processor: processor))
    }

    private func send(_ request: Request) throws {
        try input.write(contentsOf: try JSONEncoder().encode(request) + Data("\n".utf8))
        _ = try received()
    }

    private func received() throws -> Answer {
        guard let answer = try Self.answer(output, &unread) else { throw BenchmarkError("Python ended") }
        if let error = answer.error { throw BenchmarkError("SQLAlchemy: \(error)") }
        return answer
    }

    private static func answer(_ output: FileHandle, _ unread: inout Data) throws -> Answer? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[unread.index(after: end)...]) }
                return try JSONDecoder().decode(Answer.self, from: unread[..<end])
            }
            let more = output.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }
}

extension Arm {
    /// SQLAlchemy's arm of a workload, on a file that the closure makes.
    static func sqlalchemy(_ workload: String, file: @escaping (Stage, Int) throws -> URL) -> Arm {
        Arm(python) { stage, rows in
            guard let process = stage.python else { throw BenchmarkError("SQLAlchemy is missing") }
            try process.prepare(workload, file: try file(stage, rows), rows: rows)
            return Measured { try process.run() }
        }
    }
}
