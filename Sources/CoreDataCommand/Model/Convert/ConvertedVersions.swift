// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// The versions of a model to write.
struct ConvertedVersions {
    let models: [(name: String, model: NSManagedObjectModel)]
    let current: String
    let currentModel: NSManagedObjectModel

    /// - Parameters:
    ///   - models: all versions, with the current one.
    ///   - current: the name of the current version.
    init?(models: [(name: String, model: NSManagedObjectModel)], current: String) {
        guard let model = models.first(where: { $0.name == current })?.model else { return nil }
        self.models = models
        self.current = current
        currentModel = model
    }

    init(single model: NSManagedObjectModel, name: String) {
        models = [(name, model)]
        current = name
        currentModel = model
    }

    /// The versions without the details that source models don't support, and a message for each detail.
    var reducedToSource: (versions: ConvertedVersions, omissions: [String]) {
        let reductions = models.map { (name: $0.name, reduction: SourceRepresentableModel(of: $0.model)) }
        let omissions = reductions.flatMap { name, reduction in
            reduction.findings.map { subject(name) + $0.message }
        }
        let reduced = reductions.map { (name: $0.name, model: $0.reduction.model) }
        return (ConvertedVersions(models: reduced, current: current) ?? self, omissions)
    }

    /// The prefix of messages about a version; empty for a single version.
    func subject(_ name: String) -> String { models.count > 1 ? "\(name): " : "" }
}

/// Compares a written model with its original.
enum ModelReadBack {
    /// Messages for the differences between the models and the files at a URL.
    ///
    /// - Parameters:
    ///   - versions: the original models.
    ///   - url: the temporary folder with the written files.
    ///   - destination: the final path, for messages.
    /// - Throws: `CommandError` for a different version hash: a store of the original model couldn't be opened.
    static func omissions(of versions: ConvertedVersions, at url: URL, for destination: URL) throws -> [String] {
        guard let written = try ModelVersions(at: url.path) else {
            return try omissions(from: versions.currentModel, to: try ModelFile.load(at: url), destination)
        }
        return try versions.models.flatMap { name, model in
            try omissions(from: model, to: try written.version(named: name).model(), destination).map {
                versions.subject(name) + $0
            }
        }
    }

    /// Messages for the differences between two models.
    static func omissions(
        from model: NSManagedObjectModel, to written: NSManagedObjectModel, _ destination: URL
    ) throws -> [String] {
        let comparison = ModelComparison(from: model, to: written)
        guard !comparison.needsMigration else {
            throw CommandError(
                """
                \(destination.path) was not written: its version hashes would differ \
                (\(comparison.entitiesWithChangedHash.joined(separator: ", "))). \
                \(comparison.differences.first?.text ?? "")
                """
            )
        }
        return comparison.differences.map { "not preserved: \($0.text)" }
    }
}

/// The destination of a conversion.
enum ModelDestination {
    /// Checks that the destination can be written.
    ///
    /// - Parameters:
    ///   - url: the destination.
    ///   - replaces: whether an existing model may be replaced. A folder with other files is never replaced.
    /// - Throws: `CommandError` if an existing file must not be replaced.
    static func check(_ url: URL, replaces: Bool) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        guard replaces else {
            throw CommandError("\(url.path) exists already. Choose another name, or replace it with --force.")
        }
        do {
            if OutputFile.isFolder(url) { _ = try ModelFile.form(of: url) }
        } catch {
            throw CommandError("\(url.path) is a folder without a model and is not replaced. Choose another name.")
        }
    }
}
