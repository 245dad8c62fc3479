import SwiftData

/// Classes with each kind of declaration in `Documentation/Architecture/ModelDeclarations.md`.
enum Declared {
    /// Has no case with the raw value that a decoder would try first, and doesn't list its cases.
    enum Kind: String, Codable { case low, middle, high }

    /// Has no raw value 0.
    enum Level: Int, Codable {
        case first = 700
        case second = 900
    }

    /// Has payloads.
    enum Content: Codable, Equatable {
        case text(String)
        case picture(width: Int)
    }

    /// Can't be decoded from zeros.
    struct Info: Codable, Equatable {
        var title: String
        var level: Level
        var summary: String { "\(title) \(level)" }

        init(title: String, level: Level = .first) {
            self.title = title
            self.level = level
        }

        private enum CodingKeys: CodingKey { case title, level }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            title = try values.decode(String.self, forKey: .title)
            level = try values.decode(Level.self, forKey: .level)
            guard !title.isEmpty else {
                throw DecodingError.dataCorruptedError(forKey: .title, in: values, debugDescription: "No title.")
            }
        }
    }

    @Model final class Properties {
        var plain: Int
        package var packaged = 0
        var implicit: String?
        private(set) var readable = 2
        var observed = 3 { didSet { Properties.calls += 1 } }
        @Attribute(.unique) var willBe: Int { willSet { Properties.calls += 1 } }
        @Relationship(deleteRule: .cascade) var parts: [Part] = [] { didSet { Properties.calls += 1 } }
        var backingData: Data?
        @Transient var transient = 4
        @Transient var watched = 5 { didSet { Properties.calls += 1 } }
        @Transient lazy var late = 6
        var computed: Int { plain + 1 }
        static let shared = 7
        nonisolated(unsafe) static var calls = 0

        init(willBe: Int) {
            self.plain = 1
            self.willBe = willBe
        }

        func setReadable(_ value: Int) { readable = value }
    }

    @Model final class Part {
        var name: String

        init(name: String) { self.name = name }
    }

    @Model class Base {
        var kind: Kind
        var level: Level
        var content: Content
        var info: Info
        var owner: Owner?

        init(kind: Kind, level: Level = .first, content: Content = .text(""), info: Info = Info(title: "a")) {
            self.kind = kind
            self.level = level
            self.content = content
            self.info = info
        }
    }

    @Model final class Derived: Base {
        var own = 0

        override init(kind: Kind, level: Level, content: Content, info: Info) {
            super.init(kind: kind, level: level, content: content, info: info)
        }
    }

    @Model final class Owner {
        var info: Info
        @Relationship(inverse: \Base.owner) var all: [Base] = []

        init(info: Info) { self.info = info }
    }

    static func context() throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Properties.self, Derived.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    }
}
