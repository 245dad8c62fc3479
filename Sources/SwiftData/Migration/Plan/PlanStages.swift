// SPDX-License-Identifier: Apache-2.0

/// The stages of a plan, by the versions that they lead to.
struct PlanStages {
    private(set) var problems: [String] = []
    private(set) var stages: [MigrationStage?]
    /// The stages that lead to an older version: for a container of that version.
    private(set) var backward: [MigrationStage] = []

    init(_ all: [MigrationStage], schemas: [any VersionedSchema.Type]) {
        let positions = Dictionary(
            schemas.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        stages = Array(repeating: nil, count: max(schemas.count - 1, 0))
        for stage in all {
            let from = PlanVersion.name(of: stage.fromVersion)
            let to = PlanVersion.name(of: stage.toVersion)
            let text = "The stage from \(from) to \(to)"
            guard let start = positions[ObjectIdentifier(stage.fromVersion)],
                let end = positions[ObjectIdentifier(stage.toVersion)]
            else {
                problems.append("\(text) names a version that isn't in schemas. Add it.")
                continue
            }
            if end == start {
                problems.append("\(text) leads nowhere. Name the next version.")
            } else if end < start {
                backward.append(stage)
            } else if end > start + 1 {
                let skipped = schemas[(start + 1)..<end].map { PlanVersion.name(of: $0) }.joined(separator: ", ")
                problems.append("\(text) skips \(skipped). Give each version a stage to the next one.")
            } else if stages[start] != nil {
                problems.append("\(text) is there twice. Unite both stages.")
            } else {
                stages[start] = stage
            }
        }
        guard stages.contains(where: { $0 != nil }), problems.isEmpty else { return }
        for (index, stage) in stages.enumerated() where stage == nil {
            problems.append(
                """
                No stage leads from \(PlanVersion.name(of: schemas[index])) to \
                \(PlanVersion.name(of: schemas[index + 1])). Add one.
                """)
        }
    }
}
