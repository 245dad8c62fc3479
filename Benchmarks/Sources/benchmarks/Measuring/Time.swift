import CoreData

/// The seconds of a run, by the clock and on processors.
struct Time: Codable {
    let wall: Double
    let processor: Double

    static func measure(_ body: () throws -> Void) throws -> Time {
        let (wall, processor) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
        try body()
        return Time(wall: seconds(CLOCK_MONOTONIC) - wall, processor: seconds(CLOCK_PROCESS_CPUTIME_ID) - processor)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Which of the two times a report is about. A busy machine disturbs the time on processors less.
enum Clock: String {
    case wall, processor

    func seconds(_ time: Time) -> Double { self == .wall ? time.wall : time.processor }
}

extension Collection<Double> {
    /// The middle one; of an even number, the mean of the two in the middle.
    var median: Double {
        let sorted = self.sorted()
        let middle = sorted.count / 2
        if sorted.isEmpty { return .nan }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
