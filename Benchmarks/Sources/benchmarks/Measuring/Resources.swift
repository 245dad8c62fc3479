import CoreData
import Counters

/// The memory of a run, and the number of its statements, counted in a separate process.
struct Resources: Codable {
    /// How often something was allocated on the heap.
    let allocations: Int
    /// The bytes on the heap while the result is retained, over those before the run.
    let retained: Int
    /// The most bytes on the heap, over those before the run.
    let peak: Int
    /// The most resident memory of the process, over that before the run.
    let resident: Int

    /// The statements that SQLite executed.
    let statements: Int

    /// Prepares the arm and runs it once.
    static func measure(_ prepare: () throws -> Measured) throws -> Resources {
        statement_counter_start()
        let measured = try prepare()
        // Resets the greatest resident memory to the present one.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let start = try residentPeak()
        let statements = statement_counter_count()
        allocation_counter_start()
        let outcome = try measured.run()
        let counts = allocation_counter_counts()
        allocation_counter_stop()
        let resident = try residentPeak() - start
        let sent = Int(statement_counter_count() - statements)
        return withExtendedLifetime(outcome) {
            Resources(
                allocations: Int(counts.allocations), retained: Int(counts.live), peak: Int(counts.peak),
                resident: resident, statements: sent)
        }
    }

    private static func residentPeak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { throw BenchmarkError("/proc/self/status has no VmHWM") }
        return kilobytes << 10
    }
}
