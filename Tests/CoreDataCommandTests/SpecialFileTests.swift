import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata: pipes and folders in place of stores and models")
struct SpecialFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("are refused, without waiting for the writer of a pipe", .timeLimit(.minutes(TestRun.hangMinutes)))
    func pipe() throws {
        let url = folder.file("pipe.sqlite")
        try #require(mkfifo(url.path, 0o600) == 0)
        expectFalse(StoreFile.isStore(url))
        #expect(throws: (any Error).self) { try StoreFile.type(of: url) }
        #expect(throws: (any Error).self) { try StoreFile.metadata(at: url) }
        #expect(throws: (any Error).self) { try ModelSource.model(at: url.path) }
        #expect(throws: (any Error).self) { try ModelSource.versionHashes(at: url.path) }
    }

    @Test("a folder is no store")
    func folderURL() throws {
        expectFalse(StoreFile.isStore(folder.url))
        #expect(throws: (any Error).self) { try StoreFile.type(of: folder.url) }
    }

    @Test("a store isn't imported as text")
    func importedStore() async throws {
        let path = try SampleModel.makeStore(in: folder)
        let run = try await CommandRun("store", "import", path, path, "--entity", "Person", "--input", "csv")
        #expect(run.status != 0)
        expectContains(run.errors, "is a store", "\(run.errors)")
    }
}
