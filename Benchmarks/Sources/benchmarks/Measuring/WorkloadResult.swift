/// The measurements of a workload.
struct WorkloadResult {
    let workload: Workload
    let rows: Int
    let clock: Clock
    var arms: [ArmResult]

    struct ArmResult {
        let name: String
        let units: Int
        /// One for each round.
        var times: [Time] = []
        var resources: Resources?
    }

    func arm(_ name: String) -> ArmResult? { arms.first { $0.name == name } }

    /// The median of the rounds.
    func seconds(_ name: String) -> Double? { arm(name).map { $0.times.map(clock.seconds).median } }

    /// The median of the rounds for one unit.
    func unitTime(_ name: String) -> Double? {
        guard let arm = arm(name), let seconds = seconds(name) else { return nil }
        return seconds / Double(max(arm.units, 1))
    }

    /// The median of the ratios of the rounds.
    func ratio(_ name: String, to other: String, perUnit: Bool = false) -> Double? {
        guard let arm = arm(name), let other = self.arm(other) else { return nil }
        let units = perUnit ? Double(other.units) / Double(arm.units) : 1
        return zip(arm.times, other.times).map { clock.seconds($0) / clock.seconds($1) * units }.median
    }

    /// The first arm, to which the report compares the others.
    func ratio(_ name: String) -> Double? { arms.first.flatMap { ratio(name, to: $0.name) } }

    /// The targets whose value was measured.
    var targets: [(target: Target, value: Double)] {
        workload.targets.compactMap { target in target.value(self).map { (target, $0) } }
    }
}
