import CoreDataPredicates
import OpenCoreData

/// Writers and readers on one ledger, each with a thread and a context, for some time.
///
/// Half of the writers settle conflicts by reading anew and trying again, the others by a merge policy that adds up.
/// Contexts are spread over several coordinators, as if they were of several programs.
final class StressLoad: Sendable {
    struct Report: Codable, Sendable {
        /// By writer.
        var saves: [Int: Int] = [:]
        var reads = 0
        var conflicts = 0
        var failures: [String] = []

        mutating func add(_ other: Report) {
            saves.merge(other.saves) { $0 + $1 }
            reads += other.reads
            conflicts += other.conflicts
            failures += other.failures
        }
    }

    private let coordinators: [NSPersistentStoreCoordinator]
    private let deadline: DispatchTime
    private let report = Locked(Report())
    private let watchdog = Watchdog()

    init(_ path: String, coordinators: Int, seconds: Double) throws {
        self.coordinators = try (0..<coordinators).map { _ in try Ledger.open(path) }
        deadline = .now() + seconds
    }

    /// Runs writers and readers and gives back what they did; prints all stacks and stops the program if none gets on
    /// for a minute.
    func run(writers: Range<Int>, readers: Int) -> Report {
        watchdog.start()
        let threads = DispatchGroup()
        for writer in writers { start(threads) { try self.write(writer, self.context(writer)) } }
        for reader in 0..<readers { start(threads) { try self.read(self.context(reader)) } }
        threads.wait()
        watchdog.stop()
        return report.withLock { $0 }
    }

    private func context(_ number: Int) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinators[number % coordinators.count]
        return context
    }

    private func start(_ threads: DispatchGroup, _ body: @escaping @Sendable () throws -> Void) {
        threads.enter()
        let thread = Thread {
            do { try body() } catch { self.report.withLock { $0.failures.append("\(error)") } }
            threads.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    // MARK: Writing

    private func write(_ writer: Int, _ context: NSManagedObjectContext) throws {
        var random = UInt64(writer) &* 0x9E37_79B9_7F4A_7C15 | 1
        if writer % 2 == 1 { context.mergePolicy = AddingUp(merge: .mergeByPropertyObjectTrumpMergePolicyType) }
        var serial = 0
        // Each writer has a round, also one whose thread begins late.
        repeat {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let from = Int(random >> 33) % Ledger.accountCount
            let distance = 1 + Int(random >> 45) % (Ledger.accountCount - 1)
            try context.performAndWait {
                try move(from: from, to: (from + distance) % Ledger.accountCount, writer, serial, context)
                // A writer begins anew now and then; the objects that it keeps may be old.
                if serial % 50 == 49 { context.reset() }
            }
            serial += 1
            watchdog.note()
        } while DispatchTime.now() < deadline
        report.withLock { $0.saves[writer, default: 0] += serial }
    }

    /// Moves an amount from one account to another in one save.
    private func move(from: Int, to: Int, _ writer: Int, _ serial: Int, _ context: NSManagedObjectContext) throws {
        while true {
            let accounts = try Ledger.all("Account", in: context)
            let tag = try Ledger.all("Tag", in: context)[serial % 3]
            for (account, amount) in [(accounts[from], -1 - serial % 7), (accounts[to], 1 + serial % 7)] {
                account.add(amount, to: "total")
                account.add(1, to: "changes")
                let entry = Ledger.new("Entry", in: context)
                for (key, value) in ["writer": writer, "serial": serial, "amount": amount] {
                    entry.setValue(value, forKey: key)
                }
                entry.setValue(account, forKey: "account")
                entry.mutableSetValue(forKey: "tags").add(tag)
            }
            do {
                return try context.save()
            } catch let error as NSError where error.code == NSManagedObjectMergeError && writer % 2 == 0 {
                report.withLock { $0.conflicts += 1 }
                context.rollback()
                context.refreshAllObjects()
            }
        }
    }

    // MARK: Reading

    private func read(_ context: NSManagedObjectContext) throws {
        var last = [Int](repeating: 0, count: Ledger.accountCount)
        repeat {
            try context.performAndWait {
                // One fetch is one statement: it sees all of a save, or nothing of it.
                context.reset()
                let accounts = try Ledger.all("Account", in: context)
                let total = accounts.reduce(0) { $0 + $1.number("total") }
                if total != 0 {
                    report.withLock { $0.failures.append("a reader sees half a save: the totals add up to \(total)") }
                }
                for (index, account) in accounts.enumerated() {
                    let changes = account.number("changes")
                    if changes < last[index] {
                        report.withLock {
                            $0.failures.append("a reader goes back in time: \(changes) after \(last[index])")
                        }
                    }
                    last[index] = changes
                }
                try readLinks(context)
            }
            report.withLock { $0.reads += 1 }
            watchdog.note()
        } while DispatchTime.now() < deadline
    }

    /// The newest entries lead to their accounts and tags, which lead back.
    private func readLinks(_ context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        request.predicate = NSPredicate(format: "serial >= 0 AND account != nil")
        request.fetchLimit = 20
        request.relationshipKeyPathsForPrefetching = ["account", "tags"]
        for entry in try context.fetch(request) {
            guard let account = entry.value(forKey: "account") as? NSManagedObject,
                account.value(forKey: "number") != nil,
                let tags = entry.value(forKey: "tags") as? Set<NSManagedObject>, tags.count == 1
            else {
                report.withLock { $0.failures.append("an entry has lost its account or its tag") }
                return
            }
        }
    }

    /// Keeps both increments of a number that two have changed. Tags have only entries, which the policy of the
    /// properties merges.
    private final class AddingUp: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            for conflict in list {
                let object = conflict.sourceObject
                let keys = object.entity.name == "Account" ? ["total", "changes"] : []
                let before = object.committedValues(forKeys: keys)
                let increments = keys.map { object.number($0) - ((before[$0] as? NSNumber)?.intValue ?? 0) }
                try super.resolve(optimisticLockingConflicts: [conflict])
                let newest = object.committedValues(forKeys: keys)
                for (key, increment) in zip(keys, increments) {
                    object.setValue(((newest[key] as? NSNumber)?.intValue ?? 0) + increment, forKey: key)
                }
            }
        }
    }
}
