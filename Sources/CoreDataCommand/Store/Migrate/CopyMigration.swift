// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// Migrates a copy of a store, checks it, and puts it in its place.
struct CopyMigration {
    let store: URL
    let type: NSPersistentStore.StoreType
    /// The file of the result; nil to replace the store.
    let result: URL?
    let plan: ProgressiveMigration

    /// Migrates, while no other process migrates the store.
    ///
    /// - Returns: the lines to print: the number of objects of each entity, and the place of the result.
    func run() throws -> [String] {
        let target = result ?? store
        let bar = ProgressBar()
        defer { bar.clear() }
        return try MigrationLock.withLock(
            at: target, timeout: MigrationLock.defaultTimeout,
            waiting: {
                StandardStreams.error(
                    "Another process is migrating \(target.path). Waiting until it has ended \u{2026}")
            },
            {
                var lines: [String] = []
                let replacement = StoreReplacement(at: target, type: type)
                let makeCopy = { lines = try makeMigratedCopy(at: $0, bar) }
                if result == nil {
                    try replacement.run(making: makeCopy)
                } else {
                    try replacement.runAnew(making: makeCopy)
                }
                return lines + ["\(target.path) is migrated."]
            })
    }

    /// Makes a migrated copy of the store, and checks it.
    ///
    /// - Returns: the lines to print about it.
    private func makeMigratedCopy(at copy: URL, _ bar: ProgressBar) throws -> [String] {
        // Copying, the steps, checking, replacing.
        let count = Double(plan.steps.count + 3)
        bar.show(0, "copying the store")
        // Copying a file needs no model.
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
            .replacePersistentStore(at: copy, withPersistentStoreFrom: store, type: type)
        try checkVersion(of: copy)
        try plan.migrateStore(at: copy, type: type) { step, fraction in
            let index = plan.steps.firstIndex { $0.destinationModel === step.destinationModel } ?? 0
            bar.show((Double(1 + index) + Double(fraction)) / count, "step \(index + 1) of \(plan.steps.count)")
        }
        bar.show((count - 2) / count, "checking the migrated copy")
        let lines = try check(copy)
        bar.show((count - 1) / count, result == nil ? "replacing the store" : "copying the result")
        return lines
    }

    // MARK: Checking

    /// Checks that no other process has migrated the store since the plan was made.
    private func checkVersion(of copy: URL) throws {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: copy)
        guard plan.steps.first?.sourceModel.hasConfiguration(compatibleWithStoreMetadata: metadata) == false else {
            return
        }
        throw CommandError("Another program migrated \(store.path) during the command. Run the command again.")
    }

    /// Compares the numbers of objects with the numbers in the old store.
    private func check(_ copy: URL) throws -> [String] {
        guard let first = plan.steps.first, let last = plan.steps.last else { return [] }
        let old = try ReadOnlyStore.counts(at: store, first.sourceModel)
        let new = try ReadOnlyStore.counts(at: copy, last.destinationModel)
        let names = inferredNames()
        for (name, count) in new {
            guard let former = names[name], let before = old[former], before != count else { continue }
            throw CommandError(
                """
                The migrated copy has \(Wording.count(count, "object")) of \(name), and the store \(before) of \
                \(former). The store stays as it is.
                """)
        }
        if type == .sqlite { try checkDefects(of: copy, first.sourceModel, last.destinationModel) }
        return ReadOnlyStore.lines(new)
    }

    /// Checks that the copy has no more defects than the store has.
    private func checkDefects(of copy: URL, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel) throws {
        let before = Dictionary(grouping: try SQLiteStoreCheck.defects(at: store.path, model: old), by: \.kind)
            .mapValues { $0.reduce(0) { $0 + $1.count } }
        let after = Dictionary(grouping: try SQLiteStoreCheck.defects(at: copy.path, model: new), by: \.kind)
        for (kind, defects) in after where defects.reduce(0, { $0 + $1.count }) > before[kind] ?? 0 {
            throw CommandError(
                "The migrated copy has defects that the store doesn't have. The store stays as it is. "
                    + defects.map(\.text).joined(separator: " "))
        }
    }

    /// The former names of the entities whose objects all steps keep.
    private func inferredNames() -> [String: String] {
        var names: [String: String]?
        for step in plan.steps {
            guard step.isInferred else { return [:] }
            var next: [String: String] = [:]
            for mapping: NSEntityMapping in step.mappingModel.entityMappings {
                guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName else {
                    continue
                }
                next[destination] = names.map { $0[source] } ?? source
            }
            names = next
        }
        return names ?? [:]
    }
}
