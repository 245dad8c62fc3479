import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataCommand
@testable import CoreDataPostgreSQL

/// `coredata store browse` with URLs of PostgreSQL: the pages without a socket.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLBrowserTests {
    private let database: TestDatabase
    private let browser: StoreBrowser

    init() throws {
        database = try TestDatabase()
        try database.fill(database.coordinator(at: database.url()))
        let location = StoreLocation(database.url("store", "password=verysecret").absoluteString)
        let store = try BrowserStore(location, modelPath: nil, isEditable: false)
        browser = StoreBrowser(store: store, security: WebSecurity(port: 8_000))
    }

    private func page(_ target: String) throws -> (status: Int, text: String) {
        let cookie = "\(browser.security.cookieName)=\(browser.security.token)"
        let request = WebRequest(target, headers: ["Host": "127.0.0.1:8000", "Cookie": cookie])
        let response = browser.response(to: request)
        return (response.status, String(decoding: try response.data(), as: UTF8.self))
    }

    @Test("every link leads to a page without the password")
    func everyLinkLeadsToAPage() throws {
        var seen: Set<String> = []
        var rest = ["/", "/model", "/history"]
        while let next = rest.popLast(), seen.count < 150 {
            guard seen.insert(next).inserted else { continue }
            let answer = try page(next)
            #expect(answer.status == 200 || answer.status == 404 && next == "/favicon.ico", "\(next)")
            #expect(!answer.text.contains("verysecret"))
            rest += answer.text.components(separatedBy: "href=\"").dropFirst().compactMap { part in
                let link = part.prefix { $0 != "\"" }
                return link.hasPrefix("/") ? link.replacingOccurrences(of: "&amp;", with: "&") : nil
            }
        }
        #expect(seen.contains { $0.hasPrefix("/o/Book/") })
        #expect(seen.contains { $0.contains("sort=") })
    }

    @Test("a table is filtered, sorted and paged by key")
    func aTableIsFiltered() throws {
        for sort in ["", "name", "name:desc", "book.name:desc,name", "self:desc"] {
            try browser.store.read { reader in
                let table = try TableQuery("Chapter", FormValues([("sort", sort)]), reader: reader)
                let all = try table.objects(after: nil, limit: 100).map(\.objectID)
                var paged = try table.objects(after: nil, limit: 2).map(\.objectID)
                while let last = paged.last, case let next = try table.objects(after: last, limit: 2), !next.isEmpty {
                    paged += next.map(\.objectID)
                }
                expectEqual(paged, all)
                expectEqual(all.count, 6)
                let before = try table.objects(after: all[5], isBackward: true, limit: 3).map(\.objectID)
                expectEqual(before, Array(all[2..<5]))
            }
        }
        let filtered = try page("/e/Book?p=name%20%3D%20%27Two%27&sort=author.name:desc,name").text
        expectContains(filtered, "Two")
        #expect(!filtered.contains(">One<"))
        expectContains(filtered, "coredata store fetch &#39;postgresql://")
    }

    @Test("a predicate with a mistake and an object that isn't there are messages")
    func aPredicateWithAMistake() throws {
        try expectEqual(page("/e/Book?p=nothing%20%3D%201").status, 400)
        #expect(try page("/e/Book?p=name%20MATCHES%20%27(%27").status <= 400)
        try expectEqual(page("/o/Book/p999999").status, 404)
    }
}
