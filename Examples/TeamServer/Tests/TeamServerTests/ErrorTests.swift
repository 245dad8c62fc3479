import CoreData
import HTTPTypes
import Logging
import ServiceLifecycle
import Testing

@testable import TeamServer

/// The answers to requests that fail.
@Suite("Errors")
struct ErrorTests {
    @Test("The name of the scheme ignores case")
    func scheme() async throws {
        try await TestServer().run { client in
            for scheme in ["bearer", "BEARER", "Bearer "] {
                let headers = ["Authorization": "\(scheme) \(TestServer.blue)"]
                try await #expect(client.send(.get, "/tasks", token: nil, headers: headers).status == .ok)
            }
            for header in ["Basic \(TestServer.blue)", "Bearer\(TestServer.blue)", TestServer.blue] {
                let answer = try await client.send(.get, "/tasks", token: nil, headers: ["Authorization": header])
                #expect(answer.status == .unauthorized)
            }
        }
    }

    @Test("Refusals have a message in JSON")
    func messages() async throws {
        try await TestServer { $0.bodyLimit = 100 }.run { client in
            let large = #"{"title":"\#(String(repeating: "a", count: 500))"}"#
            let unauthorized = try await client.send(.get, "/tasks", token: "x")
            #expect(unauthorized.headers[.wwwAuthenticate] == "Bearer")
            let answers: [(Client.Answer, HTTPResponse.Status)] = [
                (unauthorized, .unauthorized),
                (try await client.send(.get, "/nothing"), .notFound),
                (try await client.send(.get, "/tasks/x"), .notFound),
                (try await client.send(.put, "/tasks"), .methodNotAllowed),
                (try await client.send(.post, "/tasks", large), .contentTooLarge),
                (try await client.send(.get, "/tasks?limit=x"), .badRequest),
                (try await client.send(.patch, "/tasks/\(UUID())", "{}"), .preconditionRequired),
            ]
            for (answer, status) in answers {
                #expect(answer.status == status)
                #expect(!answer.message.isEmpty, "\(status): \(answer.text)")
                #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
            }
        }
    }

    @Test("Values that a database can't keep are refused with their key paths")
    func values() async throws {
        try await TestServer().run { client in
            for due in ["+300000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "1969-12-31T23:59:59Z"] {
                let answer = try await client.send(.post, "/tasks", #"{"title":"a","due":"\#(due)"}"#)
                #expect(answer.status == .unprocessableContent, "\(due)")
                #expect(answer.problems == ["due"])
                let escaped = due.replacingOccurrences(of: "+", with: "%2B")
                let list = try await client.send(.get, "/tasks?due.ge=\(escaped)")
                #expect(list.status == .badRequest, "\(due)")
            }
            let last = try await client.send(.post, "/tasks", #"{"title":"a","due":"9999-12-31T23:59:59Z"}"#)
            #expect(last.status == .created)
            let answer = try await client.send(.post, "/tasks", #"{"title":"a\u0000b"}"#)
            if TestServer.isPostgreSQL {
                #expect(answer.status == .unprocessableContent)
                #expect(answer.problems == ["title"])
            } else {
                #expect(answer.status == .created)
            }
        }
    }

    @Test(
        "An error is one of the service, of the request or of the server",
        arguments: [
            (512, "08006", HTTPResponse.Status.serviceUnavailable), (256, "57P01", .serviceUnavailable),
            (134080, "08001", .serviceUnavailable), (134090, "53300", .serviceUnavailable),
            (134090, "40001", .serviceUnavailable), (512, "42P17", .internalServerError),
            // It is unknown whether the change was made: it must not be made again at once.
            (512, "08007", .internalServerError),
            (640, "53100", .internalServerError), (133020, "", .conflict), (133021, "23505", .conflict),
        ])
    func statuses(code: Int, state: String, status: HTTPResponse.Status) throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let error = NSError(domain: NSCocoaErrorDomain, code: code, userInfo: ["NSPostgreSQLState": state])
        let wrapping = NSError(domain: NSCocoaErrorDomain, code: code, userInfo: [NSUnderlyingErrorKey: error])
        for error in [error, wrapping] {
            let response = try ErrorMiddleware.response(error, logger)
            #expect(response.status == status)
            #expect((response.headers[.retryAfter] != nil) == (status == .serviceUnavailable))
        }
    }

    @Test(
        "Requests are answered by 503 while the server of the database is away",
        .enabled(if: TestServer.isPostgreSQL))
    func stoppedDatabase() async throws {
        let database = try await PrivateDatabase()
        let url = try #require(URL(string: "\(database.url)&schema=teams"))
        try await TestServer { $0.database = url }.run { client in
            let path = "/tasks/\(try await client.send(.post, "/tasks", #"{"title":"a"}"#).key)"
            try await database.run("stop")
            for _ in 0..<2 {
                try await #expect(client.send(.get, path).status == .serviceUnavailable)
                try await #expect(client.send(.post, "/tasks", #"{"title":"b"}"#).status == .serviceUnavailable)
                try await #expect(
                    client.send(.patch, path, #"{"title":"b"}"#, match: "*").status == .serviceUnavailable)
            }
            try await database.run("start")
            try await #expect(client.send(.get, path).status == .ok)
        }
    }

    @Test(
        "A server that can't reach its database ends when it is told to", .timeLimit(.minutes(1)),
        arguments: [false, true])
    func shutdownWhileOpening(waits: Bool) async throws {
        let url = try #require(URL(string: "postgresql://127.0.0.1:1/teams?user=team&connect_timeout=2"))
        let settings = try TestServer { $0.database = url }.settings
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = try TeamServer(settings, logger: logger).application()
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        let running = Task { try await group.run() }
        // The first attempts have failed by then; an earlier end is one, too.
        if waits { try await Task.sleep(for: .milliseconds(500)) }
        await group.triggerGracefulShutdown()
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }
}
