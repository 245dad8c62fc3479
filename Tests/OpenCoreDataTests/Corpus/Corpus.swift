import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

extension Corpus {
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

    /// Paths below the corpus of all source models.
    static let allModels = modelsInXML + storesWithoutModel.map(\.model)

    /// Those in the format of today.
    static let modelsInXML =
        files(in: "chat/zmessaging.xcdatamodeld", ending: ".xcdatamodel")
        + files(in: "shop/SampleModel.xcdatamodeld", ending: ".xcdatamodel")

    /// Paths below the corpus of all stores that have a model cache.
    static let storesWithModel =
        files(in: "chat/stores", ending: ".sqlite").sampled(5) + files(in: "shop", ending: ".sqlite")

    /// Those that SwiftData has made, with composite attributes.
    static let storesOfSwiftData = files(in: "cocktails", ending: ".store")

    static func model(_ path: String) throws -> NSManagedObjectModel {
        let model = try ModelFile.load(at: url(path))
        // The classes belong to other people's programs.
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

    /// Copies a store with its write-ahead log into a folder.
    static func copy(_ path: String, into target: TemporaryFolder) throws -> String {
        try copyStore(path, into: target, as: "copy.sqlite")
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
