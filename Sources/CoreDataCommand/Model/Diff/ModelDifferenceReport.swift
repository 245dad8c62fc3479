// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The report of `coredata model diff` about two models.
struct ModelDifferenceReport {
    let oldName: String
    let newName: String
    let comparison: ModelComparison
    /// Why the migration isn't lightweight; empty if it is, or if no migration is needed.
    let inferenceProblems: [InferenceProblem]

    init(
        oldName: String, newName: String, old: NSManagedObjectModel, new: NSManagedObjectModel,
        scope: ModelComparison.Scope
    ) {
        self.oldName = oldName
        self.newName = newName
        for model in [old, new] { Self.rememberHashes(of: model) }
        comparison = ModelComparison(from: old, to: new, scope: scope)
        inferenceProblems = comparison.needsMigration ? LightweightMapping.problems(from: old, to: new) : []
    }

    /// Freezes a model: the comparison, the inference, and the comparison with the next version ask for its hashes.
    private static func rememberHashes(of model: NSManagedObjectModel) {
        if model.firstProblem() == nil { model.freeze() }
    }

    /// A line for each difference, marked with `*` if it changes the version hash, the summary, and a line for each
    /// reason why the migration isn't lightweight.
    var lines: [String] {
        comparison.differences.map { "\($0.changesVersionHash ? "*" : " ") \($0.text)" } + [summary]
            + inferenceProblems.map { "  \($0.text)" }
    }

    var summary: String {
        let count = comparison.differences.count
        if count == 0 && !comparison.needsMigration { return "No differences." }
        let differences = Wording.count(count, "difference")
        guard comparison.needsMigration else {
            return "\(differences). No version hash changed: old stores open without migration."
        }
        let changed = comparison.entitiesWithChangedHash
        let hashes = changed.isEmpty ? "" : " Version hashes changed: \(changed.joined(separator: ", "))."
        let inference =
            inferenceProblems.isEmpty
            ? "The mapping can be inferred (lightweight migration)."
            : "The mapping can't be inferred (no lightweight migration), for "
                + "\(Wording.count(inferenceProblems.count, "reason")):"
        return "\(differences). Stores of the old model need migration.\(hashes) \(inference)"
    }
}

extension ModelDifferenceReport: Encodable {
    private enum Key: String, CodingKey {
        case old, new, equal, needsMigration, inferable, inferenceProblems, entitiesWithChangedHash, differences
    }

    /// The JSON form of a difference.
    private struct Entry: Encodable {
        let kind: String
        let entity: String?
        let property: String?
        let aspect: String
        let old: String?
        let new: String?
        let text: String
        let changesVersionHash: Bool

        init(_ difference: ModelDifference) {
            kind = difference.kind.rawValue
            entity = difference.entity
            property = difference.property
            aspect = difference.aspect
            old = difference.old
            new = difference.new
            text = difference.text
            changesVersionHash = difference.changesVersionHash
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(oldName, forKey: .old)
        try container.encode(newName, forKey: .new)
        try container.encode(comparison.isEqual, forKey: .equal)
        try container.encode(comparison.needsMigration, forKey: .needsMigration)
        if comparison.needsMigration {
            try container.encode(inferenceProblems.isEmpty, forKey: .inferable)
            try container.encode(inferenceProblems.map(InferenceProblemEntry.init), forKey: .inferenceProblems)
        }
        try container.encode(comparison.entitiesWithChangedHash, forKey: .entitiesWithChangedHash)
        try container.encode(comparison.differences.map(Entry.init), forKey: .differences)
    }
}
