import CoreData
import Testing

@testable import CoreDataCommand

/// XML and binary stores, whose objects are all in memory.
@Suite("coredata store browse: XML and binary stores")
struct BrowserInMemoryTests {
    private func session(
        _ name: String, in folder: TemporaryFolder, count: Int, isEditable: Bool = false
    ) async throws -> BrowserSession {
        let model = try BrowserSample.writeModel(to: folder)
        let copy = folder.path(name)
        let run = try await CommandRun(
            "store", "copy", BrowserSample.makeStore(in: folder, count: count), copy, "--model", model)
        expectEqual(run.status, 0, "\(run.errors)")
        return try BrowserSession(path: copy, model: model, isEditable: isEditable)
    }

    @Test("Every page can be read", arguments: ["Items.xml", "Items.binary"])
    func pages(name: String) async throws {
        let folder = try TemporaryFolder()
        let session = try await session(name, in: folder, count: 150)
        var rest = ["/"]
        var seen: Set<String> = []
        while let path = rest.popLast(), seen.count < 60 {
            guard seen.insert(path).inserted else { continue }
            let response = session.get(path)
            expectEqual(response.status, 200, "\(path)")
            let page = String(decoding: try response.data(), as: UTF8.self)
            if page.contains("<html") {
                rest += BrowserSession.links(in: page).filter { !seen.contains($0) }.reversed()
            }
        }
        expectContains(seen, "/history")
        try expectEqual(session.text("/count/Item"), "150")
        expectContains(try session.text("/history"), "has no history")
    }

    @Test("The next page begins behind the last row")
    func paging() async throws {
        let folder = try TemporaryFolder()
        let session = try await session("Items.xml", in: folder, count: 150)
        let first = try session.text("/e/Item")
        let next = try requireValue(
            BrowserSession.links(in: first).first { $0.contains("after=") })
        let second = try session.text(next)
        func rows(_ page: String) -> Set<String> {
            Set(
                page.components(separatedBy: "<th scope=\"row\"><a href=\"").dropFirst().map {
                    $0.prefix { $0 != "\"" }
                }.map(String.init))
        }
        #expect(!rows(second).isEmpty)
        expectTrue(rows(first).isDisjoint(with: rows(second)))
    }

    @Test("A form changes an object in the file")
    func edit() async throws {
        let folder = try TemporaryFolder()
        let session = try await session("Items.xml", in: folder, count: 3, isEditable: true)
        let path = try session.object("Item", predicate: "name == 'item 1'")
        let seen = try requireValue(
            BrowserSession.text(in: session.text(path), from: "name=\"seen\" value=\"", to: "\""))
        expectEqual(session.post(path, [("seen", seen), ("v.name", "changed")]).status, 303)
        expectContains(try session.text(path), "changed")
        let text = try String(contentsOf: URL(fileURLWithPath: session.path), encoding: .utf8)
        expectContains(text, ">changed<")
    }
}
