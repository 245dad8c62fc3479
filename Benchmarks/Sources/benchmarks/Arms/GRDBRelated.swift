import GRDB

/// GRDB's structures for albums and their tracks, with associations.
struct GRDBAlbum: Codable, FetchableRecord, TableRecord, EncodableRecord {
    static let databaseTableName = "ZALBUM"
    static let tracks = hasMany(GRDBTrack.self, key: "related", using: ForeignKey(["ZALBUM"], to: ["Z_PK"]))
    static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZTITLE")] }

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id = "Z_PK"
        case title = "ZTITLE"
    }

    let id: Int64
    let title: String?

    var tracks: QueryInterfaceRequest<GRDBTrack> { request(for: Self.tracks) }
}

struct GRDBTrack: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "ZTRACK"
    static var databaseSelection: [any SQLSelectable] {
        [Column("Z_PK"), Column("ZALBUM"), Column("ZNUMBER"), Column("ZTITLE")]
    }

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id = "Z_PK"
        case album = "ZALBUM"
        case number = "ZNUMBER"
        case title = "ZTITLE"
    }

    let id: Int64
    let album: Int64?
    let number: Int64
    let title: String?
}

/// GRDB's structures for orders and their customers.
struct GRDBOrder: Codable, FetchableRecord, TableRecord, EncodableRecord {
    static let databaseTableName = "ZORDER"
    static let customer = belongsTo(
        GRDBCustomer.self, key: "related", using: ForeignKey(["ZCUSTOMER"], to: ["Z_PK"]))
    static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZNUMBER"), Column("ZCUSTOMER")] }

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id = "Z_PK"
        case number = "ZNUMBER"
        case customer = "ZCUSTOMER"
    }

    let id: Int64
    let number: Int64
    let customer: Int64?

    var buyer: QueryInterfaceRequest<GRDBCustomer> { request(for: Self.customer) }
}

struct GRDBCustomer: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "ZCUSTOMER"
    static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZNUMBER"), Column("ZNAME")] }

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id = "Z_PK"
        case number = "ZNUMBER"
        case name = "ZNAME"
    }

    let id: Int64
    let number: Int64
    let name: String?
}

/// A structure with the records of an association, whose key is `related`.
struct GRDBWithRelated<Record: Decodable, Related: Decodable>: Decodable, FetchableRecord {
    let record: Record
    let related: Related

    enum CodingKeys: String, CodingKey { case related }

    init(from decoder: any Decoder) throws {
        record = try Record(from: decoder)
        related = try decoder.container(keyedBy: CodingKeys.self).decode(Related.self, forKey: .related)
    }
}
