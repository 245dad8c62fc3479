import CoreData

@main
struct Benchmarks {
    static func main() throws {
        do {
            try run(Options(arguments: Array(CommandLine.arguments.dropFirst())))
        } catch let error as BenchmarkError {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    static func run(_ options: Options) throws {
        let all: [any Arm] = [
            RawSQLiteArm(), CoreDataTypedArm(), CoreDataKeyValueArm(), GRDBRecordArm(), GRDBStructArm(),
        ]
        let arms = all.filter { arm in options.arm.map { arm.name.localizedCaseInsensitiveContains($0) } ?? true }
        let parses = options.arm.map { ParseTimes.name.localizedCaseInsensitiveContains($0) } ?? true
        let measuresMemory = options.arm.map { BatchMemory.name.localizedCaseInsensitiveContains($0) } ?? true
        let paired = [BatchTimes.name, HistoryTimes.name, MigrationTimes.name, MappedMigration.name].filter { name in
            options.arm.map { name.localizedCaseInsensitiveContains($0) } ?? true
        }
        guard !arms.isEmpty || parses || measuresMemory || !paired.isEmpty else {
            let names =
                all.map(\.name) + [
                    ParseTimes.name, BatchMemory.name, BatchTimes.name, HistoryTimes.name, MigrationTimes.name,
                    MappedMigration.name,
                ]
            throw BenchmarkError("no arm is named so; there are \(names.joined(separator: ", "))")
        }
        if parses { for line in ParseTimes.lines(rounds: options.rounds) { print(line) } }
        guard !arms.isEmpty || measuresMemory || !paired.isEmpty else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "OpenCoreData-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        if measuresMemory {
            let url = folder.appendingPathComponent("memory.sqlite")
            for line in try BatchMemory.lines(at: url, count: options.fetched) { print(line) }
        }
        if paired.contains(BatchTimes.name) {
            try BatchTimes(folder: folder, count: options.batched, rounds: options.rounds).printLines()
        }
        if paired.contains(HistoryTimes.name) {
            try HistoryTimes(folder: folder, count: options.inserted, rounds: options.rounds).printLines()
        }
        if paired.contains(MigrationTimes.name) {
            try MigrationTimes(folder: folder, count: options.batched, rounds: options.rounds).printLines()
        }
        if paired.contains(MappedMigration.name) {
            try MappedMigration(folder: folder, count: options.batched).printLines()
        }
        guard !arms.isEmpty else { return }

        let insert = Comparison(
            title: "insert \(options.inserted) objects of \(Workload.columnCount) integers and save",
            arms: arms, rounds: options.rounds, expected: Workload.sum(rows: options.inserted)
        ) { arm in
            try arm.prepareInsert(
                at: folder.appendingPathComponent("\(UUID().uuidString).sqlite"), count: options.inserted)
        }
        for line in try insert.lines() { print(line) }

        var files: [String: URL] = [:]
        for arm in arms {
            let url = folder.appendingPathComponent("fetch-\(files.count).sqlite")
            _ = try arm.prepareInsert(at: url, count: options.fetched).run()
            files[arm.name] = url
        }
        let fetch = Comparison(
            title: "fetch \(options.fetched) objects of \(Workload.columnCount) integers and read every property",
            arms: arms, rounds: options.rounds, expected: Workload.sum(rows: options.fetched)
        ) { arm in
            guard let url = files[arm.name] else { throw BenchmarkError("\(arm.name) has no file") }
            return try arm.prepareFetch(at: url)
        }
        for line in try fetch.lines() { print(line) }
    }
}
