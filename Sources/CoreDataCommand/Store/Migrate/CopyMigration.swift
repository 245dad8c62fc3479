import CoreDataModel
import OpenCoreData

/// Migrates a copy of a store, checks it, and puts it in its place.
struct CopyMigration {
    let store: URL
    let type: NSPersistentStore.StoreType
    /// The file of the result; nil to replace the store.
    let result: URL?
    let plan: ProgressiveMigration

    /// Migrates.
    ///
    /// - Returns: what to tell: the number of objects of each entity, and where the result is.
    func run() throws -> [String] {
        // The copies need no model of their own.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        // On the disk of the store, so that there is room for it, and with all files that belong to it.
        let folder = store.deletingLastPathComponent()
            .appendingPathComponent(".\(store.lastPathComponent).\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent(store.lastPathComponent)
        try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: store, type: type)
        let bar = ProgressBar(count: plan.steps.count)
        do {
            try plan.migrateStore(at: copy, type: type) { step, fraction in
                bar.show(plan.steps.firstIndex { $0.destinationModel === step.destinationModel } ?? 0, fraction)
            }
        } catch {
            bar.clear()
            throw error
        }
        bar.clear()
        let lines = try check(copy)
        let target = result ?? store
        try coordinator.replacePersistentStore(at: target, withPersistentStoreFrom: copy, type: type)
        return lines + ["\(target.path) is migrated."]
    }

    // MARK: Checking

    /// Compares the numbers of objects with those of the old store.
    private func check(_ copy: URL) throws -> [String] {
        guard let first = plan.steps.first, let last = plan.steps.last else { return [] }
        let old = try Self.counts(store, type, first.sourceModel)
        let new = try Self.counts(copy, type, last.destinationModel)
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
        let rows = new.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
        return ColumnLayout(rows: rows).lines.map { "  \($0)" }
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

    private static func counts(_ url: URL, _ type: NSPersistentStore.StoreType, _ model: NSManagedObjectModel) throws
        -> [String: Int]
    {
        guard let model = model.copy() as? NSManagedObjectModel else { return [:] }
        // This process doesn't have the classes and the transformers of the model.
        StoredBytesTransformer.use(in: model)
        model.ignoresClassNames = true
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        let configuration =
            ([nil] + model.configurations.map(Optional.some))
            .first { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) } ?? nil
        let store = try coordinator.addPersistentStore(
            type: type, configuration: configuration, at: url,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            var counts: [String: Int] = [:]
            for entity in model.entities(forConfigurationName: configuration) ?? model.entities
            where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                counts[entity.name ?? ""] = try context.count(for: request)
            }
            return counts
        }
    }
}
