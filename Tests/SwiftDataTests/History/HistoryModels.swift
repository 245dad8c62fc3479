import SwiftData
import TestSupport

// Models whose history is read.

@Model
final class Voyage {
    @Attribute(.preserveValueOnDeletion) var name: String
    @Attribute(.preserveValueOnDeletion) var started: Date?
    @Attribute(.preserveValueOnDeletion) var kind: VoyageKind
    @Attribute(.preserveValueOnDeletion) var budget: VoyageBudget?
    var days = 1
    @Relationship(deleteRule: .cascade, inverse: \Stop.voyage) var stops: [Stop] = []

    init(name: String, kind: VoyageKind = .train, started: Date? = nil) {
        self.name = name
        self.kind = kind
        self.started = started
    }
}

enum VoyageKind: String, Codable {
    case train
    case ship
}

struct VoyageBudget: Codable, Equatable {
    var amount: Int
    var currency: String
}

@Model
final class Stop {
    var place: String
    var voyage: Voyage?

    init(place: String) { self.place = place }
}

/// A store in a file with the models of voyages.
struct VoyageStore {
    let folder: TemporaryFolder
    let container: ModelContainer
    let context: ModelContext

    var url: URL { folder.file("voyages.store") }

    init() throws { try self.init(folder: TemporaryFolder()) }

    /// Opens the store of a folder.
    init(folder: TemporaryFolder) throws {
        self.folder = folder
        container = try Self.container(folder.file("voyages.store"))
        context = ModelContext(container)
    }

    static func container(_ url: URL) throws -> ModelContainer {
        try ModelContainer(for: Voyage.self, Stop.self, configurations: ModelConfiguration(url: url))
    }

    /// All transactions.
    func history() throws -> [DefaultHistoryTransaction] {
        try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }

    /// The transactions behind a token.
    func history(after token: DefaultHistoryToken) throws -> [DefaultHistoryTransaction] {
        try context.fetchHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
    }

    /// Inserts a voyage and saves.
    @discardableResult
    func add(_ name: String, author: String? = nil) throws -> Voyage {
        let voyage = Voyage(name: name)
        context.author = author
        context.insert(voyage)
        try context.save()
        return voyage
    }
}
