import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Listening for notifications.
@Suite(.enabled(if: TestServer.isPresent)) struct PostgreSQLListenerTests {
    private let channel = "channel \"\(UUID().uuidString)\""
    private let signals = Signals()

    private func listener(_ interval: TimeInterval = 30) throws -> PostgreSQLListener {
        let signals = signals
        return PostgreSQLListener(
            try TestServer.location(), channel: channel, interval: interval, handler: { signals.add($0) },
            reconnected: { signals.add("reconnected") }, caughtUp: { signals.add("caught up") })
    }

    private func notify(_ payload: String) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(text: channel)
        parameters.append(text: payload)
        try TestServer.connect().execute("SELECT pg_notify($1, $2)", parameters)
    }

    @Test("A connection reads its notifications")
    func aConnectionReadsItsNotifications() throws {
        let connection = try TestServer.connect()
        expectFalse(connection.waitForInput(0))
        try connection.executeScript("LISTEN \(PostgreSQLConnection.quoted(channel))")
        try expectEmpty(connection.notifications())
        try notify("ä")
        expectTrue(connection.waitForInput(30))
        let notifications = try connection.notifications()
        expectEqual(notifications.map(\.payload), ["ä"])
        expectEqual(notifications.map(\.channel), [channel])
    }

    @Test("A listener gets payloads after it has caught up")
    func aListenerGetsPayloads() throws {
        let listener = try listener()
        #expect(signals.wait { $0 == ["caught up"] })
        try notify("1")
        try notify("2")
        #expect(signals.wait { $0 == ["caught up", "1", "2"] })
        listener.stop()
    }

    @Test("A listener whose process was terminated listens again")
    func aListenerWhoseProcess() throws {
        let listener = try listener()
        #expect(signals.wait { $0 == ["caught up"] })
        try TestServer.terminate(try requireValue(listener.backendProcess), by: TestServer.connect())
        #expect(signals.wait { $0 == ["caught up", "reconnected", "caught up"] })
        try notify("1")
        #expect(signals.wait { $0 == ["caught up", "reconnected", "caught up", "1"] })
        listener.stop()
    }

    @Test("A listener catches up regularly")
    func aListenerCatchesUp() throws {
        let listener = try listener(0.05)
        #expect(signals.wait { $0.count >= 4 })
        listener.stop()
    }

    @Test("A listener catches up while the server can't be reached")
    func aListenerCatchesUpWhile() throws {
        let folder = try TemporaryFolder()
        let location = try PostgreSQLLocation(
            url: try requireValue(URL(string: "postgresql:///db?host=\(folder.url.path)")))
        let signals = signals
        let listener = PostgreSQLListener(
            location, channel: channel, interval: 0.05, handler: { signals.add($0) },
            caughtUp: { signals.add("caught up") })
        #expect(signals.wait { $0.count >= 3 })
        expectEqual(listener.backendProcess, nil)
        listener.stop()
    }

    @Test("After the stop no handler runs, and the connection ends")
    func afterTheStopNoHandler() throws {
        let listener = try listener(0.01)
        #expect(signals.wait { !$0.isEmpty })
        listener.stop()
        let count = signals.all.count
        let observer = try TestServer.connect()
        var parameters = PostgreSQLParameters()
        parameters.append(text: channel.replacingOccurrences(of: "\"", with: "\"\""))
        let text = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%' || $1 || '%' AND pid <> pg_backend_pid()"
        let end = ContinuousClock.now + .seconds(30)
        while try observer.execute(text, parameters)[0].int64(0) > 0, ContinuousClock.now < end {}
        try expectEqual(observer.execute(text, parameters)[0].int64(0), 0)
        expectEqual(signals.all.count, count)
    }

    @Test("A handler may stop its listener")
    func aHandlerMayStop() throws {
        let signals = signals
        let box = Signals()
        nonisolated(unsafe) var listener: PostgreSQLListener?
        listener = PostgreSQLListener(try TestServer.location(), channel: channel, interval: 0.01) { _ in
        } caughtUp: {
            guard box.all == ["assigned"] else { return }
            listener?.stop()
            signals.add("stopped")
        }
        box.add("assigned")
        #expect(signals.wait { $0 == ["stopped"] })
    }

    @Test("The end of a listener's life stops it")
    func theEndOfAListeners() throws {
        weak var listener: PostgreSQLListener?
        do {
            let strong = try self.listener(0.01)
            listener = strong
            #expect(signals.wait { !$0.isEmpty })
        }
        #expect(listener == nil)
    }
}
