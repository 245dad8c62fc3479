import CoreData
import Testing

/// Sources of SwiftData that `coredata model convert` writes.
@Suite("coredata model convert to .swift")
struct SchemaConvertTests {
    private func write(_ text: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(text, to: "Shop.coredata").path
    }

    @Test("A model becomes a schema with the name of the file and the number of the version")
    func model() async throws {
        let folder = try TemporaryFolder()
        let source = try write(
            "model { version: \"1.4\" }; Item { attribute name: string, required; attribute count: integer64 }",
            in: folder)
        let run = try await CommandRun("model", "convert", source, folder.path("ShopSchema.swift"))
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        let text = try String(contentsOf: folder.file("ShopSchema.swift"), encoding: .utf8)
        expectContains(text, "enum ShopSchema: VersionedSchema {")
        expectContains(text, "Schema.Version(1, 4, 0)")
        expectContains(text, "@Model final class Item {")
        expectContains(text, "var count: Int?")
        expectContains(text, "init(name: String) {")
    }

    @Test("A bundle becomes a schema for each version, numbered in their order")
    func bundle() async throws {
        let folder = try TemporaryFolder()
        let source = try VersionedSample.write(to: folder)
        let run = try await CommandRun("model", "convert", source, folder.path("Cars.swift"))
        expectEqual(run.status, 0)
        let text = try String(contentsOf: folder.file("Cars.swift"), encoding: .utf8)
        expectContains(text, "enum CarsV1: VersionedSchema {")
        expectContains(text, "Schema.Version(1, 0, 0)")
        expectContains(text, "enum CarsV2: VersionedSchema {")
        expectContains(text, "Schema.Version(2, 0, 0)")
    }

    @Test("A store becomes a schema of its model")
    func store() async throws {
        let folder = try TemporaryFolder()
        let source = try write("Item { attribute name: string }", in: folder)
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try requireValue(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: source))))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("shop.sqlite"), options: nil)
        let run = try await CommandRun(
            "model", "convert", folder.path("shop.sqlite"), folder.path("Frozen.swift"))
        expectEqual(run.status, 0)
        let text = try String(contentsOf: folder.file("Frozen.swift"), encoding: .utf8)
        expectContains(text, "enum Frozen: VersionedSchema {")
        expectContains(text, "var name: String?")
    }

    @Test("A part that would change version hashes is refused with its name, and nothing is written")
    func refusal() async throws {
        let folder = try TemporaryFolder()
        let source = try write(
            "A { to-many b: B, ordered, inverse: a }; B { to-one a: A, inverse: b }", in: folder)
        let run = try await CommandRun("model", "convert", source, folder.path("Shop.swift"))
        #expect(run.status != 0)
        expectContains(run.errors, "A.b")
        expectContains(run.errors, "ordered")
        expectFalse(FileManager.default.fileExists(atPath: folder.path("Shop.swift")))
    }
}
