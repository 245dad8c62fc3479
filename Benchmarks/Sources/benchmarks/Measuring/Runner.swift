import CoreData
import Counters

/// Runs the arms of workloads.
struct Runner {
    let stage: Stage
    let options: Options

    /// SQLAlchemy takes so much longer than the others that more rounds of it would be most of a run.
    private static let pythonRounds = 2

    /// Every arm in turn, round by round, so that a disturbance of the machine affects all arms alike. Each round
    /// begins with another arm. The resources of each arm are then measured in a separate process.
    func run(_ workload: Workload) throws -> WorkloadResult {
        let rows = rows(of: workload)
        let arms = arms(of: workload)
        var result = WorkloadResult(
            workload: workload, rows: rows, clock: workload.clock ?? options.clock,
            arms: arms.map { WorkloadResult.ArmResult(name: $0.name, units: $0.units(rows)) })
        var checksums: [Int: (arm: String, sum: Int64)] = [:]
        for round in 0..<options.rounds {
            for offset in arms.indices {
                let index = (offset + round) % arms.count
                let arm = arms[index]
                if arm.name == Arm.python && round >= Self.pythonRounds { continue }
                let (time, sum) = try measure(arm, rows: rows)
                result.arms[index].times.append(time)
                guard let sum else { continue }
                let other = checksums[result.arms[index].units, default: (arm.name, sum)]
                guard other.sum == sum else {
                    throw BenchmarkError(
                        "\(workload.name): \(arm.name) answers \(sum), \(other.arm) answers \(other.sum)")
                }
                checksums[result.arms[index].units] = other
            }
        }
        guard options.measuresResources && workload.measuresResources else { return result }
        for (index, arm) in arms.enumerated() where arm.name != Arm.python {
            result.arms[index].resources = try resources(of: arm, workload, rows: rows)
        }
        return result
    }

    /// The times of one arm at one size, without other arms.
    func times(_ arm: Arm, rows: Int, rounds: Int) throws -> [Time] {
        try (0..<rounds).map { _ in try measure(arm, rows: rows).time }
    }

    private func rows(of workload: Workload) -> Int {
        guard workload.isScalable else { return workload.rows }
        return options.rows ?? max(1, Int(Double(workload.rows) * options.scale))
    }

    private func arms(of workload: Workload) -> [Arm] {
        workload.arms.filter { arm in
            (arm.name != Arm.python || stage.python != nil)
                && (options.arm.map { arm.name.localizedCaseInsensitiveContains($0) } ?? true)
        }
    }

    private func measure(_ arm: Arm, rows: Int) throws -> (time: Time, sum: Int64?) {
        defer { stage.clear() }
        // Released before the files are removed.
        let measured = try arm.prepare(stage, rows)
        var outcome: Outcome?
        let time = try Time.measure {
            outcome = try measured.run()
            outcome?.retained = nil
        }
        return (outcome?.time ?? time, outcome?.checksum)
    }

    // MARK: Other processes

    /// Runs this program again for the resources of one arm.
    private func resources(of arm: Arm, _ workload: Workload, rows: Int) throws -> Resources {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--child", "resources", "--workload", workload.name, "--arm", arm.name, "--rows", "\(rows)", "--folder",
            stage.folder.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(workload.name): measuring the resources of \(arm.name) fails")
        }
        return try JSONDecoder().decode(Resources.self, from: data)
    }

    /// The work of a child process: prints the resources of one arm, or runs it in a region that `callgrind` measures.
    func runAsChild(_ child: Options.Child, _ workload: Workload) throws {
        guard let arm = workload.arms.first(where: { $0.name == options.arm }) ?? workload.checkedArm else {
            throw BenchmarkError("\(workload.name) has no arm of that name")
        }
        let rows = options.rows ?? workload.checkedRows
        defer { stage.clear() }
        if child == .instructions {
            // The first run also pays what a process pays once: it would hide what a row costs.
            _ = try measure(arm, rows: rows)
        }
        switch child {
        case .writer: try PostgreSQLWriters.runChild(schema: options.schema ?? "", saves: rows)
        case .resources:
            let resources = try Resources.measure { try arm.prepare(stage, rows) }
            FileHandle.standardOutput.write(try JSONEncoder().encode(resources))
        case .instructions:
            try Region(try arm.prepare(stage, rows)).run()
        }
    }
}

/// A run that is called by a C function, whose name `callgrind` knows.
private final class Region {
    private let measured: Measured
    private var error: (any Error)?

    init(_ measured: Measured) {
        self.measured = measured
    }

    func run() throws {
        let context = Unmanaged.passUnretained(self).toOpaque()
        measured_region({ Unmanaged<Region>.fromOpaque($0!).takeUnretainedValue().runMeasured() }, context)
        if let error { throw error }
    }

    private func runMeasured() {
        do { _ = try measured.run() } catch { self.error = error }
    }
}
