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
        let open = try #require(stack.store as? PostgreSQLStore).requireOpen()
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
            if !payloads.contains(end) { try #require(connection.waitForInput(30)) }
        }
        return payloads.count - 1
    }

    @Test(
        "A save sends a notice with a history or NSPersistentStoreRemoteChangeNotificationPostOptionKey, else none",
        arguments: [NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey])
    func options(key: String) throws {
        #expect(try notices([key: true as NSNumber]) == 1)
        #expect(try notices([key: false as NSNumber]) == 0)
    }
}
