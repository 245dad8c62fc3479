import GRDB

/// GRDB's structures for albums and their tracks, with associations.
struct GRDBAlbum: Codable, FetchableRecord, TableRecord, EncodableRecord {
    static let databaseTableName = "ZALBUM"
    static let tracks = hasMany(GRDBTrack.self, key: "tracks", using: ForeignKey(["ZALBUM"], to: ["Z_PK"]))
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

struct GRDBAlbumWithTracks: Decodable, FetchableRecord {
    let album: GRDBAlbum
    let tracks: [GRDBTrack]

    enum CodingKeys: String, CodingKey { case tracks }

    init(from decoder: any Decoder) throws {
        album = try GRDBAlbum(from: decoder)
        tracks = try decoder.container(keyedBy: CodingKeys.self).decode([GRDBTrack].self, forKey: .tracks)
    }
}

/// GRDB's structures for orders and their customers.
struct GRDBOrder: Codable, FetchableRecord, TableRecord, EncodableRecord {
    static let databaseTableName = "ZORDER"
    static let customer = belongsTo(
        GRDBCustomer.self, key: "buyer", using: ForeignKey(["ZCUSTOMER"], to: ["Z_PK"]))
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

struct GRDBOrderWithCustomer: Decodable, FetchableRecord {
    let order: GRDBOrder
    let buyer: GRDBCustomer

    enum CodingKeys: String, CodingKey { case buyer }

    init(from decoder: any Decoder) throws {
        order = try GRDBOrder(from: decoder)
        buyer = try decoder.container(keyedBy: CodingKeys.self).decode(GRDBCustomer.self, forKey: .buyer)
    }
}
