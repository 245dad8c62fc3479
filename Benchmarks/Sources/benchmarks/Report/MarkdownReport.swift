import CoreData
import SystemSQLite

/// The measured part of Documentation/Performance.md: it is between two markers, and the rest is written by hand.
struct MarkdownReport {
    let results: [WorkloadResult]
    let options: Options

    func write(to url: URL) throws {
        if results.allSatisfy({ $0.workload.group == .server }) {
            return try MeasuredSection("postgresql").replace(in: url, with: serverText())
        }
        try MeasuredSection("workloads").replace(in: url, with: text())
        for group in Workload.Group.allCases {
            guard let chart = chart(group) else { continue }
            let file = url.deletingLastPathComponent().appendingPathComponent(group.chartName)
            try chart.svg.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// The part of the workloads on a server, which have a separate run.
    private func serverText() throws -> String {
        let version = try RawServerConnection().integer("SELECT current_setting('server_version_num')::integer / 10000")
        var lines = [
            "Measured on \(Machine.description(options)), PostgreSQL \(version), with `make bench-postgresql`, "
                + "\(options.rounds) rounds."
        ]
        for result in results { lines += [""] + table(result) }
        return lines.joined(separator: "\n")
    }

    private func text() -> String {
        let all = results.flatMap(\.targets)
        let met = all.count { $0.target.isMet($0.value) }
        var lines = [
            "Measured on \(Machine.description(options)), with `make bench`, \(options.rounds) rounds"
                + (options.clock == .processor ? ", time on processors." : "."),
            "\(met) of \(all.count) targets are met.",
        ]
        for group in Workload.Group.allCases {
            let members = results.filter { $0.workload.group == group }
            if members.isEmpty { continue }
            lines += ["", "### \(group.rawValue)"]
            if chart(group) != nil {
                lines += ["", "![Times of the arms in proportion to the first one](\(group.chartName))"]
            }
            for result in members { lines += [""] + table(result) }
        }
        return lines.joined(separator: "\n")
    }

    /// The chart of a group; nil if none of its workloads has arms to compare.
    private func chart(_ group: Workload.Group) -> BarChart? {
        let members = results.filter { $0.workload.group == group && $0.arms.count > 1 }
        return members.isEmpty ? nil : BarChart(title: group.rawValue, results: members)
    }

    private func table(_ result: WorkloadResult) -> [String] {
        let title = result.workload.title(rows: result.rows)
        let hasResources = result.workload.measuresResources
        var lines = [
            "**\(title.prefix(1).uppercased())\(title.dropFirst())** (`\(result.workload.name)`)", "",
            "| | time | ratio |" + (hasResources ? " allocations | of one | heap, MiB | resident, MiB | SQL |" : ""),
            "| --- | ---: | ---: |" + (hasResources ? " ---: | ---: | ---: | ---: | ---: |" : ""),
        ]
        for arm in result.arms {
            let times = [
                arm.name, Numbers.seconds(result.seconds(arm.name) ?? .nan),
                String(format: "%.2f", result.ratio(arm.name) ?? .nan),
            ]
            let resources = [
                arm.resources.map { Numbers.count($0.allocations) } ?? "",
                arm.resources.map { String(format: "%.2f", Double($0.allocations) / Double(max(arm.units, 1))) } ?? "",
                arm.resources.map { Numbers.mebibytes($0.peak) } ?? "",
                arm.resources.map { Numbers.mebibytes($0.resident) } ?? "",
                arm.resources.map { Numbers.count($0.statements) } ?? "",
            ]
            let cells = times + (hasResources ? resources : [])
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        guard !result.targets.isEmpty else { return lines }
        lines += ["", "| target | limit | measured | |", "| --- | ---: | ---: | --- |"]
        for (target, value) in result.targets {
            let verdict = target.isMet(value) ? "met" : "**missed**"
            lines.append(
                "| \(target.title) | \(Numbers.limit(target)) | \(Numbers.value(value, target.unit)) | \(verdict) |")
        }
        return lines
    }
}

extension Workload.Group {
    /// The file of the group's chart, beside the document.
    fileprivate var chartName: String {
        let words = rawValue.lowercased().split { !$0.isLetter }.filter { $0 != "and" && $0 != "or" }
        return "Performance-\(words.joined(separator: "-")).svg"
    }
}

/// The part of a document between `<!-- NAME: measured … -->` and `<!-- NAME: end -->`.
struct MeasuredSection {
    private let start: String
    private let end: String

    init(_ name: String) {
        start = "<!-- \(name): measured"
        end = "<!-- \(name): end -->"
    }

    func replace(in url: URL, with text: String) throws {
        let document = try String(contentsOf: url, encoding: .utf8)
        guard let start = document.range(of: start),
            let opened = document[start.upperBound...].range(of: "-->"),
            let end = document[opened.upperBound...].range(of: end)
        else { throw BenchmarkError("\(url.path) has no markers '\(start) … -->' and '\(end)'") }
        let result = document[..<opened.upperBound] + "\n\n" + text + "\n\n" + document[end.lowerBound...]
        try String(result).write(to: url, atomically: true, encoding: .utf8)
    }
}

/// The machine of the measurements.
enum Machine {
    static func description(_ options: Options) -> String {
        let date = Date().formatted(
            Date.FormatStyle(date: .long, time: .omitted, locale: Locale(identifier: "en_GB"), timeZone: .gmt))
        let processors = "\(ProcessInfo.processInfo.activeProcessorCount) processors \(processor)"
        let compiler = options.compiler.map { ", Swift \($0)" } ?? ""
        return "\(date) on \(processors) under \(system)\(compiler), SQLite \(String(cString: sqlite3_libversion()))"
    }

    private static var processor: String {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
        return name.map { "(\($0))" } ?? "of an unknown kind"
    }

    private static var system: String {
        let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
        let name = lines.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
        return name.map { $0.trimmingCharacters(in: ["\""]) } ?? "Linux"
    }
}
