import CoreData
import CoreDataSync
import CoreDataSyncServer
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Testing

@testable import ServeCommand

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The server", .timeLimit(.minutes(2))) struct ServerTests {
    @Test("brings changes of one device to another one, which hears of them")
    func devices() async throws {
        try await RunningServer.run { server in
            let token = "0123456789abcdef"
            let (one, oneEngine) = try server.device("one", token: token)
            let (two, twoEngine) = try server.device("two", token: token)
            try await oneEngine.start()
            try await twoEngine.start()
            try await twoEngine.syncNow()
            let events = twoEngine.events
            try await one.insert("Food", items: 100)
            try await oneEngine.waitForPending()
            for await event in events where event == .imported { break }
            #expect(try await two.titles() == ["Food"])
            await oneEngine.stop()
            await twoEngine.stop()
        }
    }

    @Test("answers nobody without a token")
    func tokens() async throws {
        try await RunningServer.run { server in
            for token in [nil, "", "0123456789abcde", "0123456789abcdef0", "ann"] {
                #expect(try await server.status("sync/session", method: "POST", token: token) == 401)
                #expect(try await server.status("sync/news", token: token) == 401)
            }
            let (_, engine) = try server.device("one", token: "wrong")
            try await engine.start()
            await #expect(throws: SyncEngineError.unauthorized) { try await engine.syncNow() }
            await engine.stop()
        }
    }

    @Test("refuses a store of another user's device")
    func otherAccount() async throws {
        try await RunningServer.run { server in
            let (_, one) = try server.device("one", token: "0123456789abcdef")
            try await one.start()
            try await one.syncNow()
            await one.stop()
            let (_, other) = try server.device("one", token: "fedcba9876543210")
            try await other.start()
            await #expect(throws: SyncEngineError.accountChanged) { try await other.syncNow() }
            #expect(await other.status.phase == .failed)
        }
    }

    @Test("ends while devices listen")
    func shutdown() async throws {
        try await RunningServer.run { server in
            let token = "0123456789abcdef"
            let (_, engine) = try server.device("one", token: token)
            try await engine.start()
            try await engine.syncNow()
            server.end()
            while true {
                do { try await engine.syncNow() } catch { break }
            }
            await engine.stop()
        }
    }

    @Test("isn't followed to another address")
    func redirections() async throws {
        // A server that sends each request to the first one, as a stolen address would.
        try await RunningServer.run { server in
            let target = server.url.appendingPathComponent("sync/session").absoluteString
            let router = Router()
            router.post("sync/:kind") { _, _ in
                Response(status: .temporaryRedirect, headers: [.location: target])
            }
            try await Self.run(router, beside: server) { other in
                let (_, engine) = try other.device("one", token: "0123456789abcdef")
                try await engine.start()
                await #expect(throws: (any Error).self) { try await engine.syncNow() }
                #expect(await engine.status.isConnected == false)
                await engine.stop()
            }
        }
    }

    @Test("is listened to over a connection that a short request has made")
    func listening() async throws {
        try await RunningServer.run { server in
            let (requests, request) = AsyncStream.makeStream(of: String.self)
            let router = Router()
            router.head("sync/news") { _, _ in
                request.yield("HEAD")
                return Response(status: .ok)
            }
            router.get("sync/news") { _, _ in
                request.yield("GET")
                return Response(status: .ok, headers: [.contentType: "text/event-stream"])
            }
            try await Self.run(router, beside: server) { other in
                let (_, engine) = try other.device("one", token: "0123456789abcdef")
                try await engine.start()
                var methods: [String] = []
                for await method in requests.prefix(2) { methods.append(method) }
                #expect(methods == ["HEAD", "GET"])
                await engine.stop()
            }
        }
    }

    /// Runs a server of other routes, with the folder of one that runs.
    private static func run(
        _ router: Router<BasicRequestContext>, beside server: RunningServer,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await number in ports {
                try await body(
                    RunningServer(
                        url: URL(string: "http://127.0.0.1:\(number)")!, folder: server.folder,
                        settings: server.settings, end: {}))
                break
            }
            group.cancelAll()
        }
    }

    @Test("answers requests that can't be read")
    func badRequests() async throws {
        try await RunningServer.run { server in
            let token = "0123456789abcdef"
            for body in ["", "{", "[]", "{}\n", "null", String(repeating: "[", count: 10_000)] {
                for kind in ["session", "changes", "push", "blob", "upload"] {
                    let status = try await server.status(
                        "sync/\(kind)", method: "POST", token: token, body: Data(body.utf8))
                    #expect(status == 400, "\(kind): \(body.prefix(20))")
                }
            }
            #expect(try await server.status("sync/other", method: "POST", token: token, body: Data()) == 404)
            #expect(try await server.status("health") == 204)
            #expect(try await server.status("ready") == 204)
        }
    }
}
