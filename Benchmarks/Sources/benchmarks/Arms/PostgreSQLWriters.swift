import CoreData

/// Processes that save at once, each one object at a time, and `pgbench` with the statements of such a save.
enum PostgreSQLWriters {
    static let count = 16

    /// The work of one of the processes: says that it is ready, waits for a line, and saves.
    static func runChild(schema: String, saves: Int) throws {
        let stack = try PostgreSQLDatabase.stack(schema: schema)
        // The first save of a process also connects and prepares its statements. pgbench's connections aren't counted.
        let first = Reading(context: stack.context)
        try stack.context.save()
        stack.context.delete(first)
        try stack.context.save()
        try FileHandle.standardOutput.write(contentsOf: Data("ready\n".utf8))
        _ = readLine()
        for row in 0..<saves {
            Reading(context: stack.context).setAll(row: row)
            try stack.context.save()
        }
    }

    /// Starts the processes, and lets them save when it is measured.
    static func processes(_ stage: Stage, schema: String, saves: Int) throws -> Measured {
        let writers = try (0..<count).map { _ in try Writer(stage, schema: schema, saves: saves / count) }
        for writer in writers { try writer.waitUntilReady() }
        return Measured {
            for writer in writers { try writer.start() }
            for writer in writers { try writer.finish() }
            return Outcome(nil)
        }
    }

    private final class Writer {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(_ stage: Stage, schema: String, saves: Int) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [
                "--child", "writer", "--workload", "postgresql-writers", "--rows", "\(saves)", "--schema", schema,
                "--folder", stage.folder.path,
            ]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        func waitUntilReady() throws {
            guard !output.fileHandleForReading.availableData.isEmpty else { throw BenchmarkError("a writer fails") }
        }

        func start() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

        func finish() throws {
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw BenchmarkError("a writer fails") }
        }
    }

    // MARK: pgbench

    /// The statements of a save in the same round trips: the transaction begins, the model is checked, and the row is
    /// inserted; then the transaction ends.
    private static func script(schema: String, entity: Int64) -> String {
        let columns = 0..<ReadingValues.columnCount
        let values = columns.map { "\\set value\($0) :number * \($0 * $0 + 1) - \($0)" }
        let parameters = (["key", "version"] + columns.map { "value\($0)" }).map { "ARRAY[:\($0)]" }
        return """
            \\set number :number + 1
            \\set key :client_id * 1000000 + :number
            \(values.joined(separator: "\n"))
            \\startpipeline
            BEGIN;
            LOCK TABLE \(schema).z_modelcache IN ACCESS SHARE MODE;
            SELECT pg_current_xact_id()::text, \
            (SELECT EXISTS(SELECT 1 FROM \(schema).z_modelcache WHERE z_number = 1)::integer)::text;
            \(RawServerConnection.insertion(schema: schema, entity: entity, parameters));
            \\endpipeline
            COMMIT;

            """
    }

    static func pgbench(_ stage: Stage, schema: String, transactions: Int) throws -> Measured {
        let entity = try RawServerConnection().readingEntity(schema: schema)
        return try pgbench(stage, script(schema: schema, entity: entity), clients: count, transactions: transactions)
    }

    /// Runs a script of `pgbench`.
    static func pgbench(_ stage: Stage, _ script: String, clients: Int, transactions: Int) throws -> Measured {
        let file = stage.folder.appendingPathComponent("script.pgbench")
        try script.write(to: file, atomically: true, encoding: .utf8)
        return Measured {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "pgbench", "--no-vacuum", "--protocol", "prepared", "--client", "\(clients)", "--jobs", "2",
                "--transactions", "\(transactions / clients)", "--define", "number=0", "--define", "version=1",
                "--file", file.path, PostgreSQLDatabase.server ?? "",
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0, let rate = text.firstMatch(of: /tps = ([0-9.]+)/),
                let perSecond = Double(rate.1)
            else { throw BenchmarkError("pgbench fails: \(text)") }
            let seconds = Double(transactions / clients * clients) / perSecond
            return Outcome(nil, time: Time(wall: seconds, processor: seconds))
        }
    }
}
