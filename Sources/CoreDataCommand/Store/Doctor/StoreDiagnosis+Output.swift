// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The diagnosis as text.
extension StoreDiagnosis {
    var lines: [String] {
        modelLines + migrationLines + fileLines + cloudKitLines + defectLines + repairLines
    }

    private var fileLines: [String] {
        if isOnServer { return ["Files: on the server, not examined"] }
        return ["Files:"]
            + files.map {
                "  \(($0.path as NSString).lastPathComponent): \(Wording.count($0.size, "byte")), \($0.role)"
            }
    }

    private var modelLines: [String] {
        let current = destination.flatMap { $0.incompatibility == nil ? $0.name : nil }
        var origin = version?.text ?? current ?? "no version that is known here"
        if !versionIdentifiers.isEmpty { origin += " (identifier \(versionIdentifiers.joined(separator: ", ")))" }
        let kind = kindInMemory.map { ", \($0)" } ?? ""
        var lines = ["Store: \(path)\(kind), \(Wording.count(entityCount, "entity"))", "Made by: \(origin)"]
        if version == nil, let nearest = destination?.incompatibility?.nearestVersion {
            let names = destination?.incompatibility?.entitiesUnlikeNearest ?? []
            lines.append("Nearest: \(nearest.text), which differs in \(names.joined(separator: ", "))")
        }
        if kindInMemory == nil { lines.append("Model in the store: \(containsModel ? "yes" : "no")") }
        return lines
    }

    private var migrationLines: [String] {
        guard let destination else {
            return [
                "Migration: not examined, without a version of the store's model. Add the versions with --models, or "
                    + "the model to migrate to with --model."
            ]
        }
        var lines = ["Current: \(destination.name)"]
        guard let gap = destination.incompatibility else {
            return lines + ["Migration: none needed"]
        }
        if gap.differences.isEmpty {
            lines.append("Differences: \(gap.differenceText)")
        } else {
            lines.append("Differences:")
            lines += gap.differences.map { "  \($0.text)" }
        }
        guard gap.sourceModel != nil else {
            return lines + ["Migration: impossible without the model that made the store"]
        }
        if let route = gap.route {
            if route.isLightweight {
                lines.append("Migration: lightweight")
            } else {
                lines.append("Migration: \(Wording.count(route.steps.count, "step"))")
                lines += route.lines(destination: destination.name).map { "  \($0)" }
            }
        } else {
            lines.append("Migration: impossible with the known versions and mapping models")
        }
        if !gap.inferenceProblems.isEmpty {
            lines.append("Not lightweight in one step, because")
            lines += gap.inferenceProblems.map { "  \($0.text)" }
        }
        if let steps { lines += ["Steps:"] + steps.lines }
        return lines + destination.unusedMappings.map(\.text) + (loss?.lines ?? [])
    }

    private var defectLines: [String] {
        if !isExamined, isOnServer || kindInMemory != nil {
            return ["Integrity: not examined, without the model that made the store"]
        }
        if !isExamined {
            return ["Integrity: only of the database, without the model that made the store"]
                + (defects.isEmpty ? ["  no problems found"] : defects.map { "  \($0.text)" })
        }
        if defects.isEmpty { return ["Integrity: no problems found"] }
        return ["Integrity: \(Wording.count(defects.count, "problem"))"] + defects.map { "  \($0.text)" }
    }
}

/// The diagnosis as JSON.
extension StoreDiagnosis: Encodable {
    private struct Version: Encodable {
        let name: String
        let bundle: String?

        init(_ version: ModelVersion) {
            name = version.name
            bundle = version.bundle?.lastPathComponent
        }
    }

    private struct Migration: Encodable {
        struct Step: Encodable {
            let to: String
            let way: String
            let mappingModel: String?
        }

        let destination: String
        let needed: Bool
        let possible: Bool
        let lightweight: Bool
        let differences: [String]
        let entities: [String]
        let nearestVersion: Version?
        let inferenceProblems: [InferenceProblemEntry]
        let steps: [Step]
        /// With `--steps`.
        let lightweightSteps: MigrationSteps?
        let unusedMappingModels: [UnusedMapping]
        let losses: [LossReport.Entry]

        struct UnusedMapping: Encodable {
            let path: String?
            let reason: String
        }

        init(
            _ destination: StoreDiagnosis.Destination, _ loss: LossReport?, _ lightweightSteps: MigrationSteps?
        ) {
            self.lightweightSteps = lightweightSteps
            self.destination = destination.name
            let gap = destination.incompatibility
            needed = gap != nil
            possible = gap == nil || gap?.route != nil
            lightweight = gap?.route?.isLightweight ?? false
            differences = gap?.differences.map(\.text) ?? []
            entities = gap.map { ($0.changedEntities + $0.addedEntities + $0.removedEntities).sorted() } ?? []
            nearestVersion = gap?.nearestVersion.map(Version.init)
            inferenceProblems = gap?.inferenceProblems.map(InferenceProblemEntry.init) ?? []
            steps =
                gap?.route?.steps.map { step in
                    let name = step.version?.text ?? destination.name
                    switch step.way {
                    case .inferred: return Step(to: name, way: "inferred", mappingModel: nil)
                    case .mappingModel(let mapping):
                        return Step(to: name, way: "mappingModel", mappingModel: mapping.url?.path)
                    }
                } ?? []
            unusedMappingModels = destination.unusedMappings.map {
                UnusedMapping(path: $0.mapping.url?.path, reason: $0.reason)
            }
            losses = loss?.entries ?? []
        }
    }

    private struct Problem: Encodable {
        let kind: String
        let entity: String?
        let property: String?
        let count: Int
        let primaryKeys: [Int64]
        let text: String

        init(_ defect: StoreDefect) {
            kind = defect.kind.rawValue
            entity = defect.entityName
            property = defect.propertyName
            count = defect.count
            primaryKeys = defect.primaryKeys
            text = defect.text
        }
    }

    private struct File: Encodable {
        let path: String
        let size: UInt64
        let role: String
    }

    private enum Key: String, CodingKey {
        case store, entityCount, version, versionIdentifiers, containsModel, rowsExamined, migration, problems, files
        case cloudKit, repair
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .store)
        try container.encode(entityCount, forKey: .entityCount)
        try container.encodeIfPresent(version.map(Version.init), forKey: .version)
        try container.encode(versionIdentifiers, forKey: .versionIdentifiers)
        try container.encode(containsModel, forKey: .containsModel)
        try container.encode(isExamined, forKey: .rowsExamined)
        try container.encodeIfPresent(destination.map { Migration($0, loss, steps) }, forKey: .migration)
        try container.encode(defects.map(Problem.init), forKey: .problems)
        try container.encode(files.map { File(path: $0.path, size: $0.size, role: $0.role) }, forKey: .files)
        try container.encodeIfPresent(cloudKit.map(CloudKitDocument.init), forKey: .cloudKit)
        try container.encodeIfPresent(repair, forKey: .repair)
    }
}

/// The JSON form of a problem of inference.
struct InferenceProblemEntry: Encodable {
    let entity: String
    let property: String?
    let reason: String
    let remedy: String

    init(_ problem: InferenceProblem) {
        entity = problem.entityName
        property = problem.propertyName
        reason = problem.reason
        remedy = problem.remedy
    }
}
