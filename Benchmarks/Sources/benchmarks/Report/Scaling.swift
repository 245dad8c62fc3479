import CoreData
import SystemSQLite

/// Fetching, saving, relationships, constraints, deleting and opening at growing numbers of objects.
struct Scaling {
    let stage: Stage
    let options: Options

    private struct Series {
        let name: String
        let colour: String
        let own: Arm
        /// The arm to compare with.
        let raw: Arm
        /// How many objects the arms use for each row.
        var objectsPerRow = 1
    }

    /// Objects of a save, as a program imports many: it saves them and resets the context in between.
    private static let part = 100_000

    func run() throws {
        var sizes = [1000]
        while let last = sizes.last, last * 10 <= options.largest { sizes.append(last * 10) }
        var lines: [LineChart.Line] = []
        var table = [
            "| | \(sizes.map(Numbers.count).joined(separator: " | ")) |",
            "| --- |\(String(repeating: " ---: |", count: sizes.count))",
        ]
        for series in try Self.series() {
            for (arm, isRaw) in [(series.own, false), (series.raw, true)] {
                var points: [(x: Double, y: Double)] = []
                for size in sizes {
                    // A large size takes long, and wavers less.
                    let rounds = size >= 1_000_000 ? 1 : options.rounds
                    let times = try runner.times(arm, rows: size / series.objectsPerRow, rounds: rounds)
                    points.append((Double(size), times.map(options.clock.seconds).median))
                    print("\(series.name), \(arm.name), \(size): \(Numbers.seconds(points[points.count - 1].y))")
                    fflush(nil)
                }
                let name = "\(series.name), \(arm.name)"
                lines.append(.init(name: name, colour: series.colour, isDashed: isRaw, points: points))
                table.append("| \(name) | \(points.map { Numbers.seconds($0.y) }.joined(separator: " | ")) |")
            }
        }
        guard let document = options.document else { return }
        let url = URL(fileURLWithPath: document)
        let chart = LineChart(
            title: "Time over objects; dashed: SQLite's C API, for unique the same without constraint", lines: lines)
        try chart.svg.write(
            to: url.deletingLastPathComponent().appendingPathComponent("Performance-scaling.svg"), atomically: true,
            encoding: .utf8)
        let text = [
            "Measured on \(Machine.description(options)), with `make bench ARGS=--scaling`.", "",
            "![Times over numbers of rows](Performance-scaling.svg)", "",
        ]
        try MeasuredSection("scaling").replace(in: url, with: (text + table).joined(separator: "\n"))
        print("wrote \(document)")
    }

    private var runner: Runner { Runner(stage: stage, options: options) }

    /// The series of two arms of a workload.
    private static func series(
        _ name: String, _ workload: String, _ colour: String, own: String = Arm.own, raw: String = Arm.raw,
        objectsPerRow: Int = 1
    ) throws -> Series {
        let arms = try Workloads.named(workload).first { $0.name == workload }?.arms ?? []
        guard let own = arms.first(where: { $0.name == own }), let raw = arms.first(where: { $0.name == raw }) else {
            throw BenchmarkError("there is no workload \(workload) with the arms \(own) and \(raw)")
        }
        return Series(name: name, colour: colour, own: own, raw: raw, objectsPerRow: objectsPerRow)
    }

    private static func series() throws -> [Series] {
        [
            try series("fetch and read", "fetch", "#1f6feb"),
            Series(
                name: "insert and save", colour: "#d29922", own: Arm(Arm.own, prepare: prepareInsert),
                raw: Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try ReadingValues.emptyStore(stage))
                    return Measured {
                        try Workloads.insertReadings(connection, rows)
                        return Outcome(nil)
                    }
                }),
            try series("to-many, prefetched and read", "to-many-prefetched", "#8250df", objectsPerRow: 20),
            try series(
                "unique, half there", "unique", "#bf3989", own: "OpenCoreData, unique, all",
                raw: "OpenCoreData, no constraint, all"),
            try series("delete with cascade", "delete-cascade", "#cf222e", objectsPerRow: 3),
            Series(
                name: "open", colour: "#2da44e",
                own: Arm(Arm.own) { stage, rows in
                    let url = try ReadingValues.fixture(stage, rows)
                    let model = try StoreStack.model()
                    return Measured { Outcome(nil, retained: try StoreStack(url, model: model)) }
                },
                raw: Arm(Arm.raw) { stage, rows in
                    let url = try ReadingValues.fixture(stage, rows)
                    return Measured {
                        let connection = try RawConnection(url)
                        return Outcome(try connection.integer("SELECT COUNT(*) FROM Z_METADATA"), retained: connection)
                    }
                }),
        ]
    }

    private static func prepareInsert(_ stage: Stage, _ rows: Int) throws -> Measured {
        let stack = try StoreStack(try ReadingValues.emptyStore(stage))
        return Measured(stack) { context in
            for start in stride(from: 0, to: rows, by: part) {
                for row in start..<min(start + part, rows) { Reading(context: context).setAll(row: row) }
                try context.save()
                context.reset()
            }
            return Outcome(nil)
        }
    }
}
