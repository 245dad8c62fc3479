// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The stages of a plan that lead a store to the schema of a container.
struct StagedPlan {
    let configuration: ModelConfiguration
    let versions: PlanVersions
    /// The position of the store's version.
    let start: Int
    /// The position of the version to which the store is migrated.
    let end: Int

    /// The stages that are executed.
    var stages: ArraySlice<MigrationStage?> { versions.stages[start..<end] }

    /// Whether code of the program runs.
    var hasCode: Bool { stages.contains { $0?.hasCode ?? false } }

    /// Migrates the store.
    ///
    /// - Parameters:
    ///   - timeout: the seconds to wait until other processes have closed the store; nil for the default.
    ///   - progress: called when the migration has got on. An error ends it.
    /// - Throws: the error of a stage's closure, changed to name the store if the library has made it; otherwise
    ///   `SwiftDataError.loadIssueModelContainer`. The store is then as before.
    func run(timeout: TimeInterval? = nil, progress: ((MigrationProgress) throws -> Void)? = nil) throws {
        try checkElements()
        let thrown = Locked<(any Error)?>(nil)
        let manager = NSStagedMigrationManager(
            (start..<end).map { index in
                stage(versions.stages[index], from: versions.versions[index], to: versions.versions[index + 1], thrown)
            })
        manager.makeContainer = { [configuration, versions] model in
            // The model of a stage may have further default values.
            let version = versions.versions.first { $0.model.versionChecksum == model.versionChecksum }
            return NSPersistentContainer(name: configuration.name, managedObjectModel: version?.model ?? model)
        }
        if let progress {
            manager.progressHandler = { step, count, part in
                let index = start + step
                try Self.noting(thrown) {
                    try progress(
                        MigrationProgress(
                            from: versions.versions[index].type, to: versions.versions[index + 1].type,
                            completedStages: step + (part < 1 ? 0 : 1), totalStages: count,
                            fractionCompleted: (Double(step) + Double(part)) / Double(count)))
                }
            }
        }
        var options = ContainerStores.description(of: configuration, isOnly: true).options as [AnyHashable: Any]
        if let timeout { options[NSPersistentStoreTimeoutOption] = NSNumber(value: timeout) }
        do {
            try IsolatedStagedMigration(
                at: configuration.url, ofType: NSSQLiteStoreType, options: options,
                model: versions.versions[end].model, manager: manager
            ).run(isOnCopy: end - start > 1 || hasCode)
        } catch {
            if let own = thrown.withLock({ $0 }) { throw naming(own) }
            throw SwiftDataError(
                .loadIssueModelContainer,
                """
                The store '\(configuration.name)' at \(configuration.place) can't be migrated from \
                \(versions.versions[start].name) to \(versions.versions[end].name), and is as before. \
                \(ContainerStores.reason(error))
                """)
        }
    }

    /// An error of a closure. If the library has made it, for example for a save, it is changed to name the store in
    /// place of the copy.
    private func naming(_ error: any Error) -> any Error {
        let copy = StoreReplacement(at: configuration.url, type: .sqlite)
        guard let error = error as? SwiftDataError else { return copy.naming(error) }
        return SwiftDataError(error.kind, error.explanation.map { copy.naming($0) })
    }

    private func checkElements() throws {
        let problems = (start..<end).flatMap { index in
            NewElements.problems(from: versions.versions[index], to: versions.versions[index + 1])
        }
        guard problems.isEmpty else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                """
                The store '\(configuration.name)' at \(configuration.place) can't be migrated from \
                \(versions.versions[start].name) to \(versions.versions[end].name). \(problems.joined(separator: "\n"))
                """)
        }
    }

    // MARK: Stages

    /// The stage of Core Data. It refers to the models of both versions, so that the older ones are found.
    private func stage(
        _ stage: MigrationStage?, from: PlanVersion, to: PlanVersion, _ thrown: Locked<(any Error)?>
    ) -> NSMigrationStage {
        let values = stage?.willMigrate == nil ? nil : RequiredValues(from: from, to: to)
        let result = NSCustomMigrationStage(migratingFrom: from.reference, to: values?.reference ?? to.reference)
        result.label = "\(from.name) to \(to.name)"
        if let handler = stage?.willMigrate {
            result.willMigrateHandler = call(handler, from, thrown) { try values?.check($0) }
        }
        if let handler = stage?.didMigrate { result.didMigrateHandler = call(handler, to, thrown) }
        return result
    }

    /// Calls a closure of a stage with a context of a version.
    private func call(
        _ handler: @escaping MigrationStage.Handler, _ version: PlanVersion, _ thrown: Locked<(any Error)?>,
        checking check: @escaping (ModelContext) throws -> Void = { _ in }
    ) -> (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void {
        { [configuration] manager, stage in
            guard let coordinator = manager.container?.persistentStoreCoordinator else { return }
            KnownSchemas.add(version.model)
            let core = ContainerCore(of: version, configuration, coordinator)
            let context = ModelContext(ModelContainer(core))
            try Self.noting(thrown) { try handler(context) }
            if context.hasChanges {
                CoreDataLog.warning(
                    """
                    A closure of the stage \(stage.label ?? "") of a migration plan has left changes unsaved. They are \
                    dropped: call save().
                    """)
                context.rollback()
            }
            try Self.noting(thrown) { try check(context) }
        }
    }

    /// Keeps an error of the program, which is thrown as it is.
    private static func noting(_ thrown: Locked<(any Error)?>, _ body: () throws -> Void) throws {
        do { try body() } catch {
            thrown.withLock { $0 = error }
            throw error
        }
    }
}
