import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse --edit: pickers of relationships")
struct BrowserPickerTests {
    private let list = "/o/Play%2Flist/p1"

    private let folder: TemporaryFolder
    private let session: BrowserSession

    init() throws {
        folder = try TemporaryFolder()
        let path = try BrowserSongs.makeStore(in: folder, titles: ["Blue", "Red", "Green", "Dark blue"])
        session = try BrowserSession(path: path, isEditable: true)
    }

    /// The members of the list, as its form has them.
    private func members(_ session: BrowserSession) throws -> [String] {
        try session.text(list).components(separatedBy: "name=\"s.songs\" value=\"").dropFirst().map { part in
            String(part.prefix { $0 != "\"" })
        }
    }

    private func form(_ ids: [Int], shown: [Int] = [1, 2, 3]) -> [(String, String)] {
        shown.map { ("s.songs", "Song/p\($0)") } + ids.map { ("r.songs", "Song/p\($0)") }
    }

    @Test("A picker finds objects by words of their labels, by their key, and offers some without a text")
    func find() throws {
        expectContains(try session.text("/find/Song?q=BLUE"), "Dark blue · DE-3")
        let both = try session.text("/find/Song?q=blue+dark")
        #expect(both.contains("Dark blue · DE-3") && !both.contains("DE-0"))
        expectContains(try session.text("/find/Song?q=p2"), "Red · DE-1")
        expectContains(try session.text("/find/Song?q="), "Green")
        try expectEqual(session.text("/find/Song?q=%25"), "[]")
        expectEqual(session.get("/find/Nothing?q=a").status, 404)
    }

    @Test("Members get another order, leave and join, and undo takes it back")
    func order() throws {
        try expectEqual(members(session), ["Song/p1", "Song/p2", "Song/p3"])
        expectEqual(session.post(list, form([3, 1, 4])).status, 303)
        try expectEqual(members(session), ["Song/p3", "Song/p1", "Song/p4"])
        expectEqual(session.post("/undo", []).status, 303)
        try expectEqual(members(session), ["Song/p1", "Song/p2", "Song/p3"])
    }

    @Test("An order that has changed meanwhile is not overwritten")
    func conflict() throws {
        expectEqual(session.post(list, form([3, 2, 1])).status, 303)
        let response = session.post(list, form([1, 3]))
        expectEqual(response.status, 409)
        expectContains(String(decoding: try response.data(), as: UTF8.self), "id=\"m-songs\"")
        try expectEqual(members(session), ["Song/p3", "Song/p2", "Song/p1"])
    }

    @Test("A text in the search field names a member by its label or its ID")
    func typed() throws {
        expectEqual(session.post(list, form([1, 2, 3]) + [("q.songs", "dark")]).status, 303)
        try expectEqual(members(session).last, "Song/p4")
        for (text, message) in [
            ("blue", "more than one Song"), ("nothing", "No Song matches"),
            ("dark d d d d d d d nothing", "No Song matches"),
        ] {
            let response = session.post("/o/Play%2Flist/p1", [("q.songs", text)])
            expectEqual(response.status, 422)
            let page = String(decoding: try response.data(), as: UTF8.self)
            expectContains(page, message)
            expectContains(page, "name=\"q.songs\" value=\"\(text)\"")
        }
    }

    @Test("A set gets and loses members without those that the form didn't show")
    func set() throws {
        expectEqual(session.post("/new/Play%2Flist", [("v.title", "Morning")]).status, 303)
        expectEqual(session.post("/o/Song/p1", [("r.lists", "Play/list/p2")]).status, 303)
        try expectEqual(session.text("/count/Play%2Flist?of=Song/p1/lists"), "2")
        expectEqual(session.post("/o/Song/p1", [("s.lists", "Play/list/p1")]).status, 303)
        try expectEqual(session.text("/count/Play%2Flist?of=Song/p1/lists"), "1")
        expectContains(try session.text("/o/Song/p1"), "Morning")
    }

    @Test("A to-one relationship is set, emptied, and not overwritten when it has changed meanwhile")
    func toOne() throws {
        let folder = try TemporaryFolder()
        let writer = try BrowserSample.Writer(in: folder, count: 2)
        let session = try BrowserSession(path: writer.path, isEditable: true)
        let count = { (item: Int) in try session.text("/count/Note?of=Item/p\(item)/notes") }
        expectEqual(session.post("/o/Note/p1", [("s.item", "Item/p1"), ("r.item", "Item/p2")]).status, 303)
        try expectEqual(count(2), "2")
        expectEqual(session.post("/o/Note/p1", [("s.item", "Item/p1")]).status, 409)
        expectEqual(session.post("/o/Note/p1", [("s.item", "Item/p2")]).status, 303)
        try expectEqual(count(2), "1")
        try expectEqual(count(1), "0")
    }

    @Test("An object of another entity, and one that is gone, is refused")
    func wrong() throws {
        for id in ["Play/list/p1", "Song/p99", "x", "Song/p"] {
            expectEqual(session.post(list, form([1, 2, 3]) + [("r.songs", id)]).status, 422, "\(id)")
        }
        try expectEqual(members(session).count, 3)
    }
}
