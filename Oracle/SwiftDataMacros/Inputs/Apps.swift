// Models in the style of apps.
import Foundation
import SwiftData

@Model
final class Conversation {
    @Attribute(.unique) var id: UUID
    var title: String
    var createdAt: Date
    @Relationship(deleteRule: .cascade, inverse: \Message.conversation)
    var messages: [Message] = []
    var isPinned: Bool = false

    var sortedMessages: [Message] { messages.sorted { $0.sentAt < $1.sentAt } }

    init(id: UUID = UUID(), title: String, createdAt: Date = .now) {
        self.id = id
        self.title = title
        self.createdAt = createdAt
    }
}

@Model
final class Message {
    var text: String
    var sentAt: Date
    var role: Role
    var conversation: Conversation?
    @Attribute(.externalStorage) var attachment: Data?

    enum Role: String, Codable, CaseIterable { case user, assistant, system }

    init(text: String, role: Role, sentAt: Date = Date()) {
        self.text = text
        self.role = role
        self.sentAt = sentAt
    }
}

@Model
public final class Transaction: Identifiable {
    public private(set) var id = UUID()
    public var amount: Decimal
    public var note: String = ""
    public var date: Date = Date(timeIntervalSince1970: 0)
    public var category: Category?
    @Transient public var isEditing = false

    public init(amount: Decimal) { self.amount = amount }
}

@Model
public final class Category {
    #Unique<Category>([\.name])
    #Index<Category>([\.name], [\.sortOrder])

    public var name: String
    public var sortOrder: Int = 0
    var colorHex: String = "#FF0000"
    @Relationship(deleteRule: .nullify, inverse: \Transaction.category) var transactions: [Transaction]?

    public init(name: String) { self.name = name }
}

@Model
final class Recipe {
    var name: String = ""
    var steps: [String] = []
    var ingredients: [Ingredient] = []
    var nutrition: Nutrition?
    var rating: Double = 0.0 { didSet { rating = min(5, rating) } }
    var url: URL? = URL(string: "https://example.com/{recipe}")

    struct Ingredient: Codable, Hashable { var name: String; var amount = 1.0 }
    struct Nutrition: Codable { let calories: Int }

    init() {}
}

@Model final class Workout { var start: Date; var end: Date?; var kind: WorkoutKind = WorkoutKind.run; var samples: [Double] = [];
    var duration: TimeInterval? { end.map { $0.timeIntervalSince(start) } }
    init(start: Date) { self.start = start } }

@Model
final class NodeInfo {
    @Attribute(.unique, originalName: "num") var number: Int64
    var user: UserInfo?
    var positions = [Position]()
    var snr: Float = -1.5
    @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var neighbors: [Int64]? = nil

    required init(number: Int64) { self.number = number }
}

@Model
final class Podcast {
    var feed: URL
    var title: String
    #if os(iOS)
    var artworkCache: Data?
    #endif
    @Relationship(deleteRule: .cascade, inverse: \Episode.podcast) var episodes: [Episode]
    var settings: Settings = Settings(speed: 1.5, skips: [30, 15], filters: ["new": true])

    init(feed: URL, title: String, episodes: [Episode] = []) {
        (self.feed, self.title, self.episodes) = (feed, title, episodes)
    }
}

@Model
final class Episode { var podcast: Podcast?; var published: Date = Date.distantPast; var progress: TimeInterval = 0
    init() { } }

@Model final class Habit {
    var name: String
    var days: Set<Int> = Set([1, 2, 3])
    var streak: Int { get { days.count } }
    var history: [String: [Date]] = ["a": [Date()], "b": []]
    lazy var formatter: DateFormatter = { let f = DateFormatter(); f.dateStyle = .short; return f }()
    init(name: String) { self.name = name }
}

@Model final class Trip: Hashable, Comparable {
    static func < (lhs: Trip, rhs: Trip) -> Bool { lhs.start < rhs.start }
    var start: Date, destination: String
    var stops: [Stop] = []
    init(start: Date, destination: String) { self.start = start; self.destination = destination }
}

@Model final class Stop { var location: Location?; var trip: Trip?; init() {} }
