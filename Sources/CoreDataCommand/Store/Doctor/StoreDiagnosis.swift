// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPostgreSQL
import OpenCoreData

/// The findings of `coredata store doctor` about a store.
struct StoreDiagnosis {
    /// A model to which the store may be migrated.
    struct Destination {
        let name: String
        /// Nil if the store is of this model.
        let incompatibility: StoreIncompatibility?

        /// The mapping models that the migration doesn't use.
        var unusedMappings: [MigrationRouteSearch.UnusedMapping] {
            incompatibility.flatMap { gap in gap.search?.unused(by: gap.route) } ?? []
        }
    }

    let path: String
    /// The number of entities in the store's metadata.
    let entityCount: Int
    /// The known version that made the store.
    let version: ModelVersion?
    /// The version identifiers in the metadata.
    let versionIdentifiers: [String]
    /// Whether the store contains the model that made it.
    let containsModel: Bool
    /// Whether the model that made the store is known, so that its tables and rows were examined.
    let isExamined: Bool
    let destination: Destination?
    /// The objects and values that the migration would delete; nil if they aren't known.
    let loss: LossReport?
    /// The steps of the migration; nil without `--steps`, and for a migration that is not lightweight.
    let steps: MigrationSteps?
    let defects: [StoreDefect]
    /// The findings about CloudKit's mirror; nil if the store isn't one of SQLite, or is damaged.
    let cloudKit: CloudKitReport?
    /// The model that made the store; nil if it isn't known.
    let model: NSManagedObjectModel?
    /// The work on a copy of the store, with `--repair`.
    var repair: StoreRepair.Result?
    let files: [StoreFiles.File]
    /// Whether the store is on a server: it has no files.
    let isOnServer: Bool
    /// An XML or a binary store, in words; nil for a database.
    let kindInMemory: String?

    /// - Parameter showsSteps: whether the steps of a lightweight migration are planned.
    init(
        _ location: StoreLocation, known: KnownModels, destination modelPath: String?, showsSteps: Bool
    ) throws {
        let (path, url) = (location.text, location.url)
        self.path = path
        isOnServer = location.isOnServer
        // Before the store is opened: reading may make side files.
        let kind = StoreFile.kindWithoutModel(try StoreFile.type(of: url))
        kindInMemory = kind
        files = isOnServer ? [] : Self.files(path, kind)
        let metadata = try StoreFile.metadata(at: url)
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        entityCount = hashes.count
        versionIdentifiers = (metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []).filter { !$0.isEmpty }
        // The check reports a cached model that can't be read.
        let cached = try? NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
        containsModel = StoreIncompatibility.sourceModel(of: hashes, cached, nil) != nil
        version = StoreIncompatibility.version(of: hashes, among: known.versions)
        let target = try Self.target(modelPath, known, hashes)
        let current = target.flatMap { $0.1.hasConfiguration(compatibleWithStoreMetadata: metadata) ? $0.1 : nil }
        let source = StoreIncompatibility.sourceModel(of: hashes, cached, version) ?? current
        model = source
        isExamined = source != nil
        destination = target.map { name, model in
            let expected = StoreIncompatibility.expectedHashes(of: model, source: source, storeHashes: hashes)
            return Destination(
                name: name,
                incompatibility: hashes == expected
                    ? nil
                    : StoreIncompatibility(
                        storeHashes: hashes, expected: expected, model: model, cachedModel: cached,
                        versions: known.versions, mappings: known.mappings, passesVersions: true))
        }
        if isOnServer {
            let defects = try source.map { try PostgreSQLStoreCheck.defects(at: url, model: $0) } ?? []
            self.defects = defects
            loss = try defects.isEmpty ? Self.loss(destination, url) : nil
            steps = try showsSteps && defects.isEmpty ? Self.steps(destination, location) : nil
            cloudKit = nil
            return
        }
        if kind != nil {
            let defects = try source.map { try InMemoryStoreCheck.defects(at: url, model: $0) } ?? []
            self.defects = defects
            loss = try defects.allSatisfy(\.kind.leavesStoreReadable) ? Self.loss(destination, url) : nil
            steps = nil
            cloudKit = nil
            return
        }
        var defects = try SQLiteStoreCheck.defects(at: path, model: source)
        let isReadable = defects.allSatisfy { $0.kind.leavesStoreReadable }
        if let source, isReadable { defects += try Self.unreadableValues(url, source) }
        loss = try isReadable ? Self.loss(destination, url) : nil
        steps = try showsSteps && isReadable ? Self.steps(destination, location) : nil
        cloudKit = try Self.cloudKit(path, source, defects)
        self.defects = defects
    }

    private static func files(_ path: String, _ kind: String?) -> [StoreFiles.File] {
        StoreFiles(of: path).files.map { file in
            kind == nil ? file : StoreFiles.File(path: file.path, size: file.size, role: "the store")
        }
    }

    private static func loss(_ destination: Destination?, _ url: URL) throws -> LossReport? {
        try destination?.incompatibility?.route.map { try LossReport(of: $0, at: url) }
    }

    private static func steps(_ destination: Destination?, _ location: StoreLocation) throws -> MigrationSteps? {
        guard let route = destination?.incompatibility?.route, route.isLightweight, let step = route.steps.first else {
            return nil
        }
        return try MigrationSteps(of: location, from: step.source, to: step.destination)
    }

    private static func target(_ path: String?, _ known: KnownModels, _ hashes: [String: Data]) throws
        -> (String, NSManagedObjectModel)?
    {
        if let path {
            let version = try ModelVersion.versions(at: URL(fileURLWithPath: path)).first(where: \.isCurrent)
            guard let version else {
                throw CommandError("\(path) doesn't say which of its versions is the current one.")
            }
            return (version.text, try version.model())
        }
        return try known.current(for: hashes).map { ($0.text, try $0.model()) }
    }

    /// Values that can't be read as the model says, by attribute.
    private static func unreadableValues(_ url: URL, _ model: NSManagedObjectModel) throws -> [StoreDefect] {
        let store = try ReadOnlyStore(url: url, model: model)
        var problems: [[String]: [StoredValueProblem]] = [:]
        for entity in store.entities where entity.superentity == nil {
            for problem in try store.coordinator.storedValueProblems(of: entity) {
                problems[[problem.entityName, problem.keyPath], default: []].append(problem)
            }
        }
        return problems.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, problems in
            StoreDefect(
                .unreadableValue, entity: key[0], property: key[1], count: problems.count,
                primaryKeys: problems.map(\.primaryKey).sorted().prefix(5).map { $0 },
                problems.count == 1
                    ? "the value \(problems[0].finding)"
                    : "\(problems.count) values can't be read; the first \(problems[0].finding)")
        }
    }

    private static func cloudKit(
        _ path: String, _ model: NSManagedObjectModel?, _ defects: [StoreDefect]
    ) throws -> CloudKitReport? {
        do {
            return try SQLiteCloudKitCheck.report(at: path, model: model)
        } catch let error as NSError
            where error.code == NSFileReadCorruptFileError && defects.contains(where: { $0.kind == .damagedDatabase })
        {
            return nil
        }
    }

    /// Whether there is anything to mend: in the copy, if the store was repaired into one.
    var hasProblems: Bool {
        !defects.isEmpty || destination?.incompatibility.map { $0.route == nil } ?? false
            || repair == nil && cloudKit?.problems.isEmpty == false
    }
}

extension StoreDefect.Kind {
    /// Whether the store can be opened in spite of such a defect.
    fileprivate var leavesStoreReadable: Bool {
        ![.damagedDatabase, .missingTable, .missingColumn].contains(self)
    }
}
