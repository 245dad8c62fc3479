#if Server
    import CoreDataServer
    import CoreDataTestSupport
    import TestSupport
    import Testing

    /// The end of a service on a server of a database.
    @Suite("Notices at the end of a service", .enabled(if: StoreKind.tables == .postgresql))
    struct ServiceNoticeTests {
        @Test("Other processes hear of the last commit before a shutdown")
        func lastCommit() async throws {
            let options: [String: NSNumber] = [
                NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ]
            let test = try TestService(.postgresql, options: options)
            let other = NSPersistentStoreCoordinator(managedObjectModel: TeamModel.make())
            let url = StoreKind.postgresql.url("store.sqlite", in: test.folder)
            let heard = Event()
            try await test.run { _ in
                try await test.service.waitUntilReady()
                try other.addPersistentStore(
                    ofType: StoreKind.postgresql.type, configurationName: nil, at: url, options: options)
                _ = NotificationCenter.default.addObserver(
                    forName: .NSPersistentStoreRemoteChange, object: other, queue: nil
                ) { _ in heard.happen() }
                try await test.service.perform { context in
                    context.make("Team", "last")
                    try context.save()
                }
            }
            // Without a notice the other coordinator would look for commits after 30 seconds.
            let begin = ContinuousClock.now
            await heard.wait()
            #expect(ContinuousClock.now - begin < .seconds(15))
            for store in other.persistentStores { try other.remove(store) }
        }
    }
#endif
