import Foundation
import SwiftData

/// Brings the changes of chores from one container to another, such as the one that a household shares.
///
/// A second mirror in the other direction brings back what is changed there.
public actor GardenMirror: ModelActor {
    /// The author of what mirrors save. Mirrors ignore it, so that changes don't come back.
    public static let author = "GardenMirror"

    public nonisolated let modelContainer: ModelContainer
    public nonisolated let modelExecutor: any ModelExecutor
    private let target: ModelContainer
    private let tokenURL: URL

    /// - Parameters:
    ///   - source: the container whose changes are read. Its history is for this mirror only.
    ///   - target: the container that gets the changes.
    ///   - tokenURL: the file that says which changes the target has.
    public init(from source: ModelContainer, to target: ModelContainer, tokenURL: URL) {
        modelContainer = source
        modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(source))
        self.target = target
        self.tokenURL = tokenURL
    }

    /// Brings the changes since the last call.
    ///
    /// - Returns: the number of chores that were inserted, changed or deleted in the target.
    @discardableResult
    public func synchronize() throws -> Int {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token = try storedToken() {
            descriptor.predicate = #Predicate { $0.token > token }
        }
        let transactions = try modelContext.fetchHistory(descriptor)
        guard let last = transactions.last?.token else { return 0 }
        let changes = ChoreChanges(transactions.filter { $0.author != Self.author })
        let context = ModelContext(target)
        context.author = Self.author
        let count = try apply(changes, to: context)
        try context.save()
        // If the app is stopped in between, the same changes are applied again, which changes nothing.
        try JSONEncoder().encode(last).write(to: tokenURL, options: .atomic)
        // The transaction of the token stays: without it the token would have expired.
        try modelContext.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < last }))
        return count
    }

    private func storedToken() throws -> DefaultHistoryToken? {
        guard FileManager.default.fileExists(atPath: tokenURL.path) else { return nil }
        return try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(contentsOf: tokenURL))
    }

    private func apply(_ changes: ChoreChanges, to context: ModelContext) throws -> Int {
        var count = 0
        // A chore that was deleted and came back from the other container is inserted after its deletion.
        for uuid in changes.deleted {
            guard let copy = try Self.chore(uuid, in: context) else { continue }
            context.delete(copy)
            count += 1
        }
        let changed = Array(changes.attributes.keys)
        let chores = try modelContext.fetch(
            FetchDescriptor<Chore>(predicate: #Predicate { changed.contains($0.persistentModelID) }))
        for chore in chores {
            let id = chore.persistentModelID
            guard
                let copy = try Self.chore(chore.uuid, in: context)
                    ?? (changes.inserted.contains(id) ? Self.newChore(like: chore, in: context) : nil)
            else { continue }  // The target has deleted it, which wins over a change here.
            let attributes = changes.attributes[id] ?? []
            if attributes.contains(\.title) { copy.title = chore.title }
            if attributes.contains(\.due) { copy.due = chore.due }
            if attributes.contains(\.isDone) { copy.isDone = chore.isDone }
            if attributes.contains(\.priority) { copy.priority = chore.priority }
            count += 1
        }
        return count
    }

    private static func newChore(like chore: Chore, in context: ModelContext) -> Chore {
        let copy = Chore(uuid: chore.uuid, title: chore.title)
        context.insert(copy)
        return copy
    }

    private static func chore(_ uuid: UUID, in context: ModelContext) throws -> Chore? {
        try context.fetch(FetchDescriptor<Chore>(predicate: #Predicate { $0.uuid == uuid })).first
    }
}

/// The changes of chores in some transactions.
private struct ChoreChanges {
    /// The attributes that have changed. A chore that was inserted has all.
    private(set) var attributes: [PersistentIdentifier: Set<PartialKeyPath<Chore>>] = [:]
    private(set) var inserted: Set<PersistentIdentifier> = []
    private(set) var deleted: [UUID] = []

    private static var all: Set<PartialKeyPath<Chore>> { [\.title, \.due, \.isDone, \.priority] }

    init(_ transactions: [DefaultHistoryTransaction]) {
        for change in transactions.flatMap(\.changes) {
            switch change {
            case .insert(let insert as DefaultHistoryInsert<Chore>):
                inserted.insert(insert.changedPersistentIdentifier)
                attributes[insert.changedPersistentIdentifier] = Self.all
            case .update(let update as DefaultHistoryUpdate<Chore>):
                let changed = Self.all.intersection(update.updatedAttributes.map { $0 as PartialKeyPath<Chore> })
                guard !changed.isEmpty else { continue }
                attributes[update.changedPersistentIdentifier, default: []].formUnion(changed)
            case .delete(let delete as DefaultHistoryDelete<Chore>):
                attributes[delete.changedPersistentIdentifier] = nil
                if let uuid = delete.tombstone[\.uuid] as? UUID { deleted.append(uuid) }
            default: break
            }
        }
    }
}
