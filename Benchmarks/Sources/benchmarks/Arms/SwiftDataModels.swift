import SwiftData

/// Models of SwiftData with the attributes of the generated classes.
enum SwiftDataModels {
    @Model final class Reading {
        var value0: Int
        var value1: Int
        var value2: Int
        var value3: Int
        var value4: Int
        var value5: Int
        var value6: Int
        var value7: Int
        var value8: Int
        var value9: Int

        init(row: Int) {
            value0 = Int(ReadingValues.value(row: row, column: 0))
            value1 = Int(ReadingValues.value(row: row, column: 1))
            value2 = Int(ReadingValues.value(row: row, column: 2))
            value3 = Int(ReadingValues.value(row: row, column: 3))
            value4 = Int(ReadingValues.value(row: row, column: 4))
            value5 = Int(ReadingValues.value(row: row, column: 5))
            value6 = Int(ReadingValues.value(row: row, column: 6))
            value7 = Int(ReadingValues.value(row: row, column: 7))
            value8 = Int(ReadingValues.value(row: row, column: 8))
            value9 = Int(ReadingValues.value(row: row, column: 9))
        }

        /// Reads every property.
        var sum: Int64 {
            Int64(
                value0 &+ value1 &+ value2 &+ value3 &+ value4 &+ value5 &+ value6 &+ value7 &+ value8 &+ value9)
        }
    }

    @Model final class Article {
        var title: String
        var subtitle: String
        var text: String
        var created: Date
        var changed: Date
        var identifier: UUID
        var session: UUID
        var price: Decimal
        var fee: Decimal
        var thumbnail: Data

        init(_ values: ArticleValues) {
            title = values.title
            subtitle = values.subtitle
            text = values.text
            created = values.created
            changed = values.changed
            identifier = values.identifier
            session = values.session
            price = values.price
            fee = values.fee
            thumbnail = values.thumbnail
        }

        /// Reads every attribute.
        var checksum: Int64 {
            Int64(title.utf8.count + subtitle.utf8.count + text.utf8.count + thumbnail.count)
                &+ Int64(created.timeIntervalSinceReferenceDate) &+ Int64(changed.timeIntervalSinceReferenceDate)
                &+ Int64(identifier.uuid.0) &+ Int64(session.uuid.0) &+ (price.isNaN ? 0 : 1) &+ (fee.isNaN ? 0 : 1)
        }
    }
}

/// A container on one file, with its own context.
struct SwiftDataStack {
    let container: ModelContainer
    let context: ModelContext

    init(_ url: URL) throws {
        container = try ModelContainer(
            for: Schema([SwiftDataModels.Reading.self, SwiftDataModels.Article.self]),
            configurations: ModelConfiguration(url: url))
        context = ModelContext(container)
    }

    /// A store with so many readings.
    static func readings(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("swiftdata-readings-\(rows)") { url in
            try fill(url, rows: rows) { SwiftDataModels.Reading(row: $0) }
        }
    }

    /// A store with so many articles.
    static func articles(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("swiftdata-articles-\(rows)") { url in
            try fill(url, rows: rows) { SwiftDataModels.Article(ArticleValues(row: $0)) }
        }
    }

    /// Makes models and saves them in parts.
    private static func fill(_ url: URL, rows: Int, make: (Int) -> some PersistentModel) throws {
        let stack = try SwiftDataStack(url)
        for start in stride(from: 0, to: rows, by: 10_000) {
            let context = ModelContext(stack.container)
            for row in start..<min(start + 10_000, rows) { context.insert(make(row)) }
            try context.save()
        }
    }
}

extension Arm {
    static let swiftData = "SwiftData"
    /// The same work with managed objects of generated classes, in a store with a history, as SwiftData's have.
    static let managedObjects = "OpenCoreData, with history"
}
