// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The versions of a migration plan in their order, and the stage from each to the next.
struct PlanVersions {
    let plan: any SchemaMigrationPlan.Type
    let versions: [PlanVersion]
    /// The stages to the versions but the first; nil for a step without a stage, which is lightweight.
    let stages: [MigrationStage?]
    /// The stages that lead to an older version.
    let backwardStages: [MigrationStage]

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
        problems += Self.equalHashes(versions, plan.stages)
        guard problems.isEmpty else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "The migration plan \(plan) can't be used. \(problems.joined(separator: "\n"))")
        }
        if plan.stages.isEmpty {
            // Equal versions one after the other are one.
            let different = versions.indices.filter { $0 == 0 || versions[$0].hashes != versions[$0 - 1].hashes }
            self.versions = different.map { versions[$0] }
            self.stages = Array(repeating: nil, count: max(different.count - 1, 0))
        } else {
            self.versions = versions
            self.stages = stages.stages
        }
        backwardStages = stages.backward
    }

    private init(
        _ plan: any SchemaMigrationPlan.Type, _ versions: [PlanVersion], _ stages: [MigrationStage?],
        _ backwardStages: [MigrationStage]
    ) {
        self.plan = plan
        self.versions = versions
        self.stages = stages
        self.backwardStages = backwardStages
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
        backwardStages = whole.backwardStages
    }

    /// The way from a version back to an older version: the versions, each with a stage to the next.
    func backward(from start: Int, to end: Int) -> PlanVersions? {
        var path = [versions[start]]
        var stages: [MigrationStage?] = []
        var current = start
        while current > end {
            let next = backwardStages.compactMap { stage -> (stage: MigrationStage, position: Int)? in
                guard stage.fromVersion == versions[current].type,
                    let position = versions.firstIndex(where: { $0.type == stage.toVersion }),
                    (end..<current).contains(position)
                else { return nil }
                return (stage, position)
            }.min { $0.position < $1.position }
            guard let next else { return nil }
            path.append(versions[next.position])
            stages.append(next.stage)
            current = next.position
        }
        return PlanVersions(plan, path, stages, [])
    }

    func reduced(to names: Set<String>) throws -> PlanVersions { try PlanVersions(self, names: names) }

    /// The position of the version that has the hashes, the newest first.
    func index(of hashes: [String: Data]) -> Int? { versions.lastIndex { $0.hashes == hashes } }

    /// Versions of which a stage can't choose one. Without stages nothing is to be chosen.
    private static func equalHashes(_ versions: [PlanVersion], _ stages: [MigrationStage]) -> [String] {
        var first: [[String: Data]: PlanVersion] = [:]
        let chosen = Set(stages.flatMap { [ObjectIdentifier($0.fromVersion), ObjectIdentifier($0.toVersion)] })
        return versions.compactMap { version in
            guard let other = first.updateValue(version, forKey: version.hashes), other.type != version.type,
                chosen.contains(ObjectIdentifier(version.type)) || chosen.contains(ObjectIdentifier(other.type))
            else { return nil }
            return """
                The versions \(other.name) and \(version.name) have equal version hashes: a store doesn't show which \
                of both it has. Leave one out, or give a property another hashModifier.
                """
        }
    }
}
