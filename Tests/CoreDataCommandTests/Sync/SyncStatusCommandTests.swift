import CoreData
import SyncTestSupport
import Testing

@Suite("coredata sync status")
struct SyncStatusCommandTests {
    private let server: NotesServer
    private let folder: TemporaryFolder

    init() throws {
        server = try NotesServer()
        folder = server.folder
    }

    /// A device whose store has what the server has.
    private func device() async throws -> NotesDevice {
        let device = try await NotesDevice(server, "Notes")
        try await device.save {
            let folder = $0.insertFolder("Shopping")
            for title in ["Milk", "Salt", "Soap"] { $0.insertNote(title, folder: folder) }
        }
        try await device.sync()
        return device
    }

    private func json(_ arguments: String...) async throws -> [String: Any] {
        let run = try await CommandRun(arguments: ["sync", "status"] + arguments + ["--format", "json"])
        expectEqual(run.errors, "")
        return try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test("A store that has all that the server has says so")
    func quiet() async throws {
        let device = try await device()
        let run = try await CommandRun("sync", "status", device.path)
        expectEqual(run.errors, "")
        expectEqual(run.lines[0..<3], ["Store: \(device.path)", "Side store: \(device.sidePath)", "Account: ann"])
        expectTrue(run.lines[3].hasPrefix("Position: epoch 0, number "))
        expectEqual(
            run.lines[4...],
            [
                "Syncs now: no process", "Pending: no change", "Saves that the engine hasn't looked at: none",
                "Problems: none",
            ])
        expectEqual(run.status, 0)
    }

    @Test("Pending changes are counted by entity and kind, and listed with --changes")
    func pending() async throws {
        let device = try await device()
        server.connection = .isCut
        try await device.save {
            try $0.note("Milk").setValue(2, forKey: "rank")
            $0.delete(try $0.note("Salt"))
            $0.insertNote("Tea")
            $0.insertFolder("Travel")
        }
        try await device.failToSync()
        try await device.save { $0.insertNote("later") }
        let counts = try await CommandRun("sync", "status", device.path).lines
        let start = try requireValue(counts.firstIndex { $0.hasPrefix("Pending") })
        expectEqual(
            counts[start...(start + 2)],
            [
                "Pending: changes of 4 objects", "  Folder  1 insertion",
                "  Note    1 insertion, 1 change, 1 deletion",
            ])
        expectTrue(counts[start + 3].hasPrefix("Saves that the engine hasn't looked at: 1, the first one at 20"))
        let listed = try await CommandRun("sync", "status", device.path, "--changes").output
        expectContains(listed, "  insertion  Note p4: Tea\n")
        expectContains(listed, "  insertion  Folder p2: Travel\n")
        expectContains(listed, "  change     Note p1: Milk: rank\n")
        expectContains(listed, "  deletion   Note ")
    }

    @Test("A push whose answer was lost is under way")
    func push() async throws {
        let device = try await device()
        try await device.engine.start()
        try await device.engine.syncNow()
        server.connection = .losesAnswers
        try await device.save { $0.insertNote("Tea") }
        await #expect(throws: URLError.self) { try await device.engine.syncNow() }
        await device.engine.stop()
        let lines = try await CommandRun("sync", "status", device.path).lines
        let start = try requireValue(lines.firstIndex { $0.hasPrefix("Pushes") })
        expectEqual(lines[start], "Pushes under way: 1")
        expectTrue(lines[start + 1].hasPrefix("  number 2, 1 object, sent "))
        expectTrue(lines[start + 1].hasSuffix(", not answered"))
    }

    @Test("Refused changes have their object, properties and reason")
    func problems() async throws {
        let device = try await device()
        server.refuse(true)
        try await device.save {
            try $0.note("Milk").setValue(2, forKey: "rank")
            $0.insertNote("Tea")
        }
        try await device.sync()
        let lines = try await CommandRun("sync", "status", device.path).lines
        let start = try requireValue(lines.firstIndex { $0.hasPrefix("Problems") })
        expectEqual(lines[start], "Problems: 2 changes not on the server")
        expectTrue(lines.contains { $0.hasPrefix("  change  Note p1: Milk (") && $0.contains("), rank: ") })
        expectTrue(lines.contains { $0.hasPrefix("  insertion  Note ") && $0.contains(", id, title: ") })
        let document = try await json(device.path)
        expectEqual(document["problemCount"] as? NSNumber, 2)
        let problems = try requireValue(document["problems"] as? [[String: Any]])
        let change = try requireValue(problems.first { $0["kind"] as? String == "change" })
        let object = try requireValue(change["object"] as? [String: Any])
        expectEqual(object["id"] as? String, "Note/p1")
        expectEqual(object["label"] as? String, "Milk")
        expectEqual((object["identity"] as? String).flatMap(UUID.init)?.uuidString, object["identity"] as? String)
        expectEqual(change["properties"] as? [String], ["rank"])
        let insertion = try requireValue(problems.first { $0["kind"] as? String == "insertion" })
        expectTrue((insertion["object"] as? [String: Any])?["id"] == nil)
    }

    @Test("JSON has the changes and the saves")
    func document() async throws {
        let device = try await device()
        server.connection = .isCut
        try await device.save { try $0.note("Milk").setValue(2, forKey: "rank") }
        try await device.failToSync()
        try await device.save { $0.insertNote("later") }
        let document = try await json(device.path)
        expectEqual(document["account"] as? String, "ann")
        expectEqual(document["sideStore"] as? String, device.sidePath)
        expectEqual(document["pendingCount"] as? NSNumber, 1)
        let pending = try requireValue((document["pending"] as? [[String: Any]])?.first)
        expectEqual(pending["entity"] as? String, "Note")
        expectEqual(["insertions", "changes", "deletions"].map { pending[$0] as? NSNumber }, [0, 1, 0])
        let change = try requireValue((document["changes"] as? [[String: Any]])?.first)
        expectEqual(change["kind"] as? String, "change")
        expectEqual(change["properties"] as? [String], ["rank"])
        expectEqual((document["saves"] as? [[String: Any]])?.count, 1)
        expectTrue((document["position"] as? [String: Any])?["number"] is NSNumber)
    }

    @Test("The process that syncs is named while it does, and its store stays as it is")
    func whileSyncing() async throws {
        let device = try await device()
        try await device.engine.start()
        try await device.engine.syncNow()
        // The engine itself writes into the side store, to say that it syncs.
        func store() throws -> [Data] {
            try [device.path, device.path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        }
        let (names, before) = (try folder.contents, try store())
        let run = try await CommandRun("sync", "status", device.path)
        expectEqual(try folder.contents, names)
        expectEqual(try store(), before)
        await device.engine.stop()
        expectEqual(run.errors, "")
        expectTrue(run.lines.contains { $0.hasPrefix("Syncs now: the process ") })
    }

    @Test("No file is made or changed beside stores that no process has open")
    func readsAlone() async throws {
        let closed = try TemporaryFolder()
        let device = try await device()
        for (path, name) in [(device.path, "Notes.sqlite"), (device.sidePath, "Notes-sync.sqlite")] {
            expectEqual(try await CommandRun("store", "backup", path, closed.path(name)).status, 0)
        }
        func contents() throws -> [String: Data] {
            try Dictionary(
                uniqueKeysWithValues: closed.contents.map { ($0, try Data(contentsOf: closed.file($0))) })
        }
        let before = try contents()
        expectEqual(before.keys.sorted(), ["Notes-sync.sqlite", "Notes.sqlite"])
        let run = try await CommandRun("sync", "status", closed.path("Notes.sqlite"))
        expectEqual(run.errors, "")
        expectEqual(try contents(), before)
    }

    @Test("A store without a side store doesn't sync yet, and none is made")
    func missing() async throws {
        let path = try SampleModel.makeStore(in: folder)
        let before = try folder.contents
        let run = try await CommandRun("sync", "status", path)
        expectEqual(run.status, 1)
        expectContains(run.errors, "The store doesn't sync yet: there is no side store")
        expectContains(run.errors, "--side-store")
        expectEqual(try folder.contents, before)
    }

    @Test("A file that isn't the side store of the store is an error that says what it is")
    func refused() async throws {
        let device = try await device()
        let other = try await NotesDevice(server, "Other")
        let sample = try SampleModel.makeStore(in: folder)
        for (side, text) in [
            (other.sidePath, "is the side store of another store"),
            (sample, "is no side store, but a store with another model"), (device.path, "is the store itself"),
        ] {
            let run = try await CommandRun("sync", "status", device.path, "--side-store", side)
            expectEqual(run.status, 1)
            expectEqual(run.output, "")
            expectContains(run.errors, text)
            expectContains(run.errors, "by --side-store.")
        }
    }

    @Test("A damaged or empty side store is an error, and stays as it is", arguments: [0, 100, 5_000])
    func damaged(bytes: Int) async throws {
        let device = try await device()
        let whole = folder.file("whole.sqlite")
        expectEqual(try await CommandRun("store", "backup", device.sidePath, whole.path).status, 0)
        let rest = Data(repeating: 0x5a, count: max(0, bytes - 1_000))
        let data = try Data(contentsOf: whole).prefix(min(bytes, 1_000)) + rest
        let side = try folder.write(data, to: "damaged.sqlite").path
        let run = try await CommandRun("sync", "status", device.path, "--side-store", side)
        expectEqual(run.status, 1)
        expectEqual(run.output, "")
        expectContains(run.errors, "The side store \(side) can't be read")
        expectEqual(try Data(contentsOf: URL(fileURLWithPath: side)), data)
        expectEqual(try folder.contents.filter { $0.hasPrefix("damaged") }, ["damaged.sqlite"])
    }

    @Test("Stores on servers, and of types without a history, are errors")
    func kinds() async throws {
        let device = try await device()
        let onServer = try await CommandRun("sync", "status", "postgresql://me:secret@db.example.org/notes")
        expectEqual(onServer.status, 1)
        expectContains(onServer.errors, "is on a server: a side store stands beside a file")
        expectFalse(onServer.errors.contains("secret"))
        let xml = folder.path("Notes.xml")
        expectEqual(try await CommandRun("store", "copy", device.path, xml).status, 0)
        expectContains(try await CommandRun("sync", "status", xml).errors, "is an XML store")
        expectEqual(try await CommandRun("sync", "status", folder.path("none.sqlite")).status, 1)
    }
}
