// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store history STORE`
struct StoreHistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Prints the persistent history of a store: transactions and their changes, the oldest first.",
        discussion: """
            A store has a history if the program that writes it sets NSPersistentHistoryTrackingKey. A change names \
            its object as Entity/p1, an update the properties, and a deletion the values that the model preserves. The \
            number of a transaction is its token: --after begins behind it.

            Dates are ISO 8601, in UTC: 2026-11-17, or 2026-11-17T08:30:00Z.

            Examples:
              coredata store history Shop.sqlite --since 2026-11-17 --entity Car
              coredata store history Shop.sqlite --author import --summary
              coredata store history Shop.sqlite --after 1204 --format jsonl
            """)

    @OptionGroup var arguments: StoreArguments

    @Option(help: ArgumentHelp("Transactions after this one, by its number.", valueName: "number"))
    var after: Int64?

    @Option(help: ArgumentHelp("Transactions at this time and later.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("Transactions before this time.", valueName: "date"))
    var before: String?

    @Option(help: ArgumentHelp("Transactions of this author.", valueName: "name"))
    var author: String?

    @Option(
        help: ArgumentHelp("Changes of this entity and its subentities alone.", valueName: "name"),
        completion: .entities)
    var entity: String?

    @Option(help: ArgumentHelp("The newest transactions alone.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Print transactions without their changes.")
    var summary = false

    @Option(help: "The output format.")
    var format: ListFormat = .text

    /// The changes of so many transactions are read at once.
    private static let partSize = 100

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        if summary, entity != nil {
            throw ValidationError("--entity selects changes, which --summary doesn't read. Leave one of them out.")
        }
        _ = try (Self.date(since, "--since"), Self.date(before, "--before"))
    }

    private static func date(_ text: String?, _ option: String) throws -> Date? {
        guard let text else { return nil }
        guard let date = DateText.date(text.trimmingCharacters(in: .whitespaces)) else {
            throw ValidationError("\(option): '\(text)' is no date. Write 2026-11-17 or 2026-11-17T08:30:00Z, in UTC.")
        }
        return date
    }

    func run() throws {
        let store = try arguments.open()
        guard !store.isInMemory else {
            throw CommandError(
                "\(store.path) is an XML or a binary store. Only SQLite stores and stores on servers "
                    + "have a history.")
        }
        let entity = try entity.map(store.entity)
        let bar = ProgressBar("reading the history")
        defer { bar.clear() }
        let numbers = try transactions(in: store)
        bar.clear()
        let array = JSONArray(isLines: format == .jsonl, print: StandardStreams.output)
        for start in stride(from: 0, to: numbers.count, by: Self.partSize) {
            let part = Array(numbers[start..<min(start + Self.partSize, numbers.count)])
            for document in try documents(part, entity, in: store) { try print(document, array) }
            try StandardStreams.flush()
        }
        if format != .text { try array.finish() }
    }

    private func print(_ document: HistoryDocument, _ array: JSONArray) throws {
        guard format == .text else { return try array.add(document) }
        try StandardStreams.outputText(document.line)
        for change in document.changes ?? [] { try StandardStreams.outputText("  \(change.line)") }
    }

    /// The transactions that the arguments select, the oldest first.
    private func transactions(in store: ReadOnlyStore) throws -> [NSPersistentHistoryTransaction] {
        let start = try Self.date(since, "--since") ?? .distantPast
        let end = try Self.date(before, "--before") ?? .distantFuture
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .transactionsOnly
        let all: [NSPersistentHistoryTransaction]
        do {
            all = try store.context.performSynchronously {
                (try store.context.execute(request) as? NSPersistentHistoryResult)?.result
                    as? [NSPersistentHistoryTransaction] ?? []
            }
        } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
            throw CommandError(
                """
                \(store.path) has no history: the program that writes it doesn't set NSPersistentHistoryTrackingKey.
                """)
        }
        let selected = all.filter { transaction in
            transaction.transactionNumber > after ?? .min && transaction.timestamp >= start
                && transaction.timestamp < end && (author == nil || transaction.author == author)
        }
        return Array(selected.sorted { $0.transactionNumber < $1.transactionNumber }.suffix(limit ?? .max))
    }

    private func documents(
        _ transactions: [NSPersistentHistoryTransaction], _ entity: NSEntityDescription?, in store: ReadOnlyStore
    ) throws -> [HistoryDocument] {
        if summary { return transactions.map { HistoryDocument($0) } }
        guard let persistentStore = store.coordinator.persistentStores.first else { return [] }
        let complete = try store.coordinator.historyTransactions(
            numbers: transactions.map(\.transactionNumber), of: persistentStore)
        return complete.sorted { $0.transactionNumber < $1.transactionNumber }.compactMap { transaction in
            var document = HistoryDocument(transaction)
            let changes = (transaction.changes ?? []).filter { change in
                entity.map { change.changedObjectID.entity.isKindOf(entity: $0) } ?? true
            }
            if entity != nil, changes.isEmpty { return nil }
            document.changes = changes.map { HistoryDocument.Change($0) }
            return document
        }
    }
}
