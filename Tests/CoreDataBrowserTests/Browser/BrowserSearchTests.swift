import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: labels, search, previews")
struct BrowserSearchTests {
    @Test("One box searches all texts of all entities, and finds IDs")
    func search() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(
            path: BrowserSongs.makeStore(in: folder, titles: ["Blue evening", "Red <b>"]))
        expectContains(try session.text("/"), "action=\"/search\"")
        let page = try session.text("/search?q=EVENING")
        expectContains(page, "<h2>Song</h2>")
        expectContains(page, "<h2>Play/list</h2>")
        expectContains(page, "Blue evening · DE-0")
        expectContains(try session.text("/search?q=%3Cb%3E"), "Red &lt;b&gt;")
        // The text that the label lacks is shown.
        expectContains(try session.text("/search?q=2.50"), "<span class=\"type\">notes:</span>")
        expectContains(try session.text("/search?q=Song/p2"), "Red &lt;b&gt; · DE-1")
        expectContains(try session.text("/search?q=nowhere"), "No object has a text with these words.")
        expectEqual(session.get("/search").status, 200)
    }

    @Test("A search with very many results leads to all of them")
    func more() throws {
        let folder = try TemporaryFolder()
        let session = try BrowserSession(path: BrowserSample.makeStore(in: folder, count: 60))
        let page = try session.text("/search?q=item")
        let link = try requireValue(BrowserSession.links(in: page).first { $0.hasPrefix("/e/Item?p=") })
        expectEqual(session.get(link).status, 200)
        try expectEqual(session.text(link.replacingOccurrences(of: "/e/", with: "/count/")), "51")
    }

    @Test("A UUID finds its object")
    func uuid() throws {
        let session = try BrowserSession()
        let person = try session.text(session.object("Person", predicate: "lastName == 'Lovelace'"))
        let uuid = try requireValue(person.firstMatch(of: /text">([0-9A-F]{8}-[0-9A-F-]{27})/)).output.1
        expectContains(try session.text("/search?q=\(uuid)"), "Lovelace")
    }

    @Test("Labels are of unique attributes, two where one is not enough")
    func labels() throws {
        let session = try BrowserSession()
        expectContains(try session.text("/search?q=Lovelace"), "<bdi>Ada Lovelace</bdi>")
        let car = try session.text(session.object("Car", predicate: "maker == 'Alfa'"))
        let plate = try requireValue(
            BrowserSession.text(in: car, from: "numberPlate</th><td class=\"value\"><bdi class=\"text\">", to: "</bdi>")
        )
        expectContains(car, "<h1><bdi>\(plate)</bdi></h1>")
    }

    @Test("JSON, property lists and archives are shown with their contents, in composite values too")
    func previews() throws {
        let object: [String: Any] = ["name": "Ünder", "list": [1, true, 2.5] as [Any]]
        let values: [(Data, String, String)] = [
            (
                try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0),
                "property list",
                "name: &quot;Ünder&quot;"
            ),
            (
                try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0), "property list",
                "2.5"
            ),
            (
                try NSKeyedArchiver.archivedData(
                    withRootObject: NSDictionary(dictionary: ["key": "inside"]), requiringSecureCoding: false),
                "archive",
                "&quot;inside&quot;"
            ),
            (Data("{\"a\":[1.50,{\"b\":null}]}".utf8), "JSON", "1.50"),
            (Data("plain <text>".utf8), "text", "plain &lt;text&gt;"),
        ]
        for (data, kind, content) in values {
            let folder = try TemporaryFolder()
            let session = try BrowserSession(path: BrowserSongs.makeStore(in: folder, titles: ["A"], data: data))
            let page = try session.text("/o/Song/p1")
            expectContains(page, "<summary>\(kind)</summary>", "\(kind)")
            expectContains(page, content, "\(kind): \(page)")
            // The JSON inside of the composite value, and that in a text.
            expectContains(page, "&quot;zip&quot;: 50667")
            expectContains(page, "2.50")
        }
    }

    @Test("Bytes that look like an archive and are none, and deep ones, are shown in bounded time and size")
    func hostilePreviews() throws {
        let deep = Data((String(repeating: "[", count: 90) + String(repeating: "]", count: 90)).utf8)
        let wide = Data(("[" + Array(repeating: "\"<x>\"", count: 100_000).joined(separator: ",") + "]").utf8)
        let looped: [String: Any] = ["$archiver": "NSKeyedArchiver", "$objects": ["$null"], "$top": ["root": 0]]
        let values = [
            deep, wide, Data("bplist00\u{1}\u{2}".utf8), Data("{\"open\":".utf8), Data([0xff, 0xfe, 0, 1]),
            try PropertyListSerialization.data(fromPropertyList: looped, format: .binary, options: 0),
        ]
        for data in values {
            let folder = try TemporaryFolder()
            let session = try BrowserSession(path: BrowserSongs.makeStore(in: folder, titles: ["A"], data: data))
            let response = session.get("/o/Song/p1")
            expectEqual(response.status, 200)
            #expect(try response.data().count < 200_000)
        }
    }
}
