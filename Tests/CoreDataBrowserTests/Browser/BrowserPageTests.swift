import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: pages")
struct BrowserPageTests {
    @Test("The first page lists entities, metadata and version hashes")
    func start() throws {
        let page = try BrowserSession().text("/")
        expectContains(page, "<a href=\"/e/Person\"><bdi>Person</bdi></a>")
        expectContains(page, "data-count=\"/count/Person\"")
        expectContains(page, "<dt>NSStoreUUID</dt>")
        #expect(page.contains(try #require(SampleModel.hashes[2].split(separator: " ").last)))
        expectContains(page, "coredata store info")
    }

    @Test("The count of a table is its own answer, with the predicate")
    func count() throws {
        let session = try BrowserSession()
        try expectEqual(session.text("/count/Car"), "4")
        try expectEqual(session.text("/count/Car?p=maker+BEGINSWITH+'P'"), "1")
    }

    @Test("The boxes of the diagram are links")
    func model() throws {
        let page = try BrowserSession().text("/model")
        expectContains(page, "<a href=\"/e/SportCar\">\n<g class=\"entity\">")
        expectContains(page, "coredata model diagram")
    }

    @Test("A table shows objects of subentities, labels of related objects, and its command line")
    func table() throws {
        let page = try BrowserSession().text("/e/Car?sort=maker")
        let makers = ["Alfa", "Borgward", "Citroën", "Porsche"].compactMap { page.range(of: $0)?.lowerBound }
        expectEqual(makers.count, 4)
        expectEqual(makers, makers.sorted())
        expectContains(page, ">SportCar p")
        expectContains(page, "<bdi>Ada Lovelace</bdi></a>")
        expectContains(page, "--entity Car --sort maker --limit 100")
    }

    @Test("The plus sign of a form is a space, and the predicate is in the command line, quoted")
    func predicate() throws {
        let page = try BrowserSession().text("/e/Car?p=owner.firstName+%3D%3D+'Ada'+AND+maker+CONTAINS+'o'")
        expectContains(page, "Borgward")
        expectContains(page, "Citroën")
        #expect(!page.contains("Alfa"))
        expectContains(
            page, "--predicate &#39;owner.firstName == &#39;\\&#39;&#39;Ada")
    }

    @Test("Several sort keys and columns")
    func columns() throws {
        let page = try BrowserSession().text("/e/Car?columns=maker&columns=owner&sort=owner.firstName:desc,maker:desc")
        #expect(!page.contains("title=\"Sort by numberPlate\""))
        let makers = ["Citroën", "Borgward", "Alfa", "Porsche"].compactMap { page.range(of: $0)?.lowerBound }
        expectEqual(makers, makers.sorted())
    }

    @Test(
        "Pages of a table follow and precede each other by key", arguments: ["", "name", "name:desc", "year,name:desc"])
    func paging(sort: String) throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 250))
        func rows(_ page: String) -> [String] {
            page.components(separatedBy: "<th scope=\"row\"><a href=\"").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
        }
        func link(_ page: String, _ relation: String) -> String? {
            page.components(separatedBy: "<a class=\"button\" href=\"").first { $0.contains("rel=\"\(relation)\"") }?
                .split(separator: "\"").first.map { $0.replacingOccurrences(of: "&amp;", with: "&") }
        }
        let first = try session.text("/e/Item?sort=\(sort)")
        let second = try session.text(requireValue(link(first, "next")))
        let third = try session.text(requireValue(link(second, "next")))
        expectEqual(link(first, "prev"), nil)
        expectEqual(link(third, "next"), nil)
        let all = rows(first) + rows(second) + rows(third)
        expectEqual(all.count, 250)
        expectEqual(Set(all).count, 250)
        expectEqual(rows(try session.text(requireValue(link(third, "prev")))), rows(second))
        expectEqual(rows(try session.text(requireValue(link(second, "prev")))), rows(first))
    }

    @Test("The parser's message comes with the position")
    func check() throws {
        let session = try BrowserSession()
        expectContains(try session.text("/check/Car?p=maker+%3D%3D"), "\"position\":8")
        expectContains(try session.text("/check/Car?p=nothing+%3D%3D+1"), "has no property 'nothing'")
        try expectEqual(session.text("/check/Car?p=maker+%3D%3D+'A'"), "{\"message\":\"\"}")
    }

    @Test(
        "An invalid predicate is a message beside the box, which keeps the text",
        arguments: [
            "maker ==", "nothing == 1", "maker == $x", String(repeating: "(", count: 5_000) + "1 == 1",
            "maker.length.foo == 1", "SELF.owner.cars.x == 1",
        ])
    func invalidPredicates(text: String) throws {
        let session = try BrowserSession()
        let response = session.get("/e/Car?p=\(PercentEncoding.encoded(text))")
        expectEqual(response.status, 400)
        expectContains(String(decoding: try response.data(), as: UTF8.self), "value=\"\(HTML.escaped(text))\"")
    }

    @Test("A fetch template is a form, and its values become a predicate")
    func templates() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(
            path: BrowserSample.makeStore(in: folder, count: 10), model: BrowserSample.writeModel(to: folder))
        expectContains(try session.text("/e/Item"), "<input name=\"v.LIMIT\" required>")
        let response = session.get("/e/Item?template=Young&v.LIMIT=3")
        expectEqual(response.status, 303)
        expectEqual(response.headers["Location"], "/e/Item?p=year%20%3C%203")
        expectEqual(session.get("/e/Item?template=Young&v.LIMIT=x").status, 400)
        expectEqual(session.get("/e/Item?template=Young").status, 400)
    }

    @Test("The filtered set is saved as CSV and JSON")
    func export() throws {
        let session = try BrowserSession()
        let csv = session.get("/export/Car/csv?p=maker+CONTAINS+'o'&sort=maker")
        expectEqual(csv.headers["Content-Disposition"], "attachment; filename=\"Car.csv\"")
        expectEqual(String(decoding: try csv.data(), as: UTF8.self).components(separatedBy: "\r\n").count, 5)
        let json = try JSONSerialization.jsonObject(with: session.get("/export/Car/json").data()) as? [[String: Any]]
        expectEqual(json?.count, 4)
    }

    @Test("An object page has attributes with types, relationships with counts, labels and inverse sides")
    func object() throws {
        let session = try BrowserSession()
        let path = try session.object("Person", predicate: "firstName == 'Ada'")
        let page = try session.text(path)
        expectContains(page, "<h1><bdi>Ada Lovelace</bdi></h1>")
        expectContains(page, "Date")
        expectContains(page, ">3 objects</a>")
        expectContains(page, "inverse Car.owner")
        expectContains(page, "--id Person/p")
        let members = try requireValue(BrowserSession.links(in: page).first { $0.contains("of=Person") })
        let table = try session.text(members)
        expectContains(table, "Alfa")
        #expect(!table.contains("Porsche"))
        expectContains(table, "--related-to Person/p")
    }

    @Test("The command lines of an object and of its relationship give the same objects")
    func commandLines() async throws {
        let session = try BrowserSession()
        let path = try session.object("Person", predicate: "firstName == 'Ada'")
        let id = path.dropFirst(3)
        let object = try await CommandRun("store", "fetch", session.path, "--entity", "Person", "--id", String(id))
        expectContains(object.output, "Ada")
        #expect(!object.output.contains("Grace"))
        let cars = try await CommandRun(
            "store", "fetch", session.path, "--entity", "Car", "--related-to", "\(id)/cars")
        expectEqual(cars.lines.last, "3 objects")
    }

    @Test("What a save would refuse is named")
    func validation() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(
            path: BrowserSample.makeStore(in: folder, count: 3, year: 5_000),
            model: BrowserSample.writeModel(to: folder))
        let page = try session.text("/o/Item/p1")
        expectContains(page, "A save would refuse this object")
        expectContains(page, "year: ")
    }

    @Test("A store without history says so, one with history lists its changes")
    func history() throws {
        expectContains(try BrowserSession().text("/history"), "no history")
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 3, hasHistory: true))
        let page = try session.text("/history?days=1")
        expectContains(page, "author test")
        expectContains(page, "inserted <a href=\"/o/Item/p1\">")
        expectContains(page, "/o/Item/p2\"><bdi>item 1</bdi></a> <span class=\"type\">Item p2</span>")
    }

    @Test("Changes are left out of the history, and counted, where they are very many", arguments: [0, 1, 2, 3])
    func longHistory(readLimit: Int) throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 3, hasHistory: true))
        func part(before number: Int64?) throws -> HistoryPart {
            try session.browser.store.read { reader in
                try HistoryPart(
                    after: .distantPast, before: number, limit: 2, readLimit: readLimit, in: reader.context)
            }
        }
        let newest = try part(before: nil)
        expectEqual(newest.entries.map(\.transaction.transactionNumber), [3, 2])
        expectTrue(newest.hasOlder)
        expectEqual(newest.entries.map { $0.changes?.count }, [readLimit > 0 ? 1 : nil, readLimit > 1 ? 1 : nil])
        expectEqual(newest.entries.map(\.count), [1, 1])
        let oldest = try part(before: 2)
        expectEqual(oldest.entries.map(\.transaction.transactionNumber), [1])
        expectFalse(oldest.hasOlder)
        expectEqual(oldest.entries[0].changes?.map(\.changedObjectID.key), readLimit > 0 ? [1] : nil)
        expectEqual(oldest.isIncomplete, readLimit < 1)
        expectContains(try session.text("/history?before=2&anyway=1"), "/o/Item/p1")
    }

    @Test("A comparison lists differences of models and counts")
    func compare() throws {
        let folder = try TemporaryFolder()
        let other = try BrowserSample.makeStore(in: folder, count: 3)
        let page = try BrowserSession().text("/compare?with=\(PercentEncoding.encoded(other))")
        expectContains(page, "Item: entity added")
        expectContains(page, "Car: entity removed")
        expectContains(try BrowserSession().text("/compare?with=/nowhere"), "role=\"alert\"")
    }

    @Test("Images are shown by their first bytes, anything else is saved")
    func binaryValues() throws {
        let folder = try TemporaryFolder()
        let png = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2])
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8)
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 2, covers: [png, svg]))
        let image = session.get("/b/Item/p1/cover")
        expectEqual(image.headers["Content-Type"], "image/png")
        try expectEqual(image.data(), png)
        let other = session.get("/b/Item/p2/cover")
        expectEqual(other.headers["Content-Type"], "application/octet-stream")
        expectEqual(other.headers["Content-Disposition"]?.hasPrefix("attachment"), true)
        expectEqual(session.get("/b/Item/p2/nothing").status, 404)
    }

    @Test("Hostile texts are shown as texts")
    func hostileTexts() throws {
        let folder = try TemporaryFolder()
        let hostile = "<script>alert('x')</script>\u{202e}\u{0}\u{7}\"&" + String(repeating: "long ", count: 250_000)
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 2, name: hostile))
        for path in [
            "/e/Item", "/o/Item/p1", "/e/Item?p=%3Cscript%3E", "/e/%3Cscript%3E", "/compare?with=%3Cscript%3E",
        ] {
            let page = try session.text(path)
            #expect(!page.contains("<script>"))
            #expect(!page.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{0}" || $0 == "\u{7}" })
            #expect(page.utf8.count < 100_000)
        }
        #expect(try session.get("/b/Item/p1/name").data().count > 1_250_000)
    }

    @Test("A crawl of all links leaves the files of a store that is being written as they are")
    func crawl() throws {
        let folder = try TemporaryFolder()
        let writer = try BrowserSample.Writer(in: folder, count: 20)
        let files = { try TemporaryFolder.contents(of: writer.folder).filter { !$0.key.hasSuffix("-shm") } }
        let before = try files()
        #expect(before.keys.contains { $0.hasSuffix("-wal") })
        let session = try BrowserSession(path: writer.path)
        var seen: Set<String> = []
        var rest = ["/", "/history", "/compare?with=\(PercentEncoding.encoded(writer.path))"]
        while let next = rest.popLast(), seen.count < 400 {
            guard seen.insert(next).inserted else { continue }
            let response = session.get(next)
            #expect(response.status < 400 || next.hasPrefix("/favicon"))
            guard response.headers["Content-Type"]?.hasPrefix("text/html") == true else { continue }
            rest += BrowserSession.links(in: String(decoding: try response.data(), as: UTF8.self))
        }
        #expect(seen.count > 50)
        try expectEqual(files(), before)
        try writer.add("later")
        expectContains(try session.text("/e/Item?p=name+%3D%3D+'later'"), "<bdi>later</bdi>")
    }

    @Test("A store that is replaced while it is open is opened again")
    func replacedStore() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession()
        let other = try BrowserSample.makeStore(in: folder, count: 3)
        _ = session.get("/e/Car")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: session.path + suffix) }
        try FileManager.default.copyItem(atPath: other, toPath: session.path)
        _ = session.get("/e/Car")
        expectEqual(session.get("/e/Item").status, 200)
    }

    @Test("A damaged store is a message")
    func damagedStore() throws {
        let folder = try TemporaryFolder()
        let path = try BrowserSample.makeStore(in: folder, count: 2_000)
        let session = try BrowserSession(path: path)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xff, count: Int(size) - 4_096))
        try file.close()
        for target in ["/", "/e/Item", "/o/Item/p1", "/history", "/count/Item"] {
            #expect(try !session.get(target).data().isEmpty)
        }
    }
}
