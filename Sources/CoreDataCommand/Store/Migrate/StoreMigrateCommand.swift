// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata store migrate STORE --model M`
struct StoreMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates a store to another version of its model.",
        discussion: """
            The way is one step, or several through the versions beside the model and in --through. A step needs a \
            mapping model, or one that can be inferred. Mapping models come before inference: those of --mapping are \
            used, or the store isn't migrated; an inferred step passes over no other one, if there is a way. Among \
            such ways the shortest is taken. A mapping model whose policy class belongs to a program can only be \
            executed by this program.

            Objects of entities and values of properties that the new model doesn't have are counted. They are deleted \
            only with --allow-loss, or after the question on a terminal.

            All work on a file is done on a copy. The copy is checked: each entity that is only renamed has as many \
            objects as before, and SQLite finds no damage. Then it replaces the store, or becomes the file of \
            --output. The store must not be in use.

            A store on a PostgreSQL server is migrated in place, by lightweight steps alone, each in one transaction. \
            With --defer, columns and tables that only older programs use stay, so that these can go on; --finish \
            removes what stays.
            """)

    @Argument(
        help: ArgumentHelp(
            "A SQLite, XML or binary store, or postgresql://USER@HOST/DATABASE?schema=NAME.", valueName: "store"))
    var store: StoreLocation

    @Option(help: ArgumentHelp("The model to migrate to; of a bundle the current version.", valueName: "path"))
    var model: FilePath

    @Option(
        help: ArgumentHelp("A mapping model (.cdm, .xcmappingmodel) that a step has to use.", valueName: "file"))
    var mapping: [FilePath] = []

    @Option(
        help: ArgumentHelp("A bundle or folder with versions to pass, and mapping models for them.", valueName: "path"))
    var through: [FilePath] = []

    @Option(help: ArgumentHelp("The new store. The old one stays as it is.", valueName: "file"))
    var output: FilePath?

    @Flag(help: "Replace an existing store at --output.")
    var force = false

    @Flag(help: "Delete what the new model doesn't have.")
    var allowLoss = false

    @Flag(help: "Print the plan alone.")
    var dryRun = false

    @Flag(help: "Leave what only older programs use. For stores on a server.")
    var `defer` = false

    @Flag(help: "Remove what migrations with --defer have left. For stores on a server.")
    var finish = false

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func validate() throws {
        if store.isOnServer {
            guard output == nil else {
                throw ValidationError("--output takes files. Copy the store first: coredata store copy.")
            }
        } else if self.defer || finish {
            throw ValidationError("--defer and --finish concern stores on a server alone.")
        }
    }

    func run() throws {
        let output = MigrateOutput(store: store.text, format: format)
        try output.finish(migrate(output))
    }

    private func migrate(_ output: MigrateOutput) throws -> MigrateOutput.Status {
        let url = store.url
        let type = try StoreFile.type(of: url)
        store.removeLeftovers()
        if let result = self.output {
            try CopyDestination(url: URL(fileURLWithPath: result.text), text: result.text).check(
                source: url, replaces: force)
        }
        guard let (route, search) = try route(url, type, output) else {
            if finish {
                try InPlaceMigration(store: store, output: output).finish(ModelSource.model(at: model.text))
            } else if let result = self.output {
                // The file of --output is there in any case.
                if !dryRun {
                    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                        at: URL(fileURLWithPath: result.text), withPersistentStoreFrom: url, type: type)
                }
                try output.line(
                    "\(store.text) has the version of the model. \(result.text) "
                        + (dryRun ? "would be a copy of it." : "is a copy of it."))
            } else {
                try output.line("\(store.text) has the version of the model. There is nothing to do.")
            }
            return .upToDate
        }
        let plan = try ProgressiveMigration(route)
        let loss = try LossReport(of: route, at: url)
        output.steps = lines(route, plan, search)
        output.losses = loss.entries
        for line in output.steps + loss.lines { try output.line(line) }
        try StandardStreams.flush()
        try checkPolicies(of: route)
        if dryRun { return .planned }
        if !loss.entries.isEmpty, !allowLoss, !self.defer || finish {
            guard StandardStreams.isInteractive, StandardStreams.ask(loss.question) else { throw loss.refusal }
        }
        if store.isOnServer {
            let migration = InPlaceMigration(store: store, output: output)
            try migration.run(plan, isDeferred: self.defer)
            if finish, let last = plan.steps.last { try migration.finish(last.destinationModel) }
            return .migrated
        }
        try StandardStreams.removeUnfinishedFilesAtEnd()
        let migration = CopyMigration(
            store: url, type: type, result: self.output.map { URL(fileURLWithPath: $0.text) }, plan: plan)
        for line in try migration.run() { try output.line(line) }
        return .migrated
    }

    // MARK: The way

    /// The plan, and the search that has found it; nil if the store has the version already.
    private func route(_ url: URL, _ type: NSPersistentStore.StoreType, _ output: MigrateOutput) throws -> (
        MigrationRoute, MigrationRouteSearch
    )? {
        let destination = try ModelSource.model(at: model.text)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: type, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        let cached =
            type == .sqlite || store.isOnServer
            ? try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url) : nil
        let expected = StoreIncompatibility.expectedHashes(of: destination, source: cached, storeHashes: hashes)
        if hashes == expected { return nil }
        let known = try KnownModels(paths: ([model] + through + mapping).map(\.text))
        let gap = StoreIncompatibility(
            storeHashes: hashes, expected: expected, model: destination, cachedModel: cached,
            versions: known.versions, mappings: known.mappings, passesVersions: true)
        let files = Set(mapping.map { URL(fileURLWithPath: $0.text) })
        let named = known.mappings.filter { $0.url.map(files.contains) ?? false }
        guard gap.sourceModel != nil else {
            throw CommandError(
                "\(store.text) can't be migrated. \(gap.originText) Add the model that made the store with --through.")
        }
        guard let search = gap.search, let route = search.route(using: named) else {
            let unused = gap.search?.unused(by: gap.route).filter { unused in
                named.contains { $0.model === unused.mapping.model }
            }
            guard gap.route != nil, let unused, !unused.isEmpty else {
                throw CommandError("\(store.text) can't be migrated. \(gap.originText) \(gap.remedyText())")
            }
            throw CommandError(
                """
                \(store.text) isn't migrated. \(unused.map(\.text).joined(separator: " ")) Leave it out, or add the \
                versions that it needs with --through.
                """)
        }
        try output.line("\(store.text): \(gap.originText)")
        return (route, search)
    }

    private func lines(_ route: MigrationRoute, _ plan: ProgressiveMigration, _ search: MigrationRouteSearch)
        -> [String]
    {
        let destination = "the model \(URL(fileURLWithPath: model.text).lastPathComponent)"
        return route.lines(destination: destination) { Self.summary(plan.steps[$0]) }
            + search.unused(by: route).map(\.text)
    }

    /// Checks that no step needs a class of a program.
    private func checkPolicies(of route: MigrationRoute) throws {
        for mapping in route.mappings {
            guard let name = mapping.policies.first else { continue }
            throw CommandError(
                """
                The mapping model \(mapping.name) needs the class \(name), which belongs to a program. Migrate the \
                store by this program. The store stays as it is.
                """)
        }
    }

    /// How many entities are treated in which way.
    private static func summary(_ step: ProgressiveMigration.Step) -> String {
        let mappings: [NSEntityMapping] = step.mappingModel.entityMappings
        func count(_ types: NSEntityMappingType...) -> Int { mappings.count { types.contains($0.mappingType) } }
        let parts = [
            (count(.copyEntityMappingType), "unchanged"), (count(.transformEntityMappingType), "changed"),
            (count(.customEntityMappingType, .undefinedEntityMappingType), "migrated by a policy"),
            (count(.addEntityMappingType), "added"), (count(.removeEntityMappingType), "removed"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\(Wording.count($0.0, "entity")) \($0.1)" }.joined(separator: ", ")
    }
}
