import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata store migrate STORE --model M`
struct StoreMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates a store to another version of its model.",
        discussion: """
            The shortest way is taken: in one step, or through the versions beside the model and in --through. A step
            needs a mapping model, or one that can be inferred. A mapping model whose policy class belongs to a program
            can only be executed by this program.

            All work on a file is done on a copy. The copy is checked: each entity that is only renamed has as many
            objects as before, and SQLite finds no damage. Then it replaces the store, or becomes the file of --output.
            The store must not be in use.

            A store on a PostgreSQL server is migrated in place, by lightweight steps alone, each in one transaction.
            With --defer, columns and tables that only older programs use stay, so that these can go on; --finish
            removes what stays.
            """)

    @Argument(
        help: ArgumentHelp(
            "A SQLite, XML or binary store, or postgresql://USER@HOST/DATABASE?schema=NAME.", valueName: "store"))
    var store: StoreLocation

    @Option(help: ArgumentHelp("The model to migrate to; of a bundle the current version.", valueName: "path"))
    var model: FilePath

    @Option(help: ArgumentHelp("A mapping model (.cdm, .xcmappingmodel) for a step.", valueName: "file"))
    var mapping: [FilePath] = []

    @Option(help: ArgumentHelp("A bundle or folder with versions to pass.", valueName: "path"))
    var through: [FilePath] = []

    @Option(help: ArgumentHelp("The new store. The old one stays as it is.", valueName: "file"))
    var output: FilePath?

    @Flag(help: "Replace an existing store at --output.")
    var force = false

    @Flag(help: "Print the plan alone.")
    var dryRun = false

    @Flag(help: "Leave what only older programs use. For stores on a server.")
    var `defer` = false

    @Flag(help: "Remove what migrations with --defer have left. For stores on a server.")
    var finish = false

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
        let url = store.url
        let type = try StoreFile.type(of: url)
        if let output, !force, FileManager.default.fileExists(atPath: output.text) {
            throw CommandError("\(output.text) exists. Replace it with --force.")
        }
        guard let route = try route(url, type) else {
            if finish { return try InPlaceMigration(store: store).finish(ModelSource.model(at: model.text)) }
            return try StandardStreams.outputText("\(store.text) has the version of the model. There is nothing to do.")
        }
        let plan = try ProgressiveMigration(route)
        try describe(route, plan)
        if dryRun { return }
        try StandardStreams.flush()
        if store.isOnServer {
            let migration = InPlaceMigration(store: store)
            try migration.run(plan, isDeferred: self.defer)
            if finish, let last = plan.steps.last { try migration.finish(last.destinationModel) }
            return
        }
        let migration = CopyMigration(
            store: url, type: type, result: output.map { URL(fileURLWithPath: $0.text) }, plan: plan)
        for line in try migration.run() { try StandardStreams.outputText(line) }
    }

    /// The shortest way; nil if the store has the version already.
    private func route(_ url: URL, _ type: NSPersistentStore.StoreType) throws -> MigrationRoute? {
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
        guard let route = gap.route else {
            throw CommandError("\(store.text) can't be migrated. \(gap.originText) \(gap.remedyText())")
        }
        try StandardStreams.outputText("\(store.text): \(gap.originText)")
        return route
    }

    private func describe(_ route: MigrationRoute, _ plan: ProgressiveMigration) throws {
        for (index, (step, planned)) in zip(route.steps, plan.steps).enumerated() {
            let name = step.version?.text ?? "the model \(URL(fileURLWithPath: model.text).lastPathComponent)"
            let way: String =
                switch step.way {
                case .inferred: "lightweight"
                case .mappingModel(let mapping): "mapping model \(mapping.name)"
                }
            try StandardStreams.outputText("\(index + 1). to \(name): \(way); \(Self.summary(planned))")
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
