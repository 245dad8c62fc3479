/// Every workload, in the order of the report.
enum Workloads {
    static func all() -> [Workload] {
        fetching + mixedFetching + saving + changing + batches + uniqueness + findOrCreate + apps + toOne + toMany
            + editing
            + predicates + contexts + stores + processes + history + migration + parsing + swiftData + server
    }

    /// The workloads whose name begins with the text.
    static func named(_ text: String?) throws -> [Workload] {
        let all = all()
        let named = all.filter { workload in text.map { workload.name.hasPrefix($0) } ?? true }
        guard !named.isEmpty else {
            throw BenchmarkError("no workload begins with that; there are \(all.map(\.name).joined(separator: ", "))")
        }
        return named
    }
}
