import CoreData

/// The target of a workload.
struct Target {
    let title: String
    let limit: Double
    /// Whether the value is to be at most the limit. Otherwise at least.
    var isUpperLimit = true
    let unit: String
    /// The measured value; nil when an arm or its resources were not measured.
    let value: (WorkloadResult) -> Double?

    /// Whether a value reaches the target, as it is printed: 1.504 reaches 1.5.
    func isMet(_ value: Double) -> Bool {
        let rounded = (value * 100).rounded() / 100
        return isUpperLimit ? rounded <= limit : rounded >= limit
    }

    /// The time of one arm is at most so many times the time of another arm.
    static func ratio(_ arm: String = Arm.own, to other: String = Arm.raw, atMost limit: Double) -> Target {
        Target(title: "\(arm) / \(other)", limit: limit, unit: "×") { $0.ratio(arm, to: other) }
    }

    /// An arm does at least so much of what another one does in the same time.
    static func throughput(_ arm: String, of other: String, atLeast limit: Double) -> Target {
        Target(title: "throughput: \(arm) / \(other)", limit: limit, isUpperLimit: false, unit: "×") {
            $0.ratio(other, to: arm)
        }
    }

    /// The first arm is at least so many times faster.
    static func faster(_ arm: String, than other: String, atLeast limit: Double) -> Target {
        Target(title: "\(other) / \(arm)", limit: limit, isUpperLimit: false, unit: "×") { $0.ratio(other, to: arm) }
    }

    /// The time of a unit grows from one arm to the other by at most so much.
    static func linear(_ arm: String, _ smaller: String, atMost limit: Double = 1.5) -> Target {
        Target(title: "time of one: \(arm) / \(smaller)", limit: limit, unit: "×") {
            $0.ratio(arm, to: smaller, perUnit: true)
        }
    }

    /// The time of a unit is at most so much longer than in another arm; without another arm, the time itself is at
    /// most so long.
    static func time(_ arm: String = Arm.own, beyond other: String? = nil, atMostMicroseconds limit: Double) -> Target {
        Target(title: "one of \(arm)\(other.map { " beyond \($0)" } ?? "")", limit: limit, unit: "µs") { result in
            guard let time = result.unitTime(arm) else { return nil }
            guard let other else { return time * 1e6 }
            return result.unitTime(other).map { (time - $0) * 1e6 }
        }
    }

    /// The time of a unit is at most so many nanoseconds.
    static func time(_ arm: String, atMostNanoseconds limit: Double) -> Target {
        Target(title: "one of \(arm)", limit: limit, unit: "ns") { result in result.unitTime(arm).map { $0 * 1e9 } }
    }

    /// The bytes of memory that a retained object of one arm takes beyond one of another arm.
    static func bytes(_ arm: String, beyond other: String, atMost limit: Double) -> Target {
        Target(title: "memory of an object of \(arm) beyond one of \(other)", limit: limit, unit: "bytes") { result in
            guard let arm = result.arm(arm), let resources = arm.resources,
                let other = result.arm(other), let others = other.resources
            else { return nil }
            return Double(resources.retained) / Double(arm.units) - Double(others.retained) / Double(other.units)
        }
    }

    /// The bytes of memory that a retained object takes beyond the bytes of its values.
    static func bytes(_ arm: String = Arm.own, beyond bytes: Int, atMost limit: Double) -> Target {
        Target(title: "memory of an object of \(arm) beyond its row of \(bytes) bytes", limit: limit, unit: "bytes") {
            guard let result = $0.arm(arm), let resources = result.resources else { return nil }
            return Double(resources.retained) / Double(result.units) - Double(bytes)
        }
    }

    /// The growth of the process.
    static func growth(_ arm: String = Arm.own, atMostMebibytes limit: Double) -> Target {
        Target(title: "growth of the process, \(arm)", limit: limit, unit: "MiB") {
            $0.arm(arm)?.resources.map { Double($0.resident) / 1_048_576 }
        }
    }

    /// Both arms send as many statements.
    static func statements(_ arm: String, atMostThoseOf other: String) -> Target {
        Target(title: "statements: \(arm) / \(other)", limit: 1, unit: "×") {
            guard let sent = $0.arm(arm)?.resources?.statements, let others = $0.arm(other)?.resources?.statements
            else { return nil }
            return Double(sent) / Double(others)
        }
    }
}
