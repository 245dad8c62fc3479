// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPostgreSQL
import OpenCoreData

/// Migrates a store on a server where it is.
struct InPlaceMigration {
    let store: StoreLocation
    let output: MigrateOutput

    /// Migrates in the steps of a plan. Each step is one transaction.
    ///
    /// - Parameter isDeferred: whether the parts of the store that only older programs use may stay.
    func run(_ plan: ProgressiveMigration, isDeferred: Bool) throws {
        if let step = plan.steps.first(where: { !$0.isInferred }) {
            let count = Wording.count(step.mappingModel.entityMappings.count, "entity mapping")
            throw CommandError(
                """
                A step has a mapping model (\(count)), and a store on a server is migrated by lightweight steps alone. \
                Migrate it by a program with NSMigrationManager into another schema, or copy it to a file and back: \
                coredata store copy.
                """)
        }
        let bar = ProgressBar()
        defer { bar.clear() }
        for (index, step) in plan.steps.enumerated() {
            bar.show(Double(index) / Double(plan.steps.count), "step \(index + 1) of \(plan.steps.count)")
            let isLeft = try PostgreSQLClosedMigration(at: store.url).migrate(
                to: Self.copy(step.destinationModel), isDeferred: isDeferred)
            guard index == plan.steps.count - 1 else { continue }
            bar.clear()
            let counts = try ReadOnlyStore.counts(at: store.url, step.destinationModel)
            for line in ReadOnlyStore.lines(counts) { try output.line(line) }
            try output.line(
                "\(store.text) is migrated."
                    + (isLeft ? " What only older programs use is left: --finish removes it." : ""))
        }
    }

    /// Removes what migrations have left for older programs.
    func finish(_ model: NSManagedObjectModel) throws {
        let isRemoved = try PostgreSQLClosedMigration(at: store.url).finish(Self.copy(model))
        try output.line(
            isRemoved
                ? "What only older programs used is removed from \(store.text)."
                : "Nothing of older versions is left in \(store.text).")
    }

    /// A migration freezes its model, and a frozen one can't be changed for reading.
    private static func copy(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        model.copy() as? NSManagedObjectModel ?? model
    }
}
