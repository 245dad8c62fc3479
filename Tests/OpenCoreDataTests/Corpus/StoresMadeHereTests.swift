import OpenCoreData
import Testing

@Suite(
    "Stores made here from real models",
    .enabled(if: Corpus.hasScripts, "the corpus, its scripts or python3 are not at hand"))
struct StoresMadeHereTests {
    let folder = try! TemporaryFolder()

    private func makeStore(from path: String, withHistory: Bool = false) throws -> URL {
        let url = folder.url.appendingPathComponent("Made.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Corpus.model(path))
        let options = withHistory ? [NSPersistentHistoryTrackingKey: NSNumber(value: true)] : nil
        try coordinator.remove(
            coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options))
        return url
    }

    private func differences(_ model: String, _ store: URL) throws -> [String] {
        let (output, _) = try Corpus.run("momdump", ["--diff", Corpus.url(model).path, store.path])
        #expect(!output.contains("Traceback"), "\(output)")
        return output.split(separator: "\n").map(String.init)
    }

    @Test(
        "They have the SQL that an independent script predicts, with and without history",
        arguments: Corpus.allModels.sampled(24), [false, true])
    func predictedSQL(path: String, withHistory: Bool) throws {
        let store = try makeStore(from: path, withHistory: withHistory)
        // The script doesn't read the source format before Xcode 4: these models are read back from the store.
        let sources = Corpus.modelsInXML.contains(path) ? [[try Corpus.url(path).path, store.path]] : []
        for arguments in sources + [["--cache", store.path]] {
            let (output, code) = try Corpus.run("store_schema", ["compare"] + arguments)
            expectEqual(code, 0)
            expectContains(output, "exact True numbers True order True", "\(output)")
        }
    }

    /// The specification of a cache's format: class names are left out, and indexes and legacy flags are
    /// made from each other. What sync services kept in user info stays in source models.
    private static func isSpecified(_ line: String) -> Bool {
        line.contains("/className: ") && line.hasSuffix(" | null") || line.contains("/indexes: ")
            || line.contains("/compoundIndexes: ") || line.hasSuffix("/indexed: false | true")
            || line.contains("/userInfo/com.apple.syncservices.") && line.hasSuffix(" | null")
    }

    @Test(
        "Their model cache leaves out class names and has indexes in both forms, and nothing else differs",
        arguments: Corpus.allModels.sampled(24))
    func cachedModel(path: String) throws {
        let strange = try differences(path, makeStore(from: path)).filter { !Self.isSpecified($0) }
        expectEqual(strange, [])
    }

    /// Differences that the stores explain: the source was edited after the store was made, or
    /// the cache is of a framework older than 847, which wrote it otherwise.
    private static let explained: [String: [String]] = [
        "chat/stores/2-53-0.sqlite": ["isSilenced/renamingIdentifier: "],
        // Each index stands in it twice.
        "chat/stores/2-60-0.sqlite": ["Conversation/indexes: "],
        "shop/SampleModel_V1.sqlite": ["color/valueClass: ", "/className: "],
    ]

    @Test(
        "Their model cache differs from the source as the one in Apple's store of that model",
        arguments: Corpus.storesWithModel.sampled(6))
    func cachedModelLikeApples(path: String) throws {
        let apples = folder.url.appendingPathComponent("Apple.sqlite")
        try FileManager.default.moveItem(atPath: Corpus.copy(path, into: folder), toPath: apples.path)
        let model = try Corpus.sourceModel(of: apples)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: apples)
        let framework = try requireValue(metadata["NSPersistenceFrameworkVersion"] as? NSNumber).intValue
        let explained = framework < 847 ? ["/className: ", "/indexes: "] : Self.explained[path] ?? []
        func unexplained(_ lines: [String]) -> [String] {
            lines.filter { line in !explained.contains { line.contains($0) } }
        }
        let ours = try differences(model, makeStore(from: model))
        let theirs = try differences(model, apples)
        expectEqual(unexplained(ours), unexplained(theirs))
    }
}
