import CoreData
import Testing

/// `NSPersistentStoreRemoteChange`: which writes are posted, and with what.
@Suite("Remote changes", .timeLimit(.minutes(TestRun.hangMinutes)))
struct RemoteChangeTests {
    private static var option: [AnyHashable: Any] {
        [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber]
    }

    /// Runs a block, and returns the first notification of a coordinator.
    private static func notification(
        of coordinator: NSPersistentStoreCoordinator, _ block: () async throws -> Void
    ) async throws -> [AnyHashable: Any] {
        let (stream, continuation) = AsyncStream.makeStream(of: UnsafeSender<[AnyHashable: Any]>.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { continuation.yield(UnsafeSender($0.userInfo ?? [:])) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try await block()
        for await userInfo in stream { return userInfo.value }
        return [:]
    }

    private static func addTag(_ context: NSManagedObjectContext) throws {
        try on(context) {
            context.make("Tag", "a")
            try context.save()
        }
    }

    @Test("The keys are Apple's")
    func keys() {
        expectEqual(NSPersistentHistoryTrackingKey, "NSPersistentHistoryTrackingKey")
        expectEqual(
            NSPersistentStoreRemoteChangeNotificationPostOptionKey,
            "NSPersistentStoreRemoteChangeNotificationOptionKey")
        expectEqual(
            Notification.Name.NSPersistentStoreRemoteChange.rawValue, "NSPersistentStoreRemoteChangeNotification")
        expectEqual(NSPersistentStoreURLKey, "storeURL")
        expectEqual(NSPersistentHistoryTokenKey, "historyToken")
    }

    @Test("A save of the coordinator is posted with the store and the token")
    func own() async throws {
        let stack = try TestStack.tracking(more: Self.option)
        let info = try await Self.notification(of: stack.coordinator) { try Self.addTag(stack.context) }
        #expect(info[NSStoreUUIDKey] as? String == stack.store.identifier)
        expectEqual((info[NSPersistentStoreURLKey] as? URL)?.path, stack.url.path)
        #expect(
            info[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                == stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    @Test("A batch request is posted to its own coordinator and to others", arguments: [true, false])
    func batchRequest(_ isOwn: Bool) async throws {
        let stack = try TestStack.tracking(more: Self.option)
        let other = try TestStack.tracking(model: stack.model, folder: stack.folder)
        let info = try await Self.notification(of: stack.coordinator) {
            let context = isOwn ? stack.context : other.context
            try on(context) {
                try context.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]]))
            }
        }
        #expect(info[NSStoreUUIDKey] as? String == stack.store.identifier)
        #expect(info[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
    }

    @Test("A save of another coordinator is posted")
    func otherCoordinator() async throws {
        let stack = try TestStack.tracking(more: Self.option)
        let other = try TestStack.tracking(model: stack.model, folder: stack.folder)
        let info = try await Self.notification(of: stack.coordinator) { try Self.addTag(other.context) }
        #expect(info[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
    }

    @Test("A save of another process is posted, and its changes are in the history")
    func otherProcess() async throws {
        let stack = try TestStack.tracking(more: Self.option)
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        let info = try await Self.notification(of: stack.coordinator) {
            await #expect(processExitsWith: .success) { [path = stack.url.absoluteString as String] in
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
                _ = try coordinator.addPersistentStore(
                    ofType: StoreKind.tables.type, configurationName: nil, at: URL(string: path),
                    options: [NSPersistentHistoryTrackingKey: true as NSNumber])
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.transactionAuthor = "child"
                try RemoteChangeTests.addTag(context)
            }
        }
        #expect(info[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
        try on(stack.context) {
            let authors = try stack.context.transactions(after: token).map(\.author)
            expectEqual(authors, ["child"])
        }
    }
}
