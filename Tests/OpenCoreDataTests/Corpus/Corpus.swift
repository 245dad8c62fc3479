import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

/// The corpus of real models and stores, where it is at hand.
enum Corpus {
    static let folder: URL? = {
        let given = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = given ?? root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent("chat").path) ? folder : nil
    }()

    static var isPresent: Bool { folder != nil }

    /// Scripts written independently of this package, beside the corpus: `store_schema` predicts a store's SQL from a
    /// model, `momdump` reads models of every form.
    static func script(_ name: String) -> URL? {
        guard let folder, python != nil else { return nil }
        let script = folder.deletingLastPathComponent().appendingPathComponent("tools/\(name).py")
        return FileManager.default.fileExists(atPath: script.path) ? script : nil
    }

    static let hasScripts = script("store_schema") != nil && script("momdump") != nil

    private static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .map { URL(fileURLWithPath: $0) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

    static func models(in bundle: String) -> [String] {
        guard let folder,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(bundle).path)
        else { return [] }
        return names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { bundle + "/" + $0 }
    }

    /// Paths below the corpus of all source models.
    static let allModels = modelsInXML + oldStores.map(\.model)

    /// Those in the format of today.
    static let modelsInXML = models(in: "chat/zmessaging.xcdatamodeld") + models(in: "shop/SampleModel.xcdatamodeld")

    /// Stores of frameworks that kept no model, with the source models that they were made from.
    static let oldStores: [(store: String, model: String)] = [
        ("recipes/Recipes.sqlite", "recipes/Recipes.xcdatamodeld"),
        ("tweets/RKSeedDatabase.sqlite", "tweets/RKTwitterCoreData.xcdatamodel"),
    ]

    /// Paths below the corpus of all stores that keep their model.
    static let storesWithModel: [String] = {
        guard let folder else { return [] }
        return ["chat/stores", "shop"].flatMap { place -> [String] in
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(place).path)) ?? []
            return names.filter { $0.hasSuffix(".sqlite") }.sorted().map { place + "/" + $0 }
        }
    }()

    static func url(_ path: String) throws -> URL {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return folder.appendingPathComponent(path)
    }

    static func model(_ path: String) throws -> NSManagedObjectModel {
        let model = try ModelFile.load(at: url(path))
        // The classes are those of other people's programs.
        model.ignoresClassNames = true
        return model
    }

    /// The source model with the same version hashes as a store; the first, where editions differ in what hashes leave
    /// out.
    static func sourceModel(of store: URL) throws -> String {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: store)
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], let path = pathsByHashes[hashes]
        else {
            throw CocoaError(.fileNoSuchFile)
        }
        return path
    }

    private static let pathsByHashes: [[String: Data]: String] = Dictionary(
        modelsInXML.compactMap { path in (try? model(path)).map { ($0.entityVersionHashesByName, path) } },
        uniquingKeysWith: { first, _ in first })

    /// Copies a store with its log into a folder.
    static func copy(_ path: String, into target: TemporaryFolder) throws -> String {
        let source = try url(path).path
        let copy = target.path("copy.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: copy + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy + suffix)
        }
        return copy
    }

    /// Runs a script and gives what it prints and its exit code.
    static func run(_ name: String, _ arguments: [String]) throws -> (output: String, code: Int32) {
        guard let script = script(name) else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = python
        process.arguments = [script.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }
}
