import CoreData
import CoreDataTestSupport
import TestSupport

/// One of the processes that write a ``Bank``, for some time.
final class BankProcess {
    struct Report: Codable, Sendable {
        /// The serial numbers of the transfers that were made and not taken back.
        var transfers: [Int] = []
        /// The URIs of items.
        var itemsInserted: [URL] = []
        var itemsDeleted: [URL] = []
        var saves = 0
        var conflicts = 0
        /// Errors that say that others had the rows.
        var timeouts = 0
    }

    private let writer: Int
    private let context: NSManagedObjectContext
    private var generator: SeededGenerator
    private var report = Report()
    private var serial = 0

    init(_ url: URL, writer: Int, seed: UInt64) throws {
        self.writer = writer
        context = try Bank.open(url)
        generator = SeededGenerator(seed: seed &+ UInt64(writer))
    }

    /// Writes until the time is over. A process that gets stuck stops itself, with a failure.
    func run(seconds: Double) throws -> Report {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds + 120) {
            fatalError("The process has not ended two minutes after its time.")
        }
        let end = DispatchTime.now() + seconds
        try on(context) {
            context.transactionAuthor = "writer \(writer)"
            while DispatchTime.now() < end {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: try takeBack()
                case 1, 2: try changeJournal()
                case 3: try changeLabels()
                default: try transfer()
                }
                if generator.chance(1, of: 50) { context.reset() }
                try checkInvariants(of: context)
            }
        }
        return report
    }

    /// Saves what a block does. After a conflict the block is run again, on objects that are read anew.
    private func save(_ body: () throws -> Void) throws {
        while true {
            try body()
            do {
                try context.save()
                report.saves += 1
                return
            } catch let error as NSError {
                switch error.code {
                case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError: report.conflicts += 1
                // Five attempts of the store have met other transactions.
                case NSPersistentStoreTimeoutError: report.timeouts += 1
                default: throw error
                }
                context.rollback()
                context.reset()
            }
        }
    }

    private func sorted(_ entity: String) throws -> [NSManagedObject] {
        try context.all(entity, sort: [NSSortDescriptor(key: "number", ascending: true)])
    }

    private func add(_ amount: Int64, _ count: Int64, to account: NSManagedObject) {
        account.setValue((account.number("total") ?? 0) + amount, forKey: "total")
        account.setValue((account.number("count") ?? 0) + count, forKey: "count")
        account.setValue((account.number("changes") ?? 0) + 1, forKey: "changes")
    }

    // MARK: Accounts

    private func transfer() throws {
        let from = Int.random(in: 0..<Bank.accountCount, using: &generator)
        let to = (from + Int.random(in: 1..<Bank.accountCount, using: &generator)) % Bank.accountCount
        let amount = Int64.random(in: 1...100, using: &generator)
        let tag = Int.random(in: 0..<Bank.tagCount, using: &generator)
        try save {
            let accounts = try sorted("Account")
            let tags = try sorted("Tag")
            for (account, amount) in [(accounts[from], -amount), (accounts[to], amount)] {
                add(amount, 1, to: account)
                let entry = context.make(
                    "Entry", nil, ["writer": writer, "serial": serial, "amount": amount, "account": account])
                entry.setValue(NSSet(object: tags[tag]), forKey: "tags")
            }
        }
        report.transfers.append(serial)
        serial += 1
    }

    /// Deletes the entries of an own transfer.
    private func takeBack() throws {
        guard let index = report.transfers.indices.randomElement(using: &generator) else { return }
        let serial = report.transfers[index]
        try save {
            for entry in try context.all("Entry", "writer == %d AND serial == %d", [writer, serial]) {
                if let account = entry.object("account") { add(-(entry.number("amount") ?? 0), -1, to: account) }
                context.delete(entry)
            }
        }
        report.transfers.remove(at: index)
    }

    // MARK: Journals

    private func changeJournal() throws {
        let number = Int.random(in: 0..<Bank.journalCount, using: &generator)
        let choice = Int.random(in: 0..<4, using: &generator)
        var inserted: NSManagedObject?
        var deleted: NSManagedObject?
        // The context doesn't retain the journal, and a deletion changes it at the save only. A journal that was let go
        // of is read again then, with its newest version, and the deletion of a row that is gone is no conflict.
        var journals: [NSManagedObject] = []
        try save {
            (inserted, deleted) = (nil, nil)
            journals = try sorted("Journal")
            let journal = journals[number]
            // A fault has no version: what others change after its items were read would be no conflict.
            _ = journal.number("number")
            let items = journal.mutableOrderedSetValue(forKey: "items")
            if choice == 0, items.count > 5, let last = items.lastObject as? NSManagedObject {
                // A fault whose row another process has deleted knows no journal, and its deletion is no conflict.
                guard last.number("serial") != nil else { return }
                context.delete(last)
                deleted = last
            } else if choice == 1, items.count > 1 {
                items.moveObjects(at: IndexSet(integer: items.count - 1), to: 0)
            } else {
                let item = context.make("Item", nil, ["writer": writer, "serial": serial])
                items.insert(item, at: items.count / 2)
                inserted = item
            }
        }
        withExtendedLifetime(journals) {}
        if let inserted { report.itemsInserted.append(inserted.objectID.uriRepresentation()) }
        if let deleted { report.itemsDeleted.append(deleted.objectID.uriRepresentation()) }
    }

    // MARK: Labels

    private func changeLabels() throws {
        let name = "label \(Int.random(in: 0..<Bank.labelCount, using: &generator))"
        let deletes = generator.chance(1, of: 3)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        defer { context.mergePolicy = NSMergePolicy.error }
        try save {
            if deletes {
                for label in try context.all("Label", "name == %@", [name]) { context.delete(label) }
            } else {
                context.make("Label", name, ["writer": writer])
            }
        }
    }
}
