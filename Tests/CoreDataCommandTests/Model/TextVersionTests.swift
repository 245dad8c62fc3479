import CoreData
import Testing

@testable import CoreDataCommand
@testable import CoreDataModel

@Suite("Bundles whose versions are texts")
struct TextVersionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two versions: the second one has an attribute more, and is the current one.
    private func bundle() async throws -> String {
        let path = folder.path("Cars.xcdatamodeld")
        let first = "// The first one.\nentity Car {\n    attribute plate: string\n}\n"
        try folder.write(first, to: "Cars.xcdatamodeld/Cars.coredata")
        let added = try await CommandRun("model", "add-version", path, "--current")
        expectEqual(added.status, 0, "\(added.errors)")
        let second = "Cars.xcdatamodeld/Cars 2.coredata"
        try expectEqual(text(second), first)
        try folder.write("Car { plate: string; wheels: integer16 }\n", to: second)
        return path
    }

    private func text(_ name: String) throws -> String { try String(contentsOf: folder.file(name), encoding: .utf8) }

    private func attributes(_ model: NSManagedObjectModel?) -> [String]? {
        model?.entitiesByName["Car"]?.attributesByName.keys.sorted()
    }

    @Test("A new bundle has one text, and other extensions have no --text")
    func new() async throws {
        let run = try await CommandRun("model", "new", folder.path("Shop.xcdatamodeld"), "--text")
        expectEqual(run.status, 0, "\(run.errors)")
        let bundle = folder.path("Shop.xcdatamodeld")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: bundle), ["Shop.coredata"])
        try await expectEqual(CommandRun("model", "new", folder.path("Shop.coredata"), "--text").status, 64)
        try await expectEqual(CommandRun("model", "convert", bundle, folder.path("Shop.momd"), "--text").status, 64)
    }

    @Test("A program reads the current version, a compiled bundle has all of them")
    func reading() async throws {
        let path = try await bundle()
        expectEqual(attributes(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path))), ["plate", "wheels"])
        let run = try await CommandRun("model", "convert", path, folder.path("Cars.momd"))
        expectEqual(run.status, 0, "\(run.errors)")
        let versions = try ModelVersion.versions(at: folder.file("Cars.momd"))
        expectEqual(versions.map(\.name), ["Cars", "Cars 2"])
        expectEqual(versions.map(\.isCurrent), [false, true])
        try expectEqual(versions.map { attributes(try $0.model()) }, [["plate"], ["plate", "wheels"]])
    }

    @Test("Bundles of both forms become each other, with equal version hashes")
    func converting() async throws {
        let path = try await bundle()
        let (source, back) = (folder.path("Xcode.xcdatamodeld"), folder.path("Text.xcdatamodeld"))
        try await expectEqual(CommandRun("model", "convert", path, source).status, 0)
        try await expectEqual(CommandRun("model", "convert", source, back, "--text").status, 0)
        let names = [".xccurrentversion", "Cars 2.coredata", "Cars.coredata"]
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: back).sorted(), names)
        let hashes = try [path, source, back].map {
            try ModelVersion.versions(at: URL(fileURLWithPath: $0)).map(\.versionHashes)
        }
        expectEqual(hashes[1], hashes[0])
        expectEqual(hashes[2], hashes[0])
    }

    @Test("The doctor knows the version that made a store, and a migration finds its way to the current one")
    func migrating() async throws {
        let path = try await bundle()
        let store = folder.path("cars.sqlite")
        let first = try requireValue(NSManagedObjectModel(contentsOf: folder.file("Cars.xcdatamodeld/Cars.coredata")))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: first)
        try coordinator.remove(
            coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: store)))
        let doctor = try await CommandRun("store", "doctor", store, "--models", folder.url.path)
        #expect(doctor.lines.contains { $0.hasPrefix("Made by: version “Cars” of Cars.xcdatamodeld") })
        expectContains(doctor.lines, "Current: version “Cars 2” of Cars.xcdatamodeld")
        try await expectEqual(CommandRun("store", "migrate", store, "--model", path).status, 0)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .sqlite, at: URL(fileURLWithPath: store))
        let current = try requireValue(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
        expectTrue(current.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("The editor keeps the comments of a text, and adds and takes back versions as texts")
    func editing() async throws {
        let path = try await bundle()
        let session = try EditorSession(EditorFiles(path))
        func perform(_ json: String, _ version: String) throws {
            let command = try JSONDecoder().decode(EditorCommand.self, from: Data(json.utf8))
            _ = try session.perform(command, seen: session.poll().revision, version: version)
        }
        try perform(
            #"{"kind": "set", "path": "entity:Car/attribute:plate", "attribute": "optional", "value": "NO"}"#, "Cars")
        try perform(#"{"kind": "addVersion", "name": "Cars 3"}"#, "Cars")
        try perform(#"{"kind": "setCurrent", "name": "Cars 3"}"#, "Cars")
        try perform(#"{"kind": "save"}"#, "Cars")
        expectTrue(try text("Cars.xcdatamodeld/Cars.coredata").hasPrefix("// The first one.\n"))
        expectContains(try text("Cars.xcdatamodeld/Cars 3.coredata"), "plate: string, required")
        expectContains(try text("Cars.xcdatamodeld/.xccurrentversion"), "<string>Cars 3.coredata</string>")
        for _ in 0..<3 { try perform(#"{"kind": "undo"}"#, "Cars") }
        try perform(#"{"kind": "save"}"#, "Cars")
        let names = [".xccurrentversion", "Cars 2.coredata", "Cars.coredata"]
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: path).sorted(), names)
        expectContains(try text("Cars.xcdatamodeld/.xccurrentversion"), "<string>Cars 2.coredata</string>")
    }

    @Test("A bundle with versions of both forms is refused with the remedy")
    func mixed() async throws {
        let path = try await bundle()
        try folder.write(MusicSourceModel.contents, to: "Cars.xcdatamodeld/Old.xcdatamodel/contents")
        for verb in ["show", "edit", "add-version"] {
            let run = try await CommandRun("model", verb, path)
            expectEqual(run.status, 1)
            expectContains(run.errors, "in Xcode’s form (.xcdatamodel) and as text", "\(run.errors)")
        }
    }

    @Test("A text has no versions: the remedy makes a bundle of texts")
    func single() async throws {
        try folder.write("Car { plate: string }\n", to: "Cars.coredata")
        let run = try await CommandRun("model", "add-version", folder.path("Cars.coredata"))
        expectEqual(run.status, 1)
        expectContains(run.errors, "Cars.xcdatamodeld --text", "\(run.errors)")
    }

    @Test("A folder that only has texts in it is no model")
    func otherFolders() async throws {
        try folder.write("Car { plate: string }\n", to: "Sources/Cars.coredata")
        try await expectEqual(CommandRun("model", "show", folder.path("Sources")).status, 1)
    }
}
