// SPDX-License-Identifier: Apache-2.0

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
