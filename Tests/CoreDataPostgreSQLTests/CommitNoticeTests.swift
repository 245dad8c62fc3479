import CoreDataTestSupport
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// The notices of a save to the other processes of a store.
@Suite("Notices of commits", .enabled(if: TestServer.isPresent))
struct CommitNoticeTests {
    /// The notices of a save, which another connection has heard.
    private func notices(_ options: [AnyHashable: Any]) throws -> Int {
        let stack = try TestStack(.postgresql, options: options)
        let open = try requireValue(stack.store as? PostgreSQLStore).database.requireOpen()
        let channel = PostgreSQLNotifier.channel(schema: open.location.schema)
        let connection = try TestServer.connect()
        try connection.executeScript("LISTEN \(PostgreSQLConnection.quoted(channel))")
        try on(stack.context) {
            stack.context.make("Tag", "t")
            try stack.context.save()
        }
        open.notifier.finish()
        // A server sends notices in the order of their commits.
        let end = "end"
        try connection.execute(
            "SELECT pg_notify($1, $2)", PostgreSQLParameters([.text(channel), .text(end)]))
        var payloads: [String] = []
        while !payloads.contains(end) {
            payloads += try connection.notifications().map(\.payload)
            if !payloads.contains(end) { try requireValue(connection.waitForInput(30)) }
        }
        return payloads.count - 1
    }

    @Test(
        "A save sends a notice with a history or NSPersistentStoreRemoteChangeNotificationPostOptionKey, else none",
        arguments: [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey])
    func options(key: String) throws {
        try expectEqual(notices([key: true as NSNumber]), 1)
        try expectEqual(notices([key: false as NSNumber]), 0)
    }

    @Test("Without a history a store that listens again takes it that others have committed meanwhile")
    func reconnectionWithoutAHistory() throws {
        let database = try TestDatabase()
        let name = "listener_" + UUID().uuidString.prefix(8)
        let coordinator = try database.coordinator(
            at: database.url("store", "application_name=\(name)"),
            options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber])
        let signals = Signals()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in signals.add("posted") }
        defer { NotificationCenter.default.removeObserver(observer) }
        let connection = try TestServer.connect()
        let end = ContinuousClock.now + .seconds(60)
        while signals.all.isEmpty, ContinuousClock.now < end {
            // The store doesn't know a connection that ends before its first answer.
            try connection.executeScript(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = '\(name)' AND query LIKE 'LISTEN %' AND state = 'idle';
                SELECT pg_sleep(0.2)
                """)
        }
        #expect(!signals.all.isEmpty)
    }
}
