import CoreData
import TestSupport

extension ErrorCases {
    private static func openError(
        type: String = NSSQLiteStoreType, model: NSManagedObjectModel = LibraryModel.make(),
        options: [AnyHashable: Any]? = nil, prepare: (URL) throws -> URL = { $0 }
    ) throws -> NSError? {
        let folder = try TemporaryFolder()
        let url = try prepare(folder.file("store.sqlite"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        return thrownError {
            _ = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        }
    }

    private static func writeText(_ url: URL) throws -> URL {
        try Data("Dear diary, this is no database at all.".utf8).write(to: url)
        return url
    }

    static let opening: [String: @Sendable () throws -> NSError?] = [
        "file that is no database": { try openError(prepare: writeText) },
        "folder instead of a file": {
            try openError { url in
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
                return url
            }
        },
        "missing folder": { try openError { $0.appendingPathComponent("missing/store.sqlite") } },
        "missing file": { try openError(options: [NSReadOnlyPersistentStoreOption: true]) },
        "URL that is no file": { try openError { _ in URL(string: "https://example.org/store.sqlite")! } },
        "unknown store type": { try openError(type: "Punched cards") },
        "pragma that is none": { try openError(options: [NSSQLitePragmasOption: ["journal mode": "; --"]]) },
        "store of another model": {
            try openError(model: ValidationModel.make()) { url in
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
                try coordinator.remove(
                    coordinator.addPersistentStore(
                        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil))
                return url
            }
        },
        "metadata of a missing store": {
            let folder = try TemporaryFolder()
            return thrownError {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType, at: folder.file("store.sqlite"), options: nil)
            }
        },
        "model of a missing store": {
            let folder = try TemporaryFolder()
            return thrownError {
                _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(
                    at: folder.file("store.sqlite"), options: nil)
            }
        },
        "destroying what is no store": {
            let folder = try TemporaryFolder()
            let url = try writeText(folder.file("store.sqlite"))
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            return thrownError {
                try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
            }
        },
    ]

    static let models: [String: @Sendable () throws -> NSError?] = [
        "mapping that can't be inferred": { try inferenceError(newAttributes: ["a"]) },
        "mapping that can't be inferred for two reasons": { try inferenceError(newAttributes: ["a", "b"]) },
        "missing model": {
            thrownError {
                _ = try NSManagedObjectModel.checksumsForVersionedModel(
                    at: URL(fileURLWithPath: "/nowhere/Library.momd"))
            }
        },
        "predicate that can't be archived": {
            thrownError {
                _ = try NSKeyedArchiver.archivedData(
                    withRootObject: NSPredicate { _, _ in true }, requiringSecureCoding: true)
            }
        },
        "archive of something else": {
            thrownError {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: Data([1, 2, 3]))
            }
        },
    ]

    private static func inferenceError(newAttributes names: [String]) throws -> NSError? {
        let old = model([entity("Thing", [attribute("name", .stringAttributeType)])])
        let new = model([
            entity(
                "Thing",
                [attribute("name", .stringAttributeType)]
                    + names.map { attribute($0, .stringAttributeType, optional: false) })
        ])
        return thrownError {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        }
    }
}
