import CoreData

@main
struct Benchmarks {
    static func main() {
        do {
            try run(Options(arguments: Array(CommandLine.arguments.dropFirst())))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        if options.showsHelp { return print(Options.help) }
        let workloads = try Workloads.named(options.workload)
        if options.listsNames {
            return print(workloads.filter(\.measuresResources).map(\.name).joined(separator: "\n"))
        }
        if options.lists { return list(workloads) }
        let folder =
            options.folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("OpenCoreData-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let child = options.child {
            let exact = workloads.first { $0.name == options.workload }
            guard let exact else { throw BenchmarkError("--child needs the whole name of a workload") }
            return try Runner(stage: Stage(folder: folder), options: options).runAsChild(child, exact)
        }
        defer { if options.folder == nil { try? FileManager.default.removeItem(at: folder) } }
        if options.scaling {
            return try Scaling(stage: Stage(folder: folder), options: options).run()
        }
        let runner = Runner(stage: Stage(folder: folder, python: python(options)), options: options)
        var results: [WorkloadResult] = []
        for workload in workloads {
            let result = try runner.run(workload)
            ConsoleReport.print(result)
            // A report that goes to a file is there part by part, too.
            fflush(nil)
            results.append(result)
        }
        ConsoleReport.printSummary(results)
        if let document = options.document {
            try MarkdownReport(results: results, options: options).write(to: URL(fileURLWithPath: document))
            print("wrote \(document)")
        }
    }

    private static func list(_ workloads: [Workload]) {
        for group in Workload.Group.allCases {
            let members = workloads.filter { $0.group == group }
            if members.isEmpty { continue }
            print(group.rawValue)
            for workload in members {
                print("  \(workload.name): \(workload.title(rows: workload.rows))")
                print("      \(workload.arms.map(\.name).joined(separator: "; "))")
            }
        }
    }

    private static func python(_ options: Options) -> PythonProcess? {
        do {
            let process = try PythonProcess(executable: options.python)
            print("SQLAlchemy \(process.version)")
            return process
        } catch {
            print("SQLAlchemy's arms are left out: \(error). 'pip install sqlalchemy' adds them.")
            return nil
        }
    }
}
