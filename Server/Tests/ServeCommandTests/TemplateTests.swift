import CoreDataSyncServer
import Foundation
import Testing

@testable import ServeCommand

@Suite("Templates as JSON", .timeLimit(.minutes(2))) struct TemplateTests {
    private static let ann = RunningServer.annsToken
    private static let ben = RunningServer.bensToken

    /// Runs a body beside a server whose store has two lists of ann and one of ben.
    private func run(
        scopes: [SyncScope] = [], _ body: @escaping @Sendable (RunningServer) async throws -> Void
    ) async throws {
        try await RunningServer.run(settings: { $0.templates = ["mine", "titled", "shortItems", "itemsOf"] }) {
            server in
            let (container, engine) = try server.device("one", token: Self.ann)
            try await engine.start()
            try await container.insert("Food", items: 3, owner: "ann")
            try await container.insert("Tea & Co", items: 1, owner: "ann")
            try await container.insert("Food", items: 0, owner: "ben")
            try await engine.waitForPending()
            await engine.stop()
            guard !scopes.isEmpty else { return try await body(server) }
            // The same store with scopes.
            try await server.runAgain(settings: { $0.scopes = scopes }, body)
        }
    }

    /// The values of a key in an answer.
    private static func values(_ key: String, _ text: String) throws -> [String] {
        let objects = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
        return try #require(objects).map { "\($0[key] ?? "nil")" }
    }

    @Test("give the objects that a template finds for the user, with their attributes")
    func attributes() async throws {
        try await run { server in
            let mine = try await server.answer("fetch/mine", token: Self.ann)
            #expect(mine.status == 200)
            #expect(try Self.values("title", mine.text).sorted() == ["Food", "Tea & Co"])
            #expect(try Self.values("items", mine.text) == ["nil", "nil"])
            let bens = try await server.answer("fetch/mine", token: Self.ben)
            #expect(try Self.values("owner", bens.text) == ["ben"])
        }
    }

    @Test("take variables, keys, a limit and an offset from the query")
    func queries() async throws {
        try await run { server in
            let food = try await server.answer("fetch/titled?TITLE=Food&keys=owner", token: Self.ann)
            #expect(try Self.values("owner", food.text).sorted() == ["ann", "ben"])
            #expect(try Self.values("title", food.text) == ["nil", "nil"])
            let items = try await server.answer("fetch/itemsOf?TITLE=Tea+%26+Co&keys=name,list.title", token: Self.ann)
            #expect(items.text.contains(#""list":{"#) && items.text.contains(#""title":"Tea & Co""#), "\(items.text)")
            let short = try await server.answer("fetch/shortItems?COUNT=2", token: Self.ann)
            #expect(try Self.values("title", short.text).sorted() == ["Food", "Tea & Co"])
            let one = try await server.answer("fetch/titled?TITLE=Food&limit=1&offset=1", token: Self.ann)
            #expect(try Self.values("title", one.text) == ["Food"])
            let none = try await server.answer("fetch/titled?TITLE=Food&offset=2", token: Self.ann)
            #expect(none.text == "[]")
        }
    }

    @Test(
        "refuse a query that has a variable too many, too few, twice or with another value",
        arguments: [
            "fetch/mine?USER=ben", "fetch/titled", "fetch/titled?TITLE=a&TITLE=b", "fetch/titled?TITLE=a&OTHER=1",
            "fetch/titled?TITLE=a&limit=0", "fetch/titled?TITLE=a&limit=1001", "fetch/titled?TITLE=a&offset=-1",
            "fetch/titled?TITLE=a&keys=unknown", "fetch/titled?TITLE=a&keys=items.name",
            "fetch/titled?TITLE=a&keys=secret",
            "fetch/titled?TITLE=a&keys=a&keys=b", "fetch/titled?TITLE=%ff", "fetch/titled?TITLE=a&keys=picture",
        ])
    func badQueries(_ path: String) async throws {
        try await RunningServer.run(settings: { $0.templates = ["mine", "titled"] }) { server in
            let status = try await server.status(path, token: Self.ann)
            #expect(status == 400)
        }
    }

    @Test("aren't given to nobody, nor under a name that isn't offered")
    func refused() async throws {
        try await RunningServer.run(settings: { $0.templates = ["mine"] }) { server in
            let stranger = try await server.status("fetch/mine")
            #expect(stranger == 401)
            #expect(try await server.status("fetch/titled?TITLE=a", token: Self.ann) == 404)
            #expect(try await server.status("fetch/unknown", token: Self.ann) == 404)
        }
    }

    @Test(
        "can't be offered if they aren't in the model, or a query can't say their variables",
        arguments: [
            "unknown", "badName", "untyped",
        ])
    func unofferable(_ name: String) async throws {
        await #expect(throws: ServeError.self) {
            try await RunningServer.run(settings: { $0.templates = [name] }) { _ in }
        }
    }

    @Test("give a user of a server with scopes the attributes of its own objects alone")
    func scopes() async throws {
        try await run(scopes: [SyncScope("mine", follows: ["items"])]) { server in
            let food = try await server.answer("fetch/titled?TITLE=Food", token: Self.ben)
            #expect(try Self.values("owner", food.text) == ["ben"])
            let items = try await server.answer("fetch/titled?TITLE=Food&keys=owner.x", token: Self.ben)
            #expect(items.status == 400)
        }
    }
}

@Suite("Metrics", .timeLimit(.minutes(2))) struct MetricsTests {
    @Test("are for the administrator alone")
    func administrator() async throws {
        try await RunningServer.run(settings: { $0.administrator = "ann" }) { server in
            #expect(try await server.status("metrics") == 401)
            #expect(try await server.status("metrics", token: RunningServer.bensToken) == 403)
            let answer = try await server.answer("metrics", token: RunningServer.annsToken)
            #expect(answer.status == 200)
            #expect(answer.text.contains("\ncoredata_sync_position "))
            #expect(answer.text.contains("\ncoredata_sync_listeners 0.0\n"))
        }
        try await RunningServer.run { server in
            let status = try await server.status("metrics", token: RunningServer.annsToken)
            #expect(status == 404)
        }
    }

    @Test("have totals, times and values in the format of Prometheus")
    func format() {
        let metrics = PrometheusMetrics(most: 4)
        let counter = metrics.makeCounter(label: "hb.requests", dimensions: [("http.route", "/a\"\\\n")])
        counter.increment(by: 2)
        metrics.makeCounter(label: "hb.requests", dimensions: [("http.route", "/a\"\\\n")]).increment(by: 1)
        metrics.makeTimer(label: "time", dimensions: []).recordNanoseconds(1_500_000_000)
        metrics.makeMeter(label: "active", dimensions: []).set(Int64(3))
        for number in 0..<10 { metrics.makeCounter(label: "n\(number)", dimensions: []).increment(by: 1) }
        #expect(
            metrics.text(gauges: ["now": 7]) == #"""
                # TYPE active gauge
                active 3.0
                # TYPE hb_requests counter
                hb_requests{http_route="/a\"\\\n"} 3.0
                # TYPE n0 counter
                n0 1.0
                # TYPE time_seconds summary
                time_seconds_sum 1.5
                time_seconds_count 1
                # TYPE now gauge
                now 7.0

                """#)
    }
}
