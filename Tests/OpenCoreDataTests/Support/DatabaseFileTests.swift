import CoreDataPredicates
import Foundation
import Testing

@testable import CoreDataStores

@Suite("Files that may be open databases")
struct DatabaseFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeDatabase() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: folder.path("a.sqlite"), mode: .create)
        try connection.run("CREATE TABLE a (b)")
        return connection
    }

    private static func openDescriptors(_ path: String) -> Int {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }

    @Test("are known while a connection is open, by each of their names")
    func known() throws {
        let path = folder.path("a.sqlite")
        var connections = [try makeDatabase()]
        connections.append(try SQLiteConnection(path: path, mode: .readOnly))
        try FileManager.default.linkItem(atPath: path, toPath: folder.path("b.sqlite"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("c.sqlite"), withDestinationPath: "a.sqlite")
        for name in ["a.sqlite", "b.sqlite", "c.sqlite"] { #expect(DatabaseFiles.contains(folder.path(name))) }
        connections.removeLast()
        #expect(DatabaseFiles.contains(path))
        connections.removeLast()
        #expect(!DatabaseFiles.contains(path))
        #expect(!DatabaseFiles.contains(folder.path("missing")))
    }

    @Test("are other files with the number of a removed one, while its connection is being closed")
    func reusedNumber() throws {
        let (path, other) = (folder.path("a.sqlite"), folder.path("b.xml"))
        try folder.write("text", to: "a.sqlite")
        let identity = try #require(DatabaseFiles.didOpen(path))
        // A second name has the number, as the next file has that takes it.
        try FileManager.default.linkItem(atPath: path, toPath: other)
        DatabaseFiles.willClose(identity, path: path)
        #expect(DatabaseFiles.contains(other))
        try FileManager.default.removeItem(atPath: path)
        #expect(!DatabaseFiles.contains(other))
        DatabaseFiles.didClose(identity, path: path)
        expectEmpty(DatabaseFiles.paths(of: other))
    }

    @Test("aren't read, and have the header of a database")
    func head() throws {
        let path = folder.path("a.sqlite")
        let connection = try makeDatabase()
        try expectEqual(CoreDataPredicates.FileContents.head(of: path, count: 6), Data("SQLite".utf8))
        expectEqual(thrownError { _ = try CoreDataPredicates.FileContents.data(of: path) }?.code, 259)
        withExtendedLifetime(connection) {}
    }

    @Test("keep a descriptor that was to be closed until their last connection is closed")
    func keptDescriptor() throws {
        let path = folder.path("a.sqlite")
        var connection: SQLiteConnection? = try makeDatabase()
        let before = Self.openDescriptors(path)
        let descriptor = open(path, O_RDONLY)
        DatabaseFiles.close(descriptor)
        expectEqual(Self.openDescriptors(path), before + 1)
        try connection?.run("INSERT INTO a VALUES (1)")
        connection = nil
        expectEqual(Self.openDescriptors(path), 0)
    }

    @Test("other files are read, and closed")
    func others() throws {
        let text = Data(repeating: 7, count: 300_000)
        try folder.write(text, to: "text")
        let path = folder.path("text")
        try expectEqual(CoreDataPredicates.FileContents.data(of: path), text)
        try expectEqual(CoreDataPredicates.FileContents.head(of: path, count: 10), text.prefix(10))
        try folder.write("", to: "empty")
        expectEmpty(try CoreDataPredicates.FileContents.data(of: folder.path("empty")))
        expectEqual(Self.openDescriptors(path), 0)
    }

    @Test("a missing file, a folder and a pipe are errors, without waiting", .timeLimit(.minutes(TestRun.hangMinutes)))
    func noFiles() throws {
        expectEqual(thrownError { _ = try CoreDataPredicates.FileContents.data(of: folder.path("missing")) }?.code, 260)
        expectEqual(thrownError { _ = try CoreDataPredicates.FileContents.data(of: folder.path("")) }?.code, 256)
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        let pipe = folder.path("pipe")
        expectEqual(thrownError { _ = try CoreDataPredicates.FileContents.head(of: pipe, count: 10) }?.code, 256)
    }
}
