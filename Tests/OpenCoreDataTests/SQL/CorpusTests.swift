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

    /// The script that predicts a store's SQL from a model, written independently of this package.
    static let checker: URL? = folder.flatMap {
        let script = $0.deletingLastPathComponent().appendingPathComponent("tools/store_schema.py")
        return FileManager.default.fileExists(atPath: script.path) && python != nil ? script : nil
    }

    private static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .map { URL(fileURLWithPath: $0) }.first { FileManager.default.isExecutableFile(atPath: $0.path) }

    static func models(in bundle: String) -> [String] {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(bundle).path)
        else { return [] }
        return names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { bundle + "/" + $0 }
    }

    /// Paths below the corpus of all source models in XML.
    static let allModels = models(in: "chat/zmessaging.xcdatamodeld") + models(in: "shop/SampleModel.xcdatamodeld")

    /// Paths below the corpus of all stores that keep their model.
    static let storesWithModel: [String] = {
        guard let folder else { return [] }
        return ["chat/stores", "shop"].flatMap { place -> [String] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(place).path)) ?? []
            return names.filter { $0.hasSuffix(".sqlite") }.sorted().map { place + "/" + $0 }
        }
    }()

    static func model(_ path: String) throws -> NSManagedObjectModel {
        try ModelFile.load(at: folder!.appendingPathComponent(path))
    }

    /// Copies a store with its log into a folder.
    static func copy(_ path: String, into target: TemporaryFolder) throws -> String {
        let source = folder!.appendingPathComponent(path).path
        let copy = target.path("copy.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: copy + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy + suffix)
        }
        return copy
    }

    /// Runs the checker and gives what it prints and its exit code.
    static func check(_ arguments: [String]) throws -> (output: String, code: Int32) {
        let process = Process()
        process.executableURL = python
        process.arguments = [checker!.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }
}

@Suite("Real models and stores", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct CorpusTests {
    let folder = try! TemporaryFolder()

    @Test(
        "a store made from a model has the SQL that an independent script predicts",
        .enabled(if: Corpus.checker != nil, "the checker or python3 is not at hand"), arguments: Corpus.allModels)
    func predictedSQL(path: String) throws {
        let model = try Corpus.model(path)
        let store = folder.path("new.sqlite")
        do { _ = try SQLiteStoreFile.open(at: store, model: model) }
        let (output, code) = try Corpus.check(["compare", Corpus.folder!.appendingPathComponent(path).path, store])
        #expect(code == 0)
        #expect(output.contains("exact True numbers True order True"), "\(output)")
        let (cached, _) = try Corpus.check(["compare", "--cache", store])
        #expect(cached.contains("exact True numbers True order True"), "\(cached)")
    }

    @Test("a store of Apple's opens for writing by the model that it keeps", arguments: Corpus.storesWithModel)
    func opens(path: String) throws {
        let copy = try Corpus.copy(path, into: folder)
        let model = try #require(try SQLiteStoreFile.cachedModel(at: copy))
        let store = try SQLiteStoreFile.open(at: copy, model: model)
        #expect(!store.wasCreated)
        try store.write(metadata: store.metadata)
        #expect(try store.connection.pragma("integrity_check") == "ok")
        // Every row's entity is one of its table's.
        for table in store.schema.tables {
            let strange = try store.connection.integer(
                "SELECT COUNT(*) FROM \(table.name) WHERE Z_ENT NOT BETWEEN ? AND ?",
                [.integer(Int64(table.root.numbers.lowerBound)), .integer(Int64(table.root.numbers.upperBound))])
            #expect(strange == 0)
        }
    }

    @Test(
        "a store of an old framework, which keeps no model, opens with the model given",
        arguments: [("recipes", "Recipes"), ("tweets", "Tweets")])
    func opensOldStore(place: String, name: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder!.appendingPathComponent(place).path)
        let modelName = try #require(names.first { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".xcdatamodeld") })
        let storeName = try #require(names.first { $0.hasSuffix(".sqlite") || $0.hasSuffix(".storedata") })
        let copy = try Corpus.copy(place + "/" + storeName, into: folder)
        #expect(try SQLiteStoreFile.cachedModel(at: copy) == nil)
        let store = try SQLiteStoreFile.open(at: copy, model: Corpus.model(place + "/" + modelName))
        #expect(try store.connection.pragma("integrity_check") == "ok")
    }
}
