import OpenCoreData

/// The versions of a migration plan in their order, and the stage from each to the next.
struct PlanVersions {
    let plan: any SchemaMigrationPlan.Type
    let versions: [PlanVersion]
    /// The stages to the versions but the first; nil for a step without a stage, which is lightweight.
    let stages: [MigrationStage?]

    /// Checks a plan.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer` with all mistakes of the plan.
    init(_ plan: any SchemaMigrationPlan.Type) throws {
        self.plan = plan
        let schemas = plan.schemas
        var problems = PlanOrder.problems(in: schemas)
        let stages = PlanStages(plan.stages, schemas: schemas)
        problems += stages.problems
        var versions: [PlanVersion] = []
        for schema in schemas {
            do {
                versions.append(try PlanVersion(schema))
            } catch let error as SwiftDataError {
                problems.append("\(PlanVersion.name(of: schema)): \(error.explanation ?? error.description)")
            }
        }
        problems += Self.equalHashes(versions)
        guard problems.isEmpty else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The migration plan \(plan) can't be used. \(problems.joined(separator: "\n"))")
        }
        self.versions = versions
        self.stages = stages.stages
    }

    /// The part of a plan for a store that has some of the entities. Versions that don't change them are left out, as
    /// far as no code of the program runs.
    private init(_ whole: PlanVersions, names: Set<String>) throws {
        plan = whole.plan
        var versions: [PlanVersion] = []
        var stages: [MigrationStage?] = []
        for (index, version) in whole.versions.enumerated() {
            let part = try version.reduced(to: names)
            let stage = index == 0 ? nil : whole.stages[index - 1]
            if let last = versions.last {
                if last.hashes == part.hashes { continue }
                stages.append(stage)
            }
            versions.append(part)
        }
        self.versions = versions
        self.stages = stages
    }

    func reduced(to names: Set<String>) throws -> PlanVersions { try PlanVersions(self, names: names) }

    /// The position of the version that has the hashes, the newest first.
    func index(of hashes: [String: Data]) -> Int? { versions.lastIndex { $0.hashes == hashes } }

    private static func equalHashes(_ versions: [PlanVersion]) -> [String] {
        var first: [[String: Data]: PlanVersion] = [:]
        return versions.compactMap { version in
            guard let other = first.updateValue(version, forKey: version.hashes), other.type != version.type else {
                return nil
            }
            return """
                The versions \(other.name) and \(version.name) have equal version hashes: a store doesn't show which \
                of both it has. Leave one out, or give a property another hashModifier.
                """
        }
    }
}

/// The order of the versions in a plan.
private enum PlanOrder {
    static func problems(in schemas: [any VersionedSchema.Type]) -> [String] {
        var problems: [String] = []
        var seen: Set<ObjectIdentifier> = []
        var last: (any VersionedSchema.Type)?
        for schema in schemas {
            let name = PlanVersion.name(of: schema)
            guard seen.insert(ObjectIdentifier(schema)).inserted else {
                problems.append("The version \(name) is twice in schemas. Name each version once.")
                continue
            }
            if let last, last.versionIdentifier >= schema.versionIdentifier {
                let other = PlanVersion.name(of: last)
                problems.append(
                    last.versionIdentifier == schema.versionIdentifier
                        ? "The versions \(other) and \(name) have one versionIdentifier. Give each its own."
                        : "The version \(name) comes after \(other) in schemas. List the versions in ascending order.")
            }
            last = schema
        }
        return problems
    }
}

/// The stages of a plan, by the versions that they lead to.
private struct PlanStages {
    private(set) var problems: [String] = []
    private(set) var stages: [MigrationStage?]

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
                problems.append("\(text) goes backwards. A plan leads to newer versions only.")
            } else if end > start + 1 {
                let skipped = schemas[(start + 1)..<end].map { PlanVersion.name(of: $0) }.joined(separator: ", ")
                problems.append("\(text) skips \(skipped). Give each version a stage to the next one.")
            } else if stages[start] != nil {
                problems.append("\(text) is there twice. Unite both stages.")
            } else {
                stages[start] = stage
            }
        }
        guard !all.isEmpty, problems.isEmpty else { return }
        for (index, stage) in stages.enumerated() where stage == nil {
            problems.append(
                """
                No stage leads from \(PlanVersion.name(of: schemas[index])) to \
                \(PlanVersion.name(of: schemas[index + 1])). Add one.
                """)
        }
    }
}
