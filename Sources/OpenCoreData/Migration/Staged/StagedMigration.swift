// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// One execution of the stages of an ``NSStagedMigrationManager``.
struct StagedMigration {
    let manager: NSStagedMigrationManager
    /// The model with which the store is opened at the end.
    let model: NSManagedObjectModel
    let store: ClosedStore

    /// A step between two versions.
    private struct Step {
        let from: String
        let to: String
        let label: String
        let stage: NSCustomMigrationStage?
    }

    /// Migrates the store, if it exists and is not of the last version.
    ///
    /// - Throws: `NSStagedMigrationFrameworkVersionMismatchError` (134505) for stages that aren't a chain,
    ///   `NSStagedMigrationBackwardMigrationError` (134506) for a store of a version that follows the model's version,
    ///   `NSManagedObjectModelReferenceNotFoundError` (134504) for a checksum without model,
    ///   `NSMigrationMissingSourceModelError` (134130) for a store of an unknown version, and the errors of reading the
    ///   version, of lightweight migrations and of handlers.
    func runIfNeeded() throws {
        guard store.url.isFileURL, store.exists,
            try !model.isConfiguration(
                withName: store.configuration, compatibleWithStoreMetadata: store.metadata())
        else { return }
        try MigrationLock.withLock(of: store) {
            let metadata = try store.metadata()
            // Another process may have migrated the store while this one waited.
            if model.isConfiguration(withName: store.configuration, compatibleWithStoreMetadata: metadata) { return }
            let steps = try remainingSteps(metadata)
            for (index, step) in steps.enumerated() {
                try MigrationLog.step("\(step.label), from \(step.from) to \(step.to)") {
                    try run(step, isLast: index == steps.count - 1) {
                        try manager.progressHandler?(index, steps.count, $0)
                    }
                }
            }
        }
    }

    // MARK: Steps

    private func remainingSteps(_ metadata: [String: Any]) throws -> ArraySlice<Step> {
        let steps = try steps()
        let current = checksum(of: metadata)
        guard let start = steps.firstIndex(where: { $0.from == current }) else {
            throw failure(
                NSMigrationMissingSourceModelError,
                "The store\u{2019}s version, with the checksum \(current), is not in any stage but the last.",
                "Add a stage that begins with the store\u{2019}s version: \(steps.map(\.from).joined(separator: ", "))."
            )
        }
        let target = model.versionChecksum
        guard let end = steps[start...].lastIndex(where: { $0.to == target }) else {
            let isBehind = steps[..<start].contains { $0.from == target || $0.to == target }
            throw failure(
                isBehind
                    ? NSStagedMigrationBackwardMigrationError : NSStagedMigrationFrameworkVersionMismatchError,
                isBehind
                    ? "The model is an older version than the store." : "The stages don\u{2019}t lead to the model.",
                isBehind
                    ? "Open the store with the version \(steps.last?.to ?? "")."
                    : "Add a stage that ends with the model\u{2019}s checksum, \(target).")
        }
        return steps[start...end]
    }

    private func steps() throws -> [Step] {
        var steps: [Step] = []
        // The version that the stages so far have reached; a lightweight stage with one version makes no step.
        var last: String?
        // The versions between two stages are bridged by inference.
        func bridge(to version: String, _ label: String) {
            if let last, last != version { steps.append(Step(from: last, to: version, label: label, stage: nil)) }
            last = version
        }
        let postponed = postponedVersion
        for (index, stage) in manager.stages.enumerated() {
            let label = stage.label ?? "stage \(index + 1)"
            switch stage {
            case let stage as NSLightweightMigrationStage:
                for version in stage.versionChecksums where version != postponed { bridge(to: version, label) }
            case let stage as NSCustomMigrationStage:
                let (from, to) = (stage.currentModel.versionChecksum, stage.nextModel.versionChecksum)
                bridge(to: from, label)
                steps.append(Step(from: from, to: to, label: label, stage: stage))
                last = to
            default: break
            }
        }
        if let postponed { bridge(to: postponed, "the last version") }
        if steps.isEmpty {
            throw failure(
                NSStagedMigrationFrameworkVersionMismatchError, "There are no stages with two versions.",
                "Give the staged migration manager its stages.")
        }
        return steps
    }

    /// The model's version, if it is the last version of the last lightweight stage, and custom stages between other
    /// versions follow: the versions of such a stage need not follow each other, so `lightweight [1, 4], custom 2 to 3`
    /// leads from 1 by 2 and 3 to 4.
    private var postponedVersion: String? {
        let target = model.versionChecksum
        guard let position = manager.stages.lastIndex(where: { $0 is NSLightweightMigrationStage }),
            let versions = (manager.stages[position] as? NSLightweightMigrationStage)?.versionChecksums,
            versions.count > 1, versions.last == target
        else { return nil }
        let custom = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
        let isOfCustom = custom.contains { [$0.currentModel, $0.nextModel].contains { $0.versionChecksum == target } }
        return isOfCustom || position == manager.stages.count - 1 ? nil : target
    }

    private func checksum(of metadata: [String: Any]) -> String {
        metadata[NSPersistentStoreModelVersionChecksumKey] as? String
            ?? VersionHashSummary.checksum(of: NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:])
    }

    // MARK: One step

    private func run(_ step: Step, isLast: Bool, progress: (Float) throws -> Void) throws {
        let (from, to) = (try model(step.from), try model(step.to))
        try progress(0)
        if let stage = step.stage, let handler = stage.willMigrateHandler {
            try withContainer(from) { try handler(manager, stage) }
        }
        try store.migrateByInference(from: from, to: to, isLast: isLast) { part in
            if part < 1 { try progress(part) }
        }
        if let stage = step.stage, let handler = stage.didMigrateHandler {
            try withContainer(to) { try handler(manager, stage) }
        }
        try progress(1)
    }

    /// Runs a block with the store in the manager's container.
    private func withContainer(_ model: NSManagedObjectModel, _ body: () throws -> Void) throws {
        let container =
            manager.makeContainer?(model)
            ?? NSPersistentContainer(
                name: store.url.deletingPathExtension().lastPathComponent,
                managedObjectModel: MigrationStack.withoutClasses(model))
        let stack = try MigrationStack(store, container.persistentStoreCoordinator, isReadOnly: false)
        manager.container = container
        defer {
            manager.container = nil
            stack.close()
        }
        try body()
    }

    // MARK: Models

    /// The model with a checksum.
    private func model(_ checksum: String) throws -> NSManagedObjectModel {
        for case let stage as NSCustomMigrationStage in manager.stages {
            for reference in [stage.currentModel, stage.nextModel] where reference.versionChecksum == checksum {
                return try reference.resolve()
            }
        }
        if model.versionChecksum == checksum { return model }
        for url in ModelSearch.modelFiles(in: nil) {
            if let found = try? ModelSearch.allVersions(of: url).first(where: { $0.versionChecksum == checksum }) {
                return found
            }
        }
        if let cached = try? store.cachedModel(), cached.versionChecksum == checksum { return cached }
        throw failure(
            NSManagedObjectModelReferenceNotFoundError, "No model of the program has the checksum \(checksum).",
            "Add this version to the program\u{2019}s .xcdatamodeld, or refer to it in a custom stage.")
    }

    private func failure(_ code: Int, _ reason: String, _ suggestion: String) -> NSError {
        CoreDataErrors.error(
            code, "The store \u{201c}\(store.url.path)\u{201d} can\u{2019}t be migrated in stages.", reason: reason,
            suggestion: suggestion, userInfo: store.errorInfo)
    }
}
