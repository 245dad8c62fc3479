import CoreData

/// The tables on the screen.
enum ConsoleReport {
    static func print(_ result: WorkloadResult) {
        Swift.print("\n\(result.workload.name): \(result.workload.title(rows: result.rows))")
        let widest = max(24, result.arms.map(\.name.count).max() ?? 0)
        Swift.print("  \(padded("", widest))       time   ratio  allocations  heap MiB  resident MiB      SQL")
        for arm in result.arms {
            let seconds = Numbers.seconds(result.seconds(arm.name) ?? .nan)
            let ratio = String(format: "%.2f", result.ratio(arm.name) ?? .nan)
            let resources = arm.resources.map {
                leading(Numbers.count($0.allocations), 13) + leading(Numbers.mebibytes($0.peak), 10)
                    + leading(Numbers.mebibytes($0.resident), 14)
                    + leading(Numbers.count($0.statements), 9)
            }
            Swift.print("  \(padded(arm.name, widest))\(leading(seconds, 11))\(leading(ratio, 8))\(resources ?? "")")
        }
        for (target, value) in result.targets { Swift.print("  \(line(target, value))") }
    }

    static func printSummary(_ results: [WorkloadResult]) {
        let all = results.flatMap { result in result.targets.map { (result.workload.name, $0.target, $0.value) } }
        let missed = all.filter { !$0.1.isMet($0.2) }
        if all.isEmpty { return }
        Swift.print("\n\(all.count - missed.count) of \(all.count) targets are met")
        for (name, target, value) in missed { Swift.print("  \(name): \(line(target, value))") }
    }

    private static func line(_ target: Target, _ value: Double) -> String {
        let verdict = target.isMet(value) ? "met" : "MISSED"
        return "\(verdict): \(target.title) is \(Numbers.value(value, target.unit)), \(Numbers.limit(target))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func leading(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// Numbers as the reports write them.
enum Numbers {
    static func seconds(_ seconds: Double) -> String {
        if seconds >= 1 { return String(format: "%.2f s", seconds) }
        return seconds >= 0.001 ? String(format: "%.1f ms", seconds * 1e3) : String(format: "%.1f µs", seconds * 1e6)
    }

    static func count(_ count: Int) -> String {
        count.formatted(.number.locale(.init(identifier: "en_US")))
    }

    static func mebibytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1_048_576) }

    static func value(_ value: Double, _ unit: String) -> String {
        String(format: abs(value) >= 100 ? "%.0f %@" : "%.2f %@", value, unit)
    }

    static func limit(_ target: Target) -> String {
        let limit = target.limit == target.limit.rounded() ? "\(Int(target.limit))" : "\(target.limit)"
        return "\(target.isUpperLimit ? "≤" : "≥") \(limit) \(target.unit)"
    }
}
