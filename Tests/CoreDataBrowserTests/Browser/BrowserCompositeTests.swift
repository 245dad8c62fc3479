import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse --edit: composite values")
struct BrowserCompositeTests {
    private func text(_ response: WebResponse) throws -> String {
        String(decoding: try response.data(), as: UTF8.self)
    }

    @Test("A composite value has a field for each element, and the others keep their values")
    func elements() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSongs.session(in: folder)
        let page = try session.text("/o/Song/p1")
        expectContains(page, "<label for=\"f-place.city\">place.city</label>")
        expectContains(page, "name=\"v.place.city\" value=\"Köln\"")
        expectContains(page, "Binary values can’t be changed on this page.")
        expectEqual(session.post("/o/Song/p1", [("v.place.city", "Bonn")]).headers["Location"], "/o/Song/p1?done=saved")
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+'Bonn'"), "1")
        expectContains(try session.text("/o/Song/p1"), "50667")
        expectEqual(session.post("/undo", []).status, 303)
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+'Köln'"), "1")
    }

    @Test("A composite value is nil while no element has a value, also in a new object")
    func noElement() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSongs.session(in: folder)
        let made = session.post("/new/Song", [("v.title", "a"), ("v.place.city", ""), ("nil.place.city", "on")])
        let path = try requireValue(made.headers["Location"])
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+nil"), "1")
        let object = String(path.prefix { $0 != "?" })
        expectEqual(session.post(object, [("v.place.city", "Ulm"), ("nil.place.city", "on")]).status, 303)
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+'Ulm'"), "1")
        expectEqual(session.post(object, [("v.place.city", ""), ("nil.place.city", "on")]).status, 303)
        expectContains(try session.text(object), "name=\"nil.place.city\" checked")
    }

    @Test("A form that is older than an element of a composite value is refused")
    func olderElement() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSongs.session(in: folder)
        let old = try requireValue(
            BrowserSession.text(in: session.text("/o/Song/p1"), from: "name=\"seen\" value=\"", to: "\""))
        expectEqual(session.post("/o/Song/p1", [("seen", old), ("v.place.city", "theirs")]).status, 303)
        let response = session.post("/o/Song/p1", [("seen", old), ("v.place.city", "mine")])
        expectEqual(response.status, 409)
        expectContains(try text(response), "The store has: <bdi>theirs</bdi>")
    }
}
