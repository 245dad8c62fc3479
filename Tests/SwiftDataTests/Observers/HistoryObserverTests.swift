/// Counters of what is saved.
@MainActor @Suite(.timeLimit(.minutes(TestRun.hangMinutes))) struct HistoryObserverTests {
    @Test func savesAreCounted() async throws {
        let store = try VoyageStore()
        let observer = try HistoryObserver(modelContainer: store.container)
        expectEqual(observer.eventCounter, 0)
        try store.add("A")
        await waitUntil { observer.eventCounter == 1 }
        try store.add("B")
        await waitUntil { observer.eventCounter == 2 }
    }

    @Test func authorsAndModelsSelect() async throws {
        let store = try VoyageStore()
        let observer = try HistoryObserver(
            observedModels: [Stop.self], authors: ["editor"], modelContainer: store.container)
        try store.add("A", author: "editor")
        store.context.author = "import"
        store.context.insert(Stop(place: "Chur"))
        try store.context.save()
        store.context.author = "editor"
        store.context.insert(Stop(place: "Sils"))
        try store.context.save()
        await waitUntil { observer.eventCounter > 0 }
        expectEqual(observer.eventCounter, 1)
        expectEqual(observer.authors, ["editor"])
        expectEqual(observer.observedModels.count, 1)
    }

    @Test func transactionsBehindTokensAreCounted() throws {
        let store = try VoyageStore()
        for name in ["A", "B", "C"] { try store.add(name) }
        let first = try store.history()[0]
        let observer = try HistoryObserver(
            historyTokens: [first.storeIdentifier: first.token], modelContainer: store.container)
        expectEqual(observer.eventCounter, 2)
    }

    @Test func tokensOfTheNotificationAreAccepted() async throws {
        let store = try VoyageStore()
        let received = ReceivedTokens()
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: store.context, queue: nil
        ) { received.read($0) }
        defer { NotificationCenter.default.removeObserver(token) }
        try store.add("A")
        let tokens = try requireValue(received.tokens)
        let observer = try HistoryObserver(historyTokens: tokens, modelContainer: store.container)
        expectEqual(observer.eventCounter, 0)
    }

    @Test func tokenOfAnotherStoreIsThrown() throws {
        let (store, other) = (try VoyageStore(), try VoyageStore())
        try other.add("A")
        let transaction = try other.history()[0]
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try HistoryObserver(
                historyTokens: [transaction.storeIdentifier: transaction.token], modelContainer: store.container)
        }
    }

    @Test func savesOfAnotherProcessAreCounted() async throws {
        let store = try VoyageStore()
        try store.add("A")
        let observer = try HistoryObserver(authors: ["child"], modelContainer: store.container)
        let path = store.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let context = ModelContext(try VoyageStore.container(URL(fileURLWithPath: path)))
            context.author = "child"
            context.insert(Voyage(name: "B"))
            try context.save()
        }
        await waitUntil { observer.eventCounter == 1 }
    }

    private final class ReceivedTokens: @unchecked Sendable {
        var tokens: [String: any HistoryToken]?

        func read(_ notification: Notification) {
            tokens =
                notification.userInfo?[ModelContext.NotificationKey.historyTokens.rawValue]
                as? [String: any HistoryToken]
        }
    }
}
