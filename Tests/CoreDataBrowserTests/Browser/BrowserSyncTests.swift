import CoreData
import SyncTestSupport
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: a store that syncs")
struct BrowserSyncTests {
    private let server: NotesServer

    init() throws { server = try NotesServer() }

    /// A device with a pending change and a pending insertion.
    private func device() async throws -> NotesDevice {
        let device = try await NotesDevice(server, "Notes")
        try await device.save {
            let folder = $0.insertFolder("Shopping")
            for title in ["Milk", "Salt"] { $0.insertNote(title, folder: folder) }
        }
        try await device.sync()
        server.connection = .isCut
        try await device.save {
            let milk = try $0.note("Milk")
            milk.setValue(2, forKey: "rank")
            milk.setValue(nil, forKey: "folder")
            $0.insertNote("Tea")
        }
        try await device.failToSync()
        return device
    }

    private func refusals() async throws -> NotesDevice {
        let device = try await NotesDevice(server, "Notes")
        try await device.save { $0.insertNote("Milk") }
        try await device.sync()
        server.refuse(true)
        try await device.save {
            try $0.note("Milk").setValue(2, forKey: "rank")
            $0.insertNote("Tea")
        }
        try await device.sync()
        return device
    }

    @Test("The page of the sync lists pending changes, with links to their objects")
    func pending() async throws {
        let session = try BrowserSession(path: try await device().path)
        expectContains(try session.text("/"), "<a href=\"/sync\">Sync</a>")
        let page = try session.text("/sync")
        expectContains(page, "<a href=\"/sync\" aria-current=\"page\">Sync</a>")
        expectContains(page, "changes of 2 objects")
        expectContains(page, "<dt>Note</dt><dd>1 insertion, 1 change</dd>")
        expectContains(page, "change of <a href=\"/o/Note/p1\"><bdi>Note p1: Milk</bdi></a>: folder, rank")
        expectContains(page, "insertion of <a href=\"/o/Note/p3\"><bdi>Note p3: Tea</bdi></a>")
        expectContains(page, "coredata sync status")
        for link in BrowserSession.links(in: page) { expectEqual(session.get(link).status, 200, "\(link)") }
    }

    @Test("The page of the sync lists refused changes with their reasons, also of objects that the store hasn't got")
    func problems() async throws {
        let device = try await refusals()
        let reasons = try await device.engine.problems().map(\.reason)
        let page = try BrowserSession(path: device.path).text("/sync")
        expectContains(page, "change of <a href=\"/o/Note/p1\"><bdi>Note p1: Milk</bdi></a> (rank)")
        expectContains(page, "insertion of <bdi>Note ")
        for reason in reasons { expectContains(page, HTML.escaped(reason)) }
    }

    @Test("The page of an object marks its pending properties, in forms too", arguments: [false, true])
    func pendingProperties(isEditable: Bool) async throws {
        let session = try BrowserSession(path: try await device().path, isEditable: isEditable)
        let page = try session.text("/o/Note/p1")
        expectContains(page, "The server doesn’t have these changes yet: folder, rank.")
        expectEqual(page.components(separatedBy: ">pending</span>").count, 3)
        for name in ["rank", "folder"] {
            let label = isEditable ? "\(name)</label>" : name
            expectContains(page, "\(label) <span class=\"badge\" title=\"The server doesn’t have the change yet\">")
        }
        expectContains(try session.text("/o/Note/p3"), "The server doesn’t have this object yet.")
        let other = try session.text("/o/Note/p2")
        expectFalse(other.contains("class=\"sync\""))
        expectFalse(other.contains(">pending<"))
    }

    @Test("The page of an object marks the properties that the server refused")
    func refusedProperties() async throws {
        let device = try await refusals()
        let page = try BrowserSession(path: device.path).text("/o/Note/p1")
        expectContains(page, "Not on the server: change of rank.")
        expectContains(page, "rank <span class=\"badge refused\"")
    }

    @Test("The mark of pages about sync changes with the side store, and that of other pages doesn't")
    func marks() async throws {
        let device = try await device()
        let session = try BrowserSession(path: device.path)
        let (page, table) = (try session.text("/sync"), try session.text("/e/Note"))
        expectContains(page, "data-watch=\"/mark?sync=1\"")
        expectContains(try session.text("/o/Note/p1"), "data-watch=\"/mark?sync=1\"")
        expectContains(table, "data-watch=\"/mark\"")
        let (withSync, without) = (try session.text("/mark?sync=1"), try session.text("/mark"))
        expectContains(page, "data-mark=\"\(HTML.escaped(withSync))\"")
        server.connection = .works
        try await device.sync()
        #expect(try session.text("/mark?sync=1") != withSync)
        expectEqual(try session.text("/mark"), without)
        expectContains(try session.text("/sync"), "The server has all that the engine has looked at.")
    }

    @Test("Changes that an engine imports change the mark, and are on the next page")
    func imports() async throws {
        let device = try await NotesDevice(server, "Notes")
        let session = try BrowserSession(path: device.path)
        let before = try session.text("/mark")
        let other = try await NotesDevice(server, "Other")
        try await other.save { $0.insertNote("of others") }
        try await other.sync()
        try await device.sync()
        #expect(try session.text("/mark") != before)
        expectContains(try session.text("/e/Note"), "of others")
    }

    @Test("A store without a side store has no link to a page about sync")
    func withoutSideStore() throws {
        let session = try BrowserSession()
        expectFalse(try session.text("/").contains("/sync"))
        expectContains(try session.text("/sync"), "The store doesn’t sync")
        expectContains(try session.text("/mark?sync=1"), try session.text("/mark"))
    }

    @Test("A damaged side store is named on the pages, which show the store all the same")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let path = try SampleModel.makeStore(in: folder)
        let side = path.replacingOccurrences(of: ".sqlite", with: "-sync.sqlite")
        try Data("no store".utf8).write(to: URL(fileURLWithPath: side))
        let session = try BrowserSession(path: path)
        expectEqual(session.get("/sync").status, 200)
        expectContains(try session.text("/sync"), "can&#39;t be read")
        let object = try session.object("Car", predicate: "maker == 'Alfa'")
        let page = try session.text(object)
        expectContains(page, "What the server has of this object isn’t known.")
        expectContains(page, "Alfa")
    }

    @Test("Texts of the server are escaped")
    func escaped() async throws {
        let device = try await NotesDevice(server, "Notes")
        try await device.save { $0.insertNote("<script>alert(1)</script>") }
        server.connection = .isCut
        try await device.failToSync()
        let session = try BrowserSession(path: device.path)
        for path in ["/sync", "/o/Note/p1"] { expectFalse(try session.text(path).contains("<script>alert")) }
    }

    @Test("Pages about sync leave both stores as they are")
    func readsAlone() async throws {
        let device = try await device()
        let session = try BrowserSession(path: device.path)
        func bytes() throws -> [Data] {
            try [device.path, device.sidePath].flatMap { path in
                try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
            }
        }
        let before = try bytes()
        for path in ["/sync", "/o/Note/p1", "/mark?sync=1"] { expectEqual(session.get(path).status, 200) }
        expectEqual(try bytes(), before)
    }
}
