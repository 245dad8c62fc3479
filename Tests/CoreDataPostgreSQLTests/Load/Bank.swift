import CoreData
import CoreDataTestSupport

@testable import CoreDataPostgreSQL

/// Accounts with entries, journals with items in an order, and labels with unique names: what many processes write.
///
/// Whatever they do, the totals of the accounts add up to nothing, and each total is the sum of the account's entries.
enum Bank {
    static let accountCount = 10
    static let journalCount = 3
    static let tagCount = 4
    static let labelCount = 12

    static func makeModel() -> NSManagedObjectModel {
        let account = entity("Account")
        let entry = entity("Entry")
        let tag = entity("Tag")
        let journal = entity("Journal")
        let item = entity("Item")
        let label = entity("Label")
        let entries = toMany("entries", entry)
        let owner = toOne("account", account)
        pair(entries, owner)
        let tags = toMany("tags", tag)
        let tagged = toMany("entries", entry)
        pair(tags, tagged)
        let items = toMany("items", item, ordered: true)
        let container = toOne("journal", journal)
        pair(items, container)
        func number(_ name: String) -> NSAttributeDescription {
            attribute(name, .integer64AttributeType, defaultValue: NSNumber(value: 0))
        }
        account.properties = [number("number"), number("total"), number("count"), number("changes"), entries]
        entry.properties = [number("writer"), number("serial"), number("amount"), owner, tags]
        tag.properties = [number("number"), tagged]
        journal.properties = [number("number"), items]
        item.properties = [number("writer"), number("serial"), container]
        label.properties = [attribute("name", .stringAttributeType), number("writer")]
        label.uniquenessConstraints = [["name"]]
        return model([account, entry, tag, journal, item, label])
    }

    /// A context on a new coordinator, whose store records its history.
    static func open(_ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeModel())
        try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Makes the store with all but entries, items and labels.
    static func create(_ url: URL) throws {
        let context = try open(url)
        try on(context) {
            for (entity, count) in [("Account", accountCount), ("Journal", journalCount), ("Tag", tagCount)] {
                for number in 0..<count { context.make(entity, nil, ["number": number]) }
            }
            try context.save()
        }
    }

    // MARK: Checks

    /// The defects of a store that no process writes any more.
    static func problems(_ url: URL, _ reports: [Int: BankProcess.Report]) throws -> [String] {
        let context = try open(url)
        var problems: [String] = []
        try on(context) {
            problems += try accountProblems(context, reports)
            problems += try journalProblems(context, reports)
            problems += try labelProblems(context)
            problems += try historyProblems(context)
        }
        return problems
    }

    private static func accountProblems(
        _ context: NSManagedObjectContext, _ reports: [Int: BankProcess.Report]
    ) throws -> [String] {
        var problems: [String] = []
        let accounts = try context.all("Account")
        let entries = try context.all("Entry")
        if accounts.reduce(0, { $0 + ($1.number("total") ?? 0) }) != 0 { problems.append("the totals don't add up") }
        for account in accounts {
            let own = account.objects("entries")
            let name = "account \(account.number("number") ?? -1)"
            if Int64(own.count) != account.number("count") { problems.append("\(name) has \(own.count) entries") }
            if own.reduce(0, { $0 + ($1.number("amount") ?? 0) }) != account.number("total") {
                problems.append("\(name) is not the sum of its entries")
            }
            if own.contains(where: { $0.object("account") !== account }) {
                problems.append("\(name) has entries of other accounts")
            }
        }
        for (writer, report) in reports {
            let serials = entries.filter { $0.number("writer") == Int64(writer) }.compactMap { $0.number("serial") }
            if serials.sorted() != report.transfers.sorted().flatMap({ [Int64($0), Int64($0)] }) {
                problems.append(
                    "writer \(writer) has made \(report.transfers.count) transfers, not \(serials.count) / 2")
            }
        }
        for tag in try context.all("Tag") {
            let tagged = Set(entries.filter { $0.objects("tags").contains(tag) })
            if tagged != tag.objects("entries") { problems.append("the sides of a tag's relationship differ") }
        }
        return problems
    }

    private static func journalProblems(
        _ context: NSManagedObjectContext, _ reports: [Int: BankProcess.Report]
    ) throws -> [String] {
        var problems: [String] = []
        let items = try context.all("Item")
        var listed = 0
        for journal in try context.all("Journal") {
            let own = journal.ordered("items")
            listed += own.count
            if Set(own).count != own.count { problems.append("a journal has an item twice") }
            if own.contains(where: { $0.object("journal") !== journal }) {
                problems.append("a journal has items of another one")
            }
        }
        if listed != items.count { problems.append("\(listed) of \(items.count) items are in journals") }
        let inserted = reports.values.flatMap(\.itemsInserted)
        let deleted = reports.values.flatMap(\.itemsDeleted)
        let stored = Set(items.map { $0.objectID.uriRepresentation() })
        if Set(inserted).count != inserted.count { problems.append("an item was inserted twice") }
        for uri in Set(deleted) where deleted.count(where: { $0 == uri }) > 1 {
            let writers = reports.filter { $0.value.itemsDeleted.contains(uri) }.map(\.key).sorted()
            problems.append("\(uri) was deleted twice, by the writers \(writers)")
        }
        for uri in stored.symmetricDifference(Set(inserted).subtracting(deleted)) {
            problems.append("\(uri) is \(stored.contains(uri) ? "in the store, against" : "missing, by") the reports")
        }
        return problems
    }

    private static func labelProblems(_ context: NSManagedObjectContext) throws -> [String] {
        let names = try context.names("Label")
        return Set(names).count == names.count ? [] : ["labels have the same names: \(names)"]
    }

    /// Plays the history: objects are inserted before they are changed or deleted, and what is left are the objects of
    /// the store. A deleted label may be inserted again with its ID, by a merge policy that prefers the object.
    private static func historyProblems(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        request.resultType = .transactionsAndChanges
        let result = try context.execute(request) as? NSPersistentHistoryResult
        guard let transactions = result?.result as? [NSPersistentHistoryTransaction] else { return ["no history"] }
        var problems: [String] = []
        var present: Set<NSManagedObjectID> = []
        var totals: [NSManagedObjectID: Int64] = [:]
        for change in transactions.flatMap({ $0.changes ?? [] }) {
            let id = change.changedObjectID
            switch change.changeType {
            case .insert:
                if !present.insert(id).inserted { problems.append("inserted, but there: \(id)") }
            case .delete:
                if present.remove(id) == nil { problems.append("deleted, but not there: \(id)") }
            case .update:
                if !present.contains(id) { problems.append("changed, but not there: \(id)") }
                if change.updatedProperties?.contains(where: { $0.name == "changes" }) == true {
                    totals[id, default: 0] += 1
                }
            @unknown default: problems.append("unknown change")
            }
        }
        for entity in ["Account", "Entry", "Tag", "Journal", "Item", "Label"] {
            let replayed = present.filter { $0.entity.name == entity }
            let stored = Set(try context.all(entity).map(\.objectID))
            if replayed != stored {
                problems.append("the history has \(replayed.count) objects of \(entity), the store \(stored.count)")
            }
        }
        for account in try context.all("Account")
        where account.number("changes") != totals[account.objectID, default: 0] {
            problems.append("the history has \(totals[account.objectID] ?? 0) changes of an account")
        }
        return problems
    }
}
