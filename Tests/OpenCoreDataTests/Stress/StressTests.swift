import OpenCoreData
import Testing

/// 16 writers and 16 readers on one file. Each test takes 3 seconds in the quick run and 60 in the long run;
/// `COREDATA_STRESS_SECONDS` sets another time.
@Suite("Writers and readers on one file", .serialized)
struct StressTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["COREDATA_STRESS_SECONDS"].flatMap(Double.init)
        ?? TestRun.quick(3, long: 60)

    private static func expect(_ path: String, _ report: StressLoad.Report, writers: Int) throws {
        expectEmpty(report.failures, "\(report.failures.prefix(5))")
        expectEqual(report.saves.count, writers, "a writer has starved: \(report.saves)")
        #expect(report.saves.values.allSatisfy { $0 > 0 }, "a writer has starved: \(report.saves)")
        #expect(report.reads > 0)
        try expectEqual(Ledger.problems(path, saves: report.saves), [])
        print(
            """
            Stress: \(report.saves.values.reduce(0, +)) saves, \(report.conflicts) tried again, \(report.reads) \
            reads in \(seconds) s
            """
        )
    }

    @Test("in one process no update is lost, no half save is seen, and nobody waits for ever")
    func threads() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("ledger.sqlite")
        try Ledger.create(path)
        let report = try StressLoad(path, coordinators: 4, seconds: Self.seconds).run(writers: 0..<16, readers: 16)
        try Self.expect(path, report, writers: 16)
    }

    @Test("nor in four processes")
    func processes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("ledger.sqlite")
        try Ledger.create(path)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String, number = number as Int, seconds = Self.seconds as Double] in
                        let load = try StressLoad(path, coordinators: 1, seconds: seconds)
                        let report = load.run(writers: number * 4..<number * 4 + 4, readers: 4)
                        try JSONEncoder().encode(report).write(to: URL(fileURLWithPath: "\(path).\(number)"))
                    }
                }
            }
        }
        var report = StressLoad.Report()
        for number in 0..<4 {
            report.add(
                try JSONDecoder().decode(
                    StressLoad.Report.self, from: Data(contentsOf: URL(fileURLWithPath: "\(path).\(number)"))))
        }
        try Self.expect(path, report, writers: 16)
    }
}
