import CoreData
import Testing

/// The selections and results of requests on the history.
@Suite("Requests on the history")
struct HistoryRequestTests {
    /// Three transactions: two tags by "app", one update and one insertion by "import", one deletion without author.
    private static func stack() throws -> TestStack {
        let stack = try TestStack.tracking()
        let context = stack.context
        try on(context) {
            context.transactionAuthor = "app"
            let (one, two) = (context.make("Tag", "1"), context.make("Tag", "2"))
            try context.save()
            context.transactionAuthor = "import"
            one.setValue("one", forKey: "name")
            context.make("Shelf", "3")
            try context.save()
            context.transactionAuthor = nil
            context.delete(two)
            try context.save()
            _ = try context.transactions().map(\.ordinal)
        }
        return stack
    }

    private typealias Request = NSPersistentHistoryChangeRequest

    private static func numbers(_ request: Request, _ context: NSManagedObjectContext) throws -> [Int64] {
        (try context.history(request, as: [NSPersistentHistoryTransaction].self) ?? []).map(\.ordinal)
    }

    /// The transactions that a fetch request selects.
    private static func numbers(
        _ context: NSManagedObjectContext, _ format: String, _ arguments: [Any] = [], sort: String? = nil,
        limit: Int = 0
    ) throws -> [Int64] {
        let fetch = try requireValue(NSPersistentHistoryTransaction.fetchRequest)
        fetch.entity = NSPersistentHistoryTransaction.entityDescription(with: context)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        fetch.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: false)] }
        fetch.fetchLimit = limit
        return try numbers(.fetchHistory(withFetch: fetch), context)
    }

    @Test("Transactions follow a token, a transaction or a date")
    func after() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let all = try stack.context.transactions()
            expectEqual(all.map(\.ordinal), [1, 2, 3])
            try expectEqual(stack.context.transactions(after: all[0].token).map(\.ordinal), [2, 3])
            try expectEqual(Self.numbers(.fetchHistory(after: all[1]), stack.context), [3])
            try expectEqual(Self.numbers(.fetchHistory(after: Date.distantPast), stack.context), [1, 2, 3])
            try expectEqual(Self.numbers(.fetchHistory(after: all[2].timestamp), stack.context), [])
        }
    }

    @Test("Each result type has its result")
    func resultTypes() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let request = Request.fetchHistory(after: Date.distantPast)
            expectEqual(request.resultType, .transactionsAndChanges)
            func result<T>(_ type: NSPersistentHistoryResultType, as: T.Type) throws -> T? {
                request.resultType = type
                let result = try stack.context.execute(request) as? NSPersistentHistoryResult
                expectEqual(result?.resultType, type)
                return result?.result as? T
            }
            try expectEqual(result(.statusOnly, as: NSNumber.self)?.boolValue, true)
            try expectEqual(result(.count, as: NSNumber.self), 5)
            try expectEqual(result(.objectIDs, as: [NSManagedObjectID].self)?.count, 3)
            let only = try result(.transactionsOnly, as: [NSPersistentHistoryTransaction].self)
            expectEqual(only?.count, 3)
            expectEqual(only?.allSatisfy { $0.changes == nil }, true)
            let changes = try requireValue(try result(.changesOnly, as: [NSPersistentHistoryChange].self))
            expectEqual(changes.map(\.changeID), [1, 2, 3, 4, 5])
            expectEqual(changes.map { $0.transaction?.ordinal }, [1, 1, 2, 2, 3])
        }
    }

    @Test("A fetch request for transactions selects, sorts and limits them")
    func fetchOfTransactions() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let context = stack.context
            let imported = try Self.numbers(context, "author == %@", ["import"])
            let others = try Self.numbers(context, "author != %@", ["app"])
            let anonymous = try Self.numbers(context, "author == nil")
            let newest = try Self.numbers(context, "TRUEPREDICATE", sort: "timestamp", limit: 2)
            let dated = try Self.numbers(
                context, "timestamp > %@ AND author IN %@", [Date.distantPast, ["app", "x"]])
            expectEqual(imported, [2])
            expectEqual(others, [2, 3])
            expectEqual(anonymous, [3])
            expectEqual(newest, [3, 2])
            expectEqual(dated, [1])
        }
    }

    @Test("A fetch request selects the transactions after, at and before a token")
    func fetchByToken() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let token = try stack.context.transactions()[1].token
            try expectEqual(Self.numbers(stack.context, "token > %@", [token]), [3])
            try expectEqual(Self.numbers(stack.context, "token >= %@", [token]), [2, 3])
            try expectEqual(Self.numbers(stack.context, "token == %@", [token]), [2])
            try expectEqual(Self.numbers(stack.context, "token < %@ AND author == 'app'", [token]), [1])
            try expectEqual(Self.numbers(stack.context, "TRUEPREDICATE", sort: "token", limit: 2), [3, 2])
        }
    }

    @Test("A fetch request selects the transactions after a token of the coordinator, of the stores that it names")
    func fetchByTokenOfCoordinator() throws {
        let stack = try Self.stack()
        let other = try TestStack.tracking()
        try on(stack.context) {
            let token = try requireValue(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
            let foreign = try requireValue(other.coordinator.currentPersistentHistoryToken(fromStores: nil))
            stack.context.make("Tag", "4")
            try stack.context.save()
            try expectEqual(Self.numbers(stack.context, "token > %@", [token]), [4])
            try expectEqual(Self.numbers(stack.context, "token > %@", [foreign]), [])
        }
    }

    /// The changes that a predicate selects.
    private static func changes(_ context: NSManagedObjectContext, _ format: String, _ argument: Any) throws -> [String]
    {
        let fetch = try requireValue(NSPersistentHistoryChange.fetchRequest)
        fetch.entity = NSPersistentHistoryChange.entityDescription(with: context)
        fetch.predicate = NSPredicate(format: format, argumentArray: [argument])
        let request = Request.fetchHistory(withFetch: fetch)
        request.resultType = .changesOnly
        return (try context.history(request, as: [NSPersistentHistoryChange].self) ?? []).map(\.text)
    }

    @Test("A fetch request selects the changes of the objects of an entity")
    func fetchByEntity() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let context = stack.context
            let entities = stack.model.entitiesByName
            let tag = try requireValue(entities["Tag"])
            let shelf = try requireValue(entities["Shelf"])
            let ofTags = ["insert Tag", "insert Tag", "update Tag: name", "delete Tag"]
            try expectEqual(Self.changes(context, "changedEntity == %@", tag), ofTags)
            try expectEqual(Self.changes(context, "changedEntity != %@", tag), ["insert Shelf"])
            try expectEqual(Self.changes(context, "changedEntity IN %@", [shelf]), ["insert Shelf"])
            try expectEqual(Self.changes(context, "changedEntity == %@", "Shelf"), ["insert Shelf"])
            let token = try context.transactions()[1].token
            try expectEqual(Self.changes(context, "transaction.token > %@", token), ["delete Tag"])
        }
    }

    @Test("A fetch request for changes selects them")
    func fetchOfChanges() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let tag = try stack.context.one("Tag", "one")
            let fetch = NSFetchRequest<any NSFetchRequestResult>()
            fetch.entity = NSPersistentHistoryChange.entityDescription(with: stack.context)
            fetch.predicate = NSPredicate(format: "%K == %@", "changedObjectID", tag.objectID)
            let request = Request.fetchHistory(withFetch: fetch)
            request.resultType = .changesOnly
            try expectEqual(
                stack.context.history(request, as: [NSPersistentHistoryChange].self)?.map(\.text),
                ["insert Tag", "update Tag: name"])
            fetch.predicate = NSPredicate(format: "changeType == %d", NSPersistentHistoryChangeType.delete.rawValue)
            try expectEqual(
                stack.context.history(request, as: [NSPersistentHistoryChange].self)?.map(\.text),
                ["delete Tag"])
            request.resultType = .transactionsAndChanges
            let transactions = try requireValue(
                try stack.context.history(request, as: [NSPersistentHistoryTransaction].self))
            expectEqual(transactions.map(\.ordinal), [3])
            expectEqual(transactions[0].changes?.count, 1)
        }
    }

    @Test("The coordinator executes the request too")
    func coordinator() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let request = Request.fetchHistory(after: Date.distantPast)
            let result = try stack.coordinator.execute(request, with: stack.context) as? NSPersistentHistoryResult
            expectEqual((result?.result as? [NSPersistentHistoryTransaction])?.count, 3)
            let tags = try stack.coordinator.execute(
                NSFetchRequest<NSManagedObject>(entityName: "Tag"), with: stack.context)
            expectEqual((tags as? [NSManagedObject])?.count, 1)
        }
    }

    @Test("A request of stores without a history is an error")
    func noHistory() throws {
        let stack = try TestStack(.tables)
        try on(stack.context) {
            expectEqual(
                thrownError { _ = try stack.context.execute(Request.fetchHistory(after: Date.distantPast)) }?.code,
                134091)
        }
    }

    // MARK: Deleting

    @Test("The history before a token, a transaction or a date is deleted")
    func deleting() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let all = try stack.context.transactions()
            let deletion = Request.deleteHistory(before: all[1].token)
            expectEqual(deletion.resultType, .statusOnly)
            try expectEqual(stack.context.history(deletion, as: NSNumber.self)?.boolValue, true)
            try expectEqual(stack.context.transactions().map(\.ordinal), [2, 3])
            _ = try stack.context.execute(Request.deleteHistory(before: all[2]))
            try expectEqual(stack.context.transactions().map(\.ordinal), [3])
            _ = try stack.context.execute(Request.deleteHistory(before: Date.distantFuture))
            expectEmpty(try stack.context.transactions())
            // Numbers are not given again.
            stack.context.make("Tag", "4")
            try stack.context.save()
            try expectEqual(stack.context.transactions().map(\.ordinal), [4])
            try expectEqual(stack.context.transactions().last?.changes?.map(\.changeID), [6])
        }
    }

    @Test("A token expires when transactions that follow it are deleted")
    func expired() throws {
        let stack = try Self.stack()
        try on(stack.context) {
            let all = try stack.context.transactions()
            _ = try stack.context.execute(Request.deleteHistory(before: all[2]))
            try expectEqual(stack.context.transactions(after: all[1].token).map(\.ordinal), [3])
            let error = thrownError { _ = try stack.context.transactions(after: all[0].token) }
            expectEqual(error?.code, NSPersistentHistoryTokenExpiredError)
            expectEqual(error?.domain, NSCocoaErrorDomain)
        }
    }

    // MARK: Merging

    @Test("The notification of a transaction merges its changes into a context of another coordinator")
    func merging() throws {
        let stack = try Self.stack()
        let options = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let other = try TestStack(.tables, model: stack.model, folder: stack.folder, options: options)
        try on(other.context) {
            let tag = try other.context.one("Tag", "one")
            let token = other.coordinator.currentPersistentHistoryToken(fromStores: nil)
            try on(stack.context) {
                try stack.context.one("Tag", "one").setValue("uno", forKey: "name")
                try stack.context.save()
            }
            expectEqual(tag.text("name"), "one")
            for transaction in try other.context.transactions(after: token) {
                let notification = transaction.objectIDNotification()
                expectEqual((notification.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>)?.count, 1)
                other.context.mergeChanges(fromContextDidSave: notification)
            }
            expectEqual(tag.text("name"), "uno")
        }
    }
}
