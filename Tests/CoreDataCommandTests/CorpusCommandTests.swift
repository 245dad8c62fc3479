import CoreData
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("coredata: real models and stores", .enabled(if: Corpus.isPresent, "the corpus is not at hand"))
struct CorpusCommandTests {
    let folder = try! TemporaryFolder()

    private func arguments(_ model: String?) throws -> [String] {
        try model.map { ["--model", try Corpus.path($0)] } ?? []
    }

    /// The counts that `store info` prints, by entity.
    private func counts(_ store: String, model: String?) async throws -> [String: String] {
        let run = try await CommandRun(arguments: ["store", "info", store] + arguments(model))
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
        let lines = run.lines.drop { $0 != "Entities:" }.dropFirst().prefix { $0 != "Metadata:" }
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let words = line.split(separator: " ")
                return (String(words[0]), String(words[1]))
            })
    }

    /// The number of rows by the entity name for their `Z_ENT` in `Z_PRIMARYKEY`.
    private func rows(_ store: String) throws -> [String: Int64] {
        let connection = try SQLiteConnection(path: store, mode: .immutable)
        var rows: [String: Int64] = [:]
        let names = try connection.statement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
        var numbers: [(Int64, String)] = []
        while try names.step() { numbers.append((names.int64(at: 0), names.text(at: 1) ?? "")) }
        names.reset()
        let tables = try connection.tables().filter { $0.key != "Z_PRIMARYKEY" && $0.value.contains("Z_ENT") }.keys
        for (number, name) in numbers {
            for table in tables {
                rows[name, default: 0] +=
                    try connection.integer("SELECT COUNT(*) FROM \(table) WHERE Z_ENT = ?", [.integer(number)]) ?? 0
            }
        }
        return rows
    }

    @Test("info counts the objects of each entity as SQLite counts rows by Z_ENT", arguments: Corpus.stores)
    func info(store: String, model: String?) async throws {
        let copy = try Corpus.copy(store, into: folder)
        var rows = try rows(copy)
        // The entity was renamed, and the table of keys still has the old name.
        if store == "shop/SampleModel_V2.sqlite" { rows["LuxuryCar"] = rows.removeValue(forKey: "ExpensiveSportCar") }
        let counts = try await counts(copy, model: model)
        expectEqual(Set(counts.keys), Set(rows.keys))
        for (entity, count) in counts {
            expectEqual(count, rows[entity].map { "\($0)" }, "\(entity)")
        }
    }

    @Test(
        "fetch prints all objects of all entities, and the folder doesn't change", arguments: Corpus.stores.sampled(2))
    func fetch(store: String, model: String?) async throws {
        let copy = try Corpus.copy(store, into: folder)
        let before = try TemporaryFolder.contents(of: folder.url)
        var printed: [String: Int] = [:]
        let counts = try await counts(copy, model: model)
        for entity in counts.keys {
            let run = try await CommandRun(
                arguments: ["store", "fetch", copy, "--entity", entity, "--format", "json"] + arguments(model))
            // Some stores have no folder with their external data.
            #expect(run.status == 0 && run.errors == "" || run.status == 2 && run.errors.contains("is missing"))
            let objects = try requireValue(
                try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
            for object in objects where object["entity"] as? String == entity { printed[entity, default: 0] += 1 }
        }
        for (entity, count) in counts { expectEqual("\(printed[entity] ?? 0)", count, "\(entity)") }
        try expectEqual(TemporaryFolder.contents(of: folder.url), before)
    }

    @Test("A store without a model cache needs --model", arguments: Corpus.storesWithoutModel.map(\.store))
    func asksForModel(store: String) async throws {
        let copy = try Corpus.copy(store, into: folder)
        for verb in [["info", copy], ["fetch", copy, "--entity", "Anything"]] {
            let run = try await CommandRun(arguments: ["store"] + verb)
            expectEqual(run.status, 1)
            expectEqual(run.output, "")
            expectContains(run.errors, "Add its model with --model")
            expectContains(run.errors, "store.sqlite")
        }
    }

    @Test("hashes prints the hashes that Xcode wrote beside the compiled model")
    func hashesOfBundle() async throws {
        let info = try Data(contentsOf: URL(fileURLWithPath: Corpus.path("shop/SampleModel.momd/VersionInfo.plist")))
        let plist = try requireValue(
            try PropertyListSerialization.propertyList(from: info, format: nil) as? [String: Any])
        let versions = try requireValue(plist["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
        var count = 0
        for (version, hashes) in versions {
            let lines = hashes.map { "\($0.key) \($0.value.map { String(format: "%02x", $0) }.joined())" }.sorted()
            for path in [
                "shop/SampleModel.xcdatamodeld/\(version).xcdatamodel", "shop/SampleModel.momd/\(version).mom",
            ] {
                let run = try await CommandRun("model", "hashes", Corpus.path(path))
                expectEqual(run.lines, lines, "\(path)")
            }
            count += hashes.count
        }
        expectEqual(count, 13)
    }

    /// Some stores have hashes of several versions: the long run looks for them in all models.
    @Test("Every hash in a chat store is one of a source model's")
    func hashesOfStores() async throws {
        let bundle = "chat/zmessaging.xcdatamodeld"
        for store in Corpus.chatStores {
            let version = URL(fileURLWithPath: store).deletingPathExtension().lastPathComponent
                .replacingOccurrences(of: "-", with: ".")
            let models = TestRun.quick(
                ["\(bundle)/zmessaging\(version).xcdatamodel"], long: Corpus.files(in: bundle, ending: ".xcdatamodel"))
            let target = try TemporaryFolder()
            let run = try await CommandRun("model", "hashes", Corpus.copy(store, into: target))
            expectEqual(run.status, 0)
            #expect(run.lines.count > 10)
            var known: Set<String> = []
            for model in models where !known.isSuperset(of: run.lines) {
                known.formUnion(try await CommandRun("model", "hashes", Corpus.path(model)).lines)
            }
            expectTrue(known.isSuperset(of: run.lines), "\(store)")
        }
    }
}
