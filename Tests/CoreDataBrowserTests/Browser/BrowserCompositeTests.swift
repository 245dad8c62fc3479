import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse --edit: composite values")
struct BrowserCompositeTests {
    private func text(_ response: BrowserResponse) throws -> String {
        String(decoding: try response.data(), as: UTF8.self)
    }

    @Test("A composite value has a field for each element, and the others keep their values")
    func elements() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSongs.session(in: folder)
        let page = try session.text("/o/Song/p1")
        #expect(page.contains("<label for=\"f-place.city\">place.city</label>"))
        #expect(page.contains("name=\"v.place.city\" value=\"Köln\""))
        #expect(page.contains("Binary values can’t be changed on this page."))
        expectEqual(session.post("/o/Song/p1", [("v.place.city", "Bonn")]).headers["Location"], "/o/Song/p1?done=saved")
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+'Bonn'"), "1")
        #expect(try session.text("/o/Song/p1").contains("50667"))
        expectEqual(session.post("/undo", []).status, 303)
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+'Köln'"), "1")
    }

    @Test("A composite value is nil while no element has a value, also in a new object")
    func noElement() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSongs.session(in: folder)
        let made = session.post("/new/Song", [("v.title", "a"), ("v.place.city", ""), ("nil.place.city", "on")])
        let path = try #require(made.headers["Location"])
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+nil"), "1")
        let object = String(path.prefix { $0 != "?" })
        expectEqual(session.post(object, [("v.place.city", "Ulm"), ("nil.place.city", "on")]).status, 303)
        try expectEqual(session.text("/count/Song?p=place.city+%3D%3D+'Ulm'"), "1")
        expectEqual(session.post(object, [("v.place.city", ""), ("nil.place.city", "on")]).status, 303)
        #expect(try session.text(object).contains("name=\"nil.place.city\" checked"))
    }

    @Test("A form that is older than an element of a composite value is refused")
    func olderElement() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSongs.session(in: folder)
        let old = try #require(
            BrowserSession.text(in: session.text("/o/Song/p1"), from: "name=\"seen\" value=\"", to: "\""))
        expectEqual(session.post("/o/Song/p1", [("seen", old), ("v.place.city", "theirs")]).status, 303)
        let response = session.post("/o/Song/p1", [("seen", old), ("v.place.city", "mine")])
        expectEqual(response.status, 409)
        #expect(try text(response).contains("The store has: <bdi>theirs</bdi>"))
    }
}
