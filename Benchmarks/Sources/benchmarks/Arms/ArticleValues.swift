import CoreData
import SystemSQLite

/// The rows of ten attributes of mixed types. They are made before anything is measured.
struct ArticleValues {
    let title: String
    let subtitle: String
    let text: String
    let created: Date
    let changed: Date
    let identifier: UUID
    let session: UUID
    let price: Decimal
    let fee: Decimal
    let thumbnail: Data

    static let writers = 1000
    static let columns = [
        "ZTITLE", "ZSUBTITLE", "ZTEXT", "ZCREATED", "ZCHANGED", "ZIDENTIFIER", "ZSESSION", "ZPRICE", "ZFEE",
        "ZTHUMBNAIL",
    ]
    /// The select of a row's own key and its ten values.
    static let select = "SELECT Z_PK, \(columns.joined(separator: ", ")) FROM ZARTICLE"

    init(row: Int) {
        title = "Article \(row)"
        subtitle = "What happened on day \(row % 365)"
        text = "This is text \(row), of a length that is usual for a summary: it goes over a line or two, not more."
        created = Date(timeIntervalSinceReferenceDate: Double(row) * 60)
        changed = Date(timeIntervalSinceReferenceDate: Double(row) * 60 + 3600)
        identifier = Self.uuid(row &* 7919)
        session = Self.uuid(row / 10)
        price = Decimal(row % 10_000) / 100
        fee = Decimal(row % 50)
        thumbnail = Data(repeating: UInt8(truncatingIfNeeded: row), count: 32)
    }

    static func rows(_ count: Int) -> [ArticleValues] { (0..<count).map(ArticleValues.init) }

    private static func uuid(_ number: Int) -> UUID {
        var bytes = UUID_NULL
        withUnsafeMutableBytes(of: &bytes) { buffer in
            for index in 0..<16 { buffer[index] = UInt8(truncatingIfNeeded: number &* (index + 1) >> (index & 7)) }
        }
        return UUID(uuid: bytes)
    }

    private static let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    /// The checksum that every arm computes of a row: shows that each value is there.
    @inline(__always)
    static func checksum(
        _ title: String, _ subtitle: String, _ text: String, _ created: Date, _ changed: Date, _ identifier: UUID,
        _ session: UUID, _ price: NSDecimalNumber?, _ fee: NSDecimalNumber?, _ thumbnail: Data
    ) -> Int64 {
        Int64(title.utf8.count + subtitle.utf8.count + text.utf8.count + thumbnail.count)
            &+ Int64(created.timeIntervalSinceReferenceDate) &+ Int64(changed.timeIntervalSinceReferenceDate)
            &+ Int64(identifier.uuid.0) &+ Int64(session.uuid.0) &+ (price == nil ? 0 : 1) &+ (fee == nil ? 0 : 1)
    }

    /// A store with writers and so many articles, which all arms read or copy.
    static func fixture(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("articles-\(rows)") { url in
            try fillWriters(url)
            try StoreStack.fill(url, rows: rows) { context, row in Article(context: context).setAll(Self(row: row)) }
        }
    }

    /// A store with writers and no articles.
    static func writersFixture(_ stage: Stage) throws -> URL {
        try stage.fixture("writers") { try fillWriters($0) }
    }

    private static func fillWriters(_ url: URL) throws {
        try StoreStack.fill(url, rows: writers) { context, row in Writer(context: context).name = "Writer \(row)" }
    }

    /// Binds the ten values, the first at `index`, as a store writes them.
    func bind(_ statement: OpaquePointer, at index: Int32) {
        for (offset, string) in [title, subtitle, text].enumerated() {
            sqlite3_bind_text(statement, index + Int32(offset), string, -1, transient)
        }
        sqlite3_bind_double(statement, index + 3, created.timeIntervalSinceReferenceDate)
        sqlite3_bind_double(statement, index + 4, changed.timeIntervalSinceReferenceDate)
        for (offset, uuid) in [identifier.uuid, session.uuid].enumerated() {
            withUnsafeBytes(of: uuid) {
                _ = sqlite3_bind_blob(statement, index + 5 + Int32(offset), $0.baseAddress, 16, transient)
            }
        }
        for (offset, decimal) in [price, fee].enumerated() {
            sqlite3_bind_text(statement, index + 7 + Int32(offset), decimal.description, -1, transient)
        }
        thumbnail.withUnsafeBytes {
            _ = sqlite3_bind_blob(statement, index + 9, $0.baseAddress, Int32($0.count), transient)
        }
    }

    /// Makes Swift's values of the columns of a row of `select`, as a program needs them.
    static func checksum(_ statement: OpaquePointer) -> Int64 {
        func text(_ index: Int32) -> String { String(cString: sqlite3_column_text(statement, index)) }
        func date(_ index: Int32) -> Date {
            Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, index))
        }
        func uuid(_ index: Int32) -> UUID {
            UUID(uuid: sqlite3_column_blob(statement, index)!.loadUnaligned(as: uuid_t.self))
        }
        func decimal(_ index: Int32) -> NSDecimalNumber? {
            sqlite3_column_type(statement, index) == SQLITE_INTEGER
                ? NSDecimalNumber(decimal: Decimal(sqlite3_column_int64(statement, index)))
                : Decimal(string: text(index)).map(NSDecimalNumber.init(decimal:))
        }
        let thumbnail = Data(
            bytes: sqlite3_column_blob(statement, 10)!, count: Int(sqlite3_column_bytes(statement, 10)))
        return checksum(
            text(1), text(2), text(3), date(4), date(5), uuid(6), uuid(7), decimal(8), decimal(9), thumbnail)
    }
}

extension Article {
    /// Writes every attribute by its generated accessor.
    func setAll(_ values: ArticleValues) {
        title = values.title
        subtitle = values.subtitle
        text = values.text
        created = values.created
        changed = values.changed
        identifier = values.identifier
        session = values.session
        price = NSDecimalNumber(decimal: values.price)
        fee = NSDecimalNumber(decimal: values.fee)
        thumbnail = values.thumbnail
    }

    /// Reads every attribute by its generated accessor.
    var checksum: Int64 {
        guard let title, let subtitle, let text, let created, let changed, let identifier, let session, let thumbnail
        else { return 0 }
        return ArticleValues.checksum(
            title, subtitle, text, created, changed, identifier, session, price, fee, thumbnail)
    }
}
