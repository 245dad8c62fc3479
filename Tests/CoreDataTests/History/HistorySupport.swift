import CoreData

extension TestStack {
    /// A stack whose store records its history.
    static func tracking(
        model: NSManagedObjectModel = LibraryModel.make(), folder: TemporaryFolder? = nil,
        more: [AnyHashable: Any] = [:], kind: StoreKind = .tables
    ) throws -> TestStack {
        let options = more.merging([NSPersistentHistoryTrackingKey: true as NSNumber]) { $1 }
        return try TestStack(kind, model: model, folder: folder, options: options)
    }
}

extension NSManagedObjectContext {
    /// The result of a request on the history, nil if it is of another type.
    func history<Result>(_ request: NSPersistentHistoryChangeRequest, as type: Result.Type = Result.self) throws
        -> Result?
    {
        (try execute(request) as? NSPersistentHistoryResult)?.result as? Result
    }

    /// The transactions after a token with their changes.
    func transactions(after token: NSPersistentHistoryToken? = nil) throws -> [NSPersistentHistoryTransaction] {
        try history(.fetchHistory(after: token)) ?? []
    }

    /// The changes of the last transaction: letter of the type, entity, and the changed properties.
    func lastChanges() throws -> [String] {
        try (transactions().last?.changes ?? []).map(\.text).sorted()
    }
}

extension NSPersistentHistoryChange {
    /// The change as a line: type, entity, and the changed properties.
    var text: String {
        let type =
            switch changeType {
            case .insert: "insert"
            case .update: "update"
            case .delete: "delete"
            @unknown default: "?"
            }
        let names = (updatedProperties ?? []).map(\.name).sorted().joined(separator: " ")
        return "\(type) \(changedObjectID.entity.name ?? "")\(names.isEmpty ? "" : ": " + names)"
    }
}

/// Notes whose title and number outlive their deletion.
enum NoteModel {
    static func make() -> NSManagedObjectModel {
        let title = attribute("title", .stringAttributeType)
        let ident = attribute("ident", .UUIDAttributeType)
        let date = attribute("date", .dateAttributeType)
        for attribute in [title, ident, date] { attribute.preservesValueInHistoryOnDeletion = true }
        return model([
            entity("Note", [title, ident, date, attribute("text", .stringAttributeType)]),
            entity("Plain", [attribute("name", .stringAttributeType)]),
        ])
    }
}

extension NSPersistentHistoryTransaction {
    private static let knownNumbers = NSLock.Guarded<[String: [Int64]]>([:])

    /// The position of the transaction among the transactions of its store that were read, from 1. In a SQLite store it
    /// is the transaction's number; in a database the numbers have gaps.
    var ordinal: Int64 {
        Self.knownNumbers.withLock { known in
            var numbers = known[storeID] ?? []
            if !numbers.contains(transactionNumber) { numbers = (numbers + [transactionNumber]).sorted() }
            known[storeID] = numbers
            return Int64((numbers.firstIndex(of: transactionNumber) ?? 0) + 1)
        }
    }
}

extension NSLock {
    /// A value that a lock guards.
    final class Guarded<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var value: Value

        init(_ value: Value) { self.value = value }

        func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
    }
}
