import SwiftData

/// Many tasks over few model actors, which share a store: run under the thread sanitizer by `make test-tsan`.
@Suite("Model actors under load", .timeLimit(.minutes(TestRun.hangMinutes)))
struct ManyModelActorsTests {
    private static let actorCount = 8

    @Test("tasks over 8 actors lose no transfer and no account", arguments: LibraryStore.allCases)
    func transfers(_ store: LibraryStore) async throws {
        let place = try BankPlace()
        let container = try place.container(store)
        let ids = try Bank.open(container)
        let end = ContinuousClock.now + .milliseconds(TestRun.quick(200, long: 30_000))
        let tellers = (0..<Self.actorCount).map { _ in Teller(modelContainer: container) }
        let seed = TestRun.seed(for: "model actors under load")
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<TestRun.quick(40, long: 200) {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(task))
                    let teller = tellers[task % tellers.count]
                    var transfers = 0
                    repeat {
                        let (from, to) = (ids.randomElement(using: &random)!, ids.randomElement(using: &random)!)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: _ = try await teller.report()
                        case 1: _ = await teller.name(of: from)
                        default:
                            try await teller.record(from, to, amount: Int.random(in: 1...9, using: &random))
                            transfers += 1
                        }
                    } while ContinuousClock.now < end
                    return transfers
                }
            }
            return try await group.reduce(0, +)
        }
        let context = ModelContext(container)
        try expectEqual(context.fetchCount(FetchDescriptor<Bank.Transfer>()), done)
        try expectEqual(context.fetchCount(FetchDescriptor<Bank.Account>()), ids.count)
        let accounts = try context.fetch(FetchDescriptor<Bank.Account>())
        expectEqual(accounts.reduce(0) { $0 + $1.incoming.count }, done)
        expectEqual(accounts.reduce(0) { $0 + $1.outgoing.count }, done)
        expectEqual(accounts.reduce(0) { $0 + $1.balance }, 0)
    }

    @Test("models are read and observed on the main actor while actors save", arguments: LibraryStore.allCases)
    @MainActor func mainActor(_ store: LibraryStore) async throws {
        let place = try BankPlace()
        let container = try place.container(store)
        let ids = try Bank.open(container)
        let account = try requireValue(container.mainContext.model(for: ids[0]) as? Bank.Account)
        let rounds = TestRun.quick(20, long: 400)
        let writers = (0..<4).map { index in
            Task {
                let teller = Teller(modelContainer: container)
                for round in 0..<rounds { try await teller.record(ids[0], ids[index + 1], amount: round) }
            }
        }
        let changes = ChangeCounter()
        for _ in 0..<rounds {
            withObservationTracking {
                _ = account.outgoing.count
            } onChange: {
                changes.add()
            }
            await Task.yield()
        }
        for writer in writers { try await writer.value }
        _ = try container.mainContext.fetchCount(FetchDescriptor<Bank.Transfer>())
        container.mainContext.processPendingChanges()
        let saved = try ModelContext(container).fetchCount(FetchDescriptor<Bank.Transfer>())
        expectEqual(saved, 4 * rounds)
    }
}

/// Accounts and the transfers between them. Each transfer takes from one account what it gives to another.
enum Bank {
    @Model final class Account {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Transfer.to) var incoming: [Transfer] = []
        @Relationship(deleteRule: .cascade, inverse: \Transfer.from) var outgoing: [Transfer] = []

        init(_ name: String) { self.name = name }

        var balance: Int {
            incoming.reduce(0) { $0 + $1.amount } - outgoing.reduce(0) { $0 + $1.amount }
        }
    }

    @Model final class Transfer {
        var amount: Int
        var date: Date
        var from: Account?
        var to: Account?

        init(amount: Int, date: Date) {
            self.amount = amount
            self.date = date
        }
    }

    /// Inserts the accounts.
    static func open(_ container: ModelContainer) throws -> [PersistentIdentifier] {
        let context = ModelContext(container)
        let accounts = (0..<12).map { Account("Account \($0)") }
        for account in accounts { context.insert(account) }
        try context.save()
        return accounts.map(\.persistentModelID)
    }
}

private struct BankPlace {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func container(_ store: LibraryStore) throws -> ModelContainer {
        let schema = Schema([Bank.Account.self, Bank.Transfer.self])
        let configuration =
            store == .file
            ? ModelConfiguration(url: folder.file("bank.store")) : ModelConfiguration(isStoredInMemoryOnly: true)
        return try ModelContainer(for: schema, configurations: configuration)
    }
}

@ModelActor
actor Teller {
    func record(_ from: PersistentIdentifier, _ to: PersistentIdentifier, amount: Int) throws {
        let transfer = Bank.Transfer(amount: amount, date: Date(timeIntervalSinceReferenceDate: Double(amount)))
        modelContext.insert(transfer)
        transfer.from = self[from, as: Bank.Account.self]
        transfer.to = self[to, as: Bank.Account.self]
        try modelContext.save()
    }

    func name(of id: PersistentIdentifier) -> String? { self[id, as: Bank.Account.self]?.name }

    /// The greatest balance.
    func report() throws -> Int {
        var descriptor = FetchDescriptor<Bank.Account>(sortBy: [SortDescriptor(\.name)])
        descriptor.relationshipKeyPathsForPrefetching = [\.incoming, \.outgoing]
        return try modelContext.fetch(descriptor).map(\.balance).max() ?? 0
    }
}

private final class ChangeCounter: @unchecked Sendable {
    // Sendable: the count is behind a lock.
    private let lock = NSLock()
    private var count = 0

    func add() { lock.withLock { count += 1 } }
}
