import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("An invalid store file")
struct BadStoreFileTests {
    let folder = try! TemporaryFolder()

    private var path: String { folder.path("a.sqlite") }

    private func opening(readOnly: Bool = false, at path: String? = nil) -> NSError? {
        var options = SQLiteStoreOptions()
        options.isReadOnly = readOnly
        return thrownError {
            _ = try SQLiteStoreFile.open(at: path ?? self.path, model: AlbumModel.make(), options: options)
        }
    }

    private func expect(_ error: NSError?, code: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect((error?.userInfo[NSFilePathErrorKey] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
    }

    private func makeStore() throws -> Data {
        do {
            let store = try SQLiteStoreFile.open(at: path, model: AlbumModel.make())
            for key in 1...200 {
                try store.connection.run(
                    "INSERT INTO ZARTIST (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 2, 1, ?)",
                    [.integer(Int64(key)), .text(String(repeating: "x", count: 300))])
            }
            _ = try store.connection.pragma("wal_checkpoint(TRUNCATE)")
        }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test("a missing file is not created by a read-only store or by reading metadata")
    func missing() throws {
        expect(opening(readOnly: true), code: 260)
        expect(thrownError { _ = try SQLiteStoreFile.metadata(at: path) }, code: 260)
        expectEmpty(try folder.contents)
    }

    @Test("a file in a missing folder is not created")
    func missingFolder() throws {
        expect(opening(at: folder.path("none/a.sqlite")), code: 4)
        expectEmpty(try folder.contents)
    }

    @Test("a folder throws")
    func directory() throws {
        expect(opening(at: folder.url.path), code: 256)
    }

    @Test("an empty file can't be opened for reading")
    func empty() throws {
        _ = FileManager.default.createFile(atPath: path, contents: Data())
        expect(opening(readOnly: true), code: 259)
    }

    @Test("a text file throws and is not changed")
    func textFile() throws {
        let text = Data("Dear diary, this is not a database. ".utf8) + Data(count: 200)
        try text.write(to: URL(fileURLWithPath: path))
        expect(opening(), code: 259)
        expect(thrownError { _ = try SQLiteStoreFile.metadata(at: path) }, code: 259)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), text)
        try expectEqual(folder.contents, ["a.sqlite"])
    }

    @Test("another program's database throws and is not changed")
    func otherDatabase() throws {
        try SQLiteConnection(path: path, mode: .create).run("CREATE TABLE T (A INTEGER)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        expect(opening(), code: 259)
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), before)
    }

    // A creation that has failed removes its file, unless another process has made a store there since.
    @Test("a file that another connection has locked may be a store, a text may not")
    func lockedFile() throws {
        let other = try SQLiteConnection(path: path, mode: .create)
        try other.run("CREATE TABLE Z_METADATA (Z_VERSION INTEGER)")
        try other.run("PRAGMA locking_mode = EXCLUSIVE")
        try other.run("BEGIN EXCLUSIVE")
        expectTrue(SQLiteStoreFile.mayBeStore(at: path))
        try other.run("ROLLBACK")
        let text = folder.path("letter.txt")
        try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: text))
        expectFalse(SQLiteStoreFile.mayBeStore(at: text))
    }

    @Test("a truncated store throws", arguments: [10, 99, 100, 4096, 10_000])
    func truncated(length: Int) throws {
        let whole = try makeStore()
        try #require(whole.count > length)
        try whole.prefix(length).write(to: URL(fileURLWithPath: path))
        expect(opening(), code: 259)
    }

    @Test("a store with flipped bits throws or opens, and never crashes")
    func flipped() throws {
        let whole = try makeStore()
        let seed = TestRun.seed(for: "flipped bits")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<TestRun.quick(40, long: 150) {
            var damaged = whole
            var flips: [Int] = []
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                flips.append(place)
                damaged[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
            }
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try damaged.write(to: URL(fileURLWithPath: path))
            let error = thrownError {
                let store = try SQLiteStoreFile.open(at: path, model: AlbumModel.make())
                let rows = try store.connection.statement("SELECT ZNAME FROM ZARTIST")
                while try rows.step() { _ = rows.text(at: 0) }
                _ = try SQLiteStoreFile.cachedModel(at: path)
            }
            if let error { expectEqual(error.domain, NSCocoaErrorDomain, "seed \(seed), flipped \(flips)") }
        }
    }

    @Test("damaged metadata or a damaged model throws")
    func damagedBlobs() throws {
        let store = try SQLiteStoreFile.open(at: path, model: AlbumModel.make())
        try store.connection.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.bytes(Data([1, 2, 3]))])
        try store.connection.run(
            "INSERT INTO Z_MODELCACHE SELECT ? WHERE NOT EXISTS (SELECT 1 FROM Z_MODELCACHE)",
            [.bytes(Data([1, 2, 3]))])
        expect(thrownError { _ = try SQLiteStoreFile.cachedModel(at: path) }, code: 259)
        try store.connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.bytes(Data([1, 2, 3]))])
        expect(thrownError { _ = try SQLiteStoreFile.metadata(at: path) }, code: 259)
        try store.connection.run("DELETE FROM Z_METADATA")
        expect(opening(), code: 259)
    }

    @Test("a failed creation leaves no file")
    func failedCreation() throws {
        var options = SQLiteStoreOptions()
        options.pragmas = ["max_page_count": "4"]
        expect(
            thrownError { _ = try SQLiteStoreFile.open(at: path, model: AlbumModel.make(), options: options) },
            code: 640)
        expectEmpty(try folder.contents)
        _ = FileManager.default.createFile(atPath: path, contents: Data())
        expect(
            thrownError { _ = try SQLiteStoreFile.open(at: path, model: AlbumModel.make(), options: options) },
            code: 640)
        try expectEqual(folder.contents, ["a.sqlite"])
        expectEmpty(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
