import Foundation
import GRDB

/// GRDB's structure for an article, decoded by column index.
struct GRDBArticle: FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZARTICLE"

    let entity: Int64
    let key: Int64
    let title, subtitle, text: String
    let created, changed: Date
    let identifier, session: UUID
    let price, fee: Decimal
    let thumbnail: Data
    let writer: Int64

    init(entity: Int64, key: Int64, _ values: ArticleValues, writer: Int64) {
        self.entity = entity
        self.key = key
        (title, subtitle, text) = (values.title, values.subtitle, values.text)
        (created, changed) = (values.created, values.changed)
        (identifier, session) = (values.identifier, values.session)
        (price, fee, thumbnail) = (values.price, values.fee, values.thumbnail)
        self.writer = writer
    }

    /// Reads a row of `ArticleValues.select`.
    init(row: Row) {
        entity = 0
        key = row[0]
        title = row[1]
        subtitle = row[2]
        text = row[3]
        created = Date(timeIntervalSinceReferenceDate: row[4])
        changed = Date(timeIntervalSinceReferenceDate: row[5])
        identifier = row[6]
        session = row[7]
        price = row[8]
        fee = row[9]
        thumbnail = row[10]
        writer = 0
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = key
        container["Z_ENT"] = entity
        container["Z_OPT"] = 1
        container["ZTITLE"] = title
        container["ZSUBTITLE"] = subtitle
        container["ZTEXT"] = text
        container["ZCREATED"] = created.timeIntervalSinceReferenceDate
        container["ZCHANGED"] = changed.timeIntervalSinceReferenceDate
        container["ZIDENTIFIER"] = identifier
        container["ZSESSION"] = session
        container["ZPRICE"] = price
        container["ZFEE"] = fee
        container["ZTHUMBNAIL"] = thumbnail
        container["ZWRITER"] = writer
    }

    var checksum: Int64 {
        ArticleValues.checksum(
            title, subtitle, text, created, changed, identifier, session, NSDecimalNumber(decimal: price),
            NSDecimalNumber(decimal: fee), thumbnail)
    }
}
