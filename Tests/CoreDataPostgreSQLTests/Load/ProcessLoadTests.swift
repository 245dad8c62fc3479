import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Eight processes write one store. The test takes 4 seconds in the quick run and 60 in the long run;
/// `COREDATA_STRESS_SECONDS` sets another time.
@Suite("Eight processes that write one store", .enabled(if: TestServer.isPresent), .serialized)
struct ProcessLoadTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["COREDATA_STRESS_SECONDS"].flatMap(Double.init)
        ?? TestRun.quick(4, long: 60)

    @Test("lose nothing, write nothing twice, and don't wait for ever")
    func processes() async throws {
        let seed = TestRun.seed(for: "eight processes")
        let database = try TestDatabase()
        let url = database.url()
        try Bank.create(url)
        let folder = try TemporaryFolder()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [
                            text = url.absoluteString as String, path = folder.path("\(number)") as String,
                            number = number as Int, seconds = Self.seconds as Double, seed = seed as UInt64
                        ] in
                        let url = try requireValue(URL(string: text))
                        let report = try BankProcess(url, writer: number, seed: seed).run(seconds: seconds)
                        try JSONEncoder().encode(report).write(to: URL(fileURLWithPath: path))
                    }
                }
            }
        }
        var reports: [Int: BankProcess.Report] = [:]
        for number in 0..<8 {
            reports[number] = try JSONDecoder().decode(
                BankProcess.Report.self, from: Data(contentsOf: folder.file("\(number)")))
        }
        #expect(reports.values.allSatisfy { $0.saves > 0 }, "A process has starved.")
        let problems = try Bank.problems(url, reports)
        expectEmpty(problems, "\(problems.count): \(problems.prefix(10))")
        let defects = try PostgreSQLStoreCheck.defects(at: url, model: Bank.makeModel())
        expectEmpty(defects, "\(defects)")
        let sums = reports.values.reduce(into: (0, 0, 0)) {
            $0 = ($0.0 + $1.saves, $0.1 + $1.conflicts, $0.2 + $1.timeouts)
        }
        print("Eight processes: \(sums.0) saves happened in \(Self.seconds) s, \(sums.1) conflicts, \(sums.2) timeouts")
    }
}
