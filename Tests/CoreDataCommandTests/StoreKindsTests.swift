import CoreData
import TestSupport
import Testing

@testable import CoreDataStores

/// Stores of all types, and files that are none.
@Suite("coredata store and kinds of files")
struct StoreKindsTests {
    private let cars: GrowingCars

    init() throws { cars = try GrowingCars() }

    @Test("info counts the objects of an XML or binary store with its model", arguments: ["XML", "Binary"])
    func info(_ type: String) async throws {
        let store = try cars.makeStore(3, type: NSPersistentStore.StoreType(rawValue: type))
        let run = try await CommandRun("store", "info", store, "--model", cars.path(ofVersion: 3))
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        expectContains(run.lines, "  NSStoreType: \(type)")
        expectEqual(run.lines.dropFirst().prefix(2), ["Entities:", "  Car  1"])
    }

    @Test("info prints the metadata of an XML or binary store without its model", arguments: ["XML", "Binary"])
    func infoWithoutModel(_ type: String) async throws {
        let store = try cars.makeStore(3, type: NSPersistentStore.StoreType(rawValue: type))
        let run = try await CommandRun("store", "info", store)
        expectEqual(run.status, 0)
        expectContains(run.lines, "  NSStoreModelVersionHashes: 1 entity")
        let kind = type == "XML" ? "an XML store" : "a binary store"
        expectContains(run.lines, "Entities: not read, since \(kind) contains no model. Add it with --model.")
    }

    @Test("fetch reads an XML or binary store with its model", arguments: ["XML", "Binary"])
    func fetch(_ type: String) async throws {
        let store = try cars.makeStore(3, type: NSPersistentStore.StoreType(rawValue: type))
        let run = try await CommandRun(
            "store", "fetch", store, "--model", cars.path(ofVersion: 3), "--entity", "Car", "--fetch", "a1",
            "--format", "csv")
        expectEqual(run.errors, "")
        expectEqual(run.output, "a1\r\n7\r\n")
    }

    @Test("backup copies an XML or binary store", arguments: ["XML", "Binary"])
    func backup(_ type: String) async throws {
        let store = try cars.makeStore(3, type: NSPersistentStore.StoreType(rawValue: type))
        let copy = cars.folder.path("copy")
        let run = try await CommandRun("store", "backup", store, copy)
        expectEqual(run.status, 0)
        try expectEqual(cars.version(copy, type: NSPersistentStore.StoreType(rawValue: type)), 3)
    }

    @Test("doctor examines the objects of an XML or binary store", arguments: ["XML", "Binary"])
    func doctor(_ type: String) async throws {
        let store = try cars.makeStore(3, type: NSPersistentStore.StoreType(rawValue: type))
        let run = try await CommandRun("store", "doctor", store, "--models", cars.bundle)
        expectEqual(run.errors, "")
        expectEqual(run.status, 0)
        let kind = type == "XML" ? "an XML store" : "a binary store"
        expectEqual(run.lines.first, "Store: \(store), \(kind), 1 entity")
        expectContains(run.lines, "Made by: version “Cars 3” of Cars.xcdatamodeld", "\(run.output)")
        expectContains(run.lines, "Migration: lightweight")
        expectEqual(run.lines.last, "Integrity: no problems found")
        let unknown = try await CommandRun("store", "doctor", store)
        expectEqual(unknown.status, 0)
        expectEqual(unknown.lines.last, "Integrity: not examined, without the model that made the store")
    }

    @Test("doctor finds objects of an XML store without a required value")
    func doctorFinds() async throws {
        let sample = try ImportSample()
        let file = try sample.file("a.csv", "name,email\nAda,a\nBob,b\n")
        _ = try await sample.run(file, "Person")
        let xml = sample.folder.path("s.xml")
        _ = try await CommandRun("store", "copy", sample.store, xml)
        let text = try String(contentsOf: URL(fileURLWithPath: xml), encoding: .utf8)
        let damaged = text.replacingOccurrences(
            of: "<attribute name=\"name\" type=\"string\">Ada</attribute>", with: "")
        #expect(damaged != text)
        try Data(damaged.utf8).write(to: URL(fileURLWithPath: xml))
        let run = try await CommandRun("store", "doctor", xml, "--model", sample.modelPath)
        expectEqual(run.status, 1)
        expectContains(run.output, "Person.name: 1 object has no value, which the model requires (Z_PK")
        try Data(text.utf8.prefix(600)).write(to: URL(fileURLWithPath: xml))
        let cut = try await CommandRun("store", "doctor", xml, "--model", sample.modelPath)
        #expect(cut.status != 0)
        expectContains(cut.errors, "s.xml")
    }

    private static let verbs = [
        ["info"], ["fetch", "--entity", "Car"], ["doctor"], ["browse"], ["backup"], ["copy"], ["migrate"],
    ]

    private func run(_ verb: [String], _ path: String) async throws -> CommandRun {
        let rest =
            switch verb[0] {
            case "backup", "copy": [cars.folder.path("result.sqlite")]
            case "migrate": ["--model", cars.bundle]
            default: Array(verb.dropFirst())
            }
        return try await CommandRun(arguments: ["store", verb[0], path] + rest)
    }

    @Test("A missing file is named once, with what is wrong", arguments: verbs)
    func missing(verb: [String]) async throws {
        let run = try await run(verb, cars.folder.path("nothing.store"))
        #expect(run.status != 0)
        expectContains(run.errors, "nothing.store")
        expectEqual(run.errors.components(separatedBy: "doesn’t exist").count, 2)
        expectFalse(FileManager.default.fileExists(atPath: cars.folder.path("result.sqlite")))
    }

    @Test("A folder is called one", arguments: verbs)
    func folder(verb: [String]) async throws {
        let run = try await run(verb, cars.bundle)
        #expect(run.status != 0)
        expectContains(run.errors, "It is a folder.")
    }

    @Test("An empty file is called one", arguments: verbs)
    func empty(verb: [String]) async throws {
        try cars.folder.write("", to: "empty.store")
        let run = try await run(verb, cars.folder.path("empty.store"))
        #expect(run.status != 0)
        expectContains(run.errors, "The file is empty.")
    }

    @Test("A text is no store", arguments: verbs)
    func text(verb: [String]) async throws {
        try cars.folder.write("Dear Sir or Madam", to: "letter.txt")
        let run = try await run(verb, cars.folder.path("letter.txt"))
        #expect(run.status != 0)
        expectContains(run.errors, "letter.txt is no store: it begins neither as a SQLite database")
    }

    @Test("A model that doesn't exist is said once")
    func missingModel() async throws {
        let store = try cars.makeStore(3)
        for verb in ["info", "migrate"] {
            let run = try await CommandRun("store", verb, store, "--model", cars.folder.path("nomodel.momd"))
            #expect(run.status != 0)
            expectEqual(run.errors.components(separatedBy: "doesn't exist").count, 2)
        }
    }

    @Test("A file in a folder that doesn't exist is a missing one, for verbs that read it", arguments: verbs)
    func missingFolder(verb: [String]) async throws {
        let run = try await run(verb, cars.folder.path("nowhere/cars.store"))
        #expect(run.status != 0)
        expectContains(run.errors, "doesn’t exist: there is no folder \(cars.folder.path("nowhere")).")
    }

    @Test("A store that is read with another model says what to do on the command line")
    func otherModel() async throws {
        let store = try cars.makeStore(3)
        let run = try await CommandRun("store", "info", store, "--model", cars.path(ofVersion: 4))
        expectEqual(run.status, 1)
        expectContains(run.errors, "What differs: Car.a4: attribute added")
        expectContains(run.errors, "Leave --model out if the store contains its model, or migrate the store")
        #expect(!run.errors.contains("NSMigratePersistentStoresAutomaticallyOption"))
    }

    @Test("A store whose model is in it, but is no known version, says both")
    func cachedModel() async throws {
        let store = try cars.makeStore(3)
        try cars.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?><model><entity name="Car" syncable="YES">\
            <attribute name="a1" optional="YES" attributeType="Date"/></entity></model>
            """, to: "Other.xcdatamodel/contents")
        let run = try await CommandRun(
            "store", "migrate", store, "--model", cars.folder.path("Other.xcdatamodel"))
        expectEqual(run.status, 1)
        expectContains(run.errors, "The model that made the store is in it.")
        #expect(!run.errors.contains("No known version made the store"))
    }

    @Test("Reading verbs leave an index without a log as it is, or take it away, and make no log")
    func indexWithoutLog() async throws {
        let store = try cars.makeStore(3)
        for verb in [["info", store], ["fetch", store, "--entity", "Car"], ["doctor", store]] {
            try Data(repeating: 7, count: 1000).write(to: URL(fileURLWithPath: store + "-shm"))
            let run = try await CommandRun(arguments: ["store"] + verb)
            expectEqual(run.status, 0)
            expectFalse(FileManager.default.fileExists(atPath: store + "-wal"))
        }
    }

    @Test("A reading verb reads a store whose writer was killed in a transaction with a rollback journal")
    func interruptedTransaction() async throws {
        let store = try SampleModel.makeStore(in: cars.folder, carCount: 3000)
        let connection = try SQLiteConnection(path: store, mode: .readWrite)
        try connection.setPragma("journal_mode", "DELETE")
        try connection.setPragma("cache_size", "10")
        try connection.begin(.immediate)
        // SQLite writes changed pages into the file before the end of the transaction, as there are too many.
        try connection.run("UPDATE ZCAR SET ZMAKER = 'half'")
        let killed = try TemporaryFolder()
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: store + suffix, toPath: killed.path("Cars.sqlite") + suffix)
        }
        try connection.rollback()
        let run = try await CommandRun(
            "store", "fetch", killed.path("Cars.sqlite"), "--entity", "Car", "--fetch", "n=count:(SELF)", "--predicate",
            "maker = 'half'", "--format", "csv")
        expectEqual(run.errors, "")
        expectEqual(run.output, "n\r\n0\r\n")
        expectFalse(FileManager.default.fileExists(atPath: killed.path("Cars.sqlite") + "-journal"))
    }
}
