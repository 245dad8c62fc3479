import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@Suite("The schema of a model")
struct SchemaTests {
    private func schema(_ entities: [NSEntityDescription]) throws -> SQLSchema {
        let model = NSManagedObjectModel()
        model.entities = entities
        return try SQLSchema(model: model)
    }

    @Test("numbers entities depth first, siblings without regard to case")
    func numbers() throws {
        let network = AlbumModel.entity("NetworkAttachment")
        let activity = AlbumModel.entity("NWActivity")
        let child = AlbumModel.entity("zChild")
        network.subentities = [child]
        let schema = try schema([activity, network, child])
        #expect(schema.entities.map(\.name) == ["NetworkAttachment", "zChild", "NWActivity"])
        #expect(schema.entity(number: 1)?.numbers == [1, 2])
        #expect(schema.entity(number: 3)?.numbers == [3])
        #expect(schema.entity(number: 4) == nil)
        #expect(schema.entity(number: 0) == nil)
    }

    @Test("tells where each property of the worked example lies")
    func places() throws {
        let schema = try SQLSchema(model: AlbumModel.make())
        let album = try #require(schema.entitiesByName["Album"])
        let artist = try #require(schema.entitiesByName["Artist"])
        let singer = try #require(schema.entitiesByName["Singer"])
        let tag = try #require(schema.entitiesByName["Tag"])
        let track = try #require(schema.entitiesByName["Track"])

        let performer = try #require(album.toOne("performer"))
        #expect(performer.column.name == "ZPERFORMER")
        #expect(performer.entityColumn?.name == "Z2_PERFORMER")
        #expect(performer.destination === artist)
        #expect(performer.orderColumn == nil)
        #expect(track.toOne("album")?.orderColumn?.name == "Z_FOK_ALBUM")
        #expect(singer.column("origin")?.name == "ZORIGIN1")
        #expect(singer.column("name")?.name == "ZNAME")
        #expect(album.attribute("cover")?.column.kind == .externalBinary)
        #expect(album.attribute("trackCount")?.derivation?.isMaintainedByTriggers == true)

        guard case .foreignKey(let key)? = album.toMany("tracks")?.storage else {
            Issue.record("no key")
            return
        }
        #expect(key.column.name == "ZALBUM")
        #expect(key.orderColumn?.name == "Z_FOK_ALBUM")
        #expect(!key.isWithoutInverse)
        guard case .join(let tags)? = album.toMany("tags")?.storage,
            case .join(let albums)? = tag.toMany("albums")?.storage
        else {
            Issue.record("no join")
            return
        }
        #expect(tags.ownerColumn == "Z_1ALBUMS")
        #expect(tags.contentColumn == "Z_5TAGS")
        #expect(tags.orderColumn == "Z_FOK_5TAGS")
        #expect(albums.ownerColumn == "Z_5TAGS")
        #expect(albums.contentColumn == "Z_1ALBUMS")
        #expect(albums.orderColumn == nil)
        #expect(albums.table === tags.table)
        guard case .join(let friends)? = singer.toMany("friends")?.storage else {
            Issue.record("no join")
            return
        }
        #expect(friends.table.isReflexive)
        #expect(friends.contentColumn == "REFLEXIVE")
        #expect(album.column("title")?.position == album.table.columns.firstIndex { $0.name == "ZTITLE" })
    }

    @Test("keeps a to-many relationship without inverse as a key in the destination's table")
    func withoutInverse() throws {
        let owner = AlbumModel.entity("Owner")
        let heir = AlbumModel.entity("OwnerHeir")
        let item = AlbumModel.entity("Item")
        owner.subentities = [heir]
        owner.properties = [AlbumModel.toMany("things", item, ordered: true)]
        let schema = try schema([owner, heir, item])
        #expect(
            schema.tables.first?.columns.map(\.name) == [
                "Z_PK", "Z_ENT", "Z_OPT", "Z2THINGS", "Z2_THINGS", "Z_FOK_2THINGS",
            ])
        guard case .foreignKey(let key)? = schema.entitiesByName["OwnerHeir"]?.toMany("things")?.storage else {
            Issue.record("no key")
            return
        }
        #expect(key.isWithoutInverse)
        #expect(key.column.name == "Z2THINGS")
        #expect(key.entityColumn?.name == "Z2_THINGS")
    }

    @Test("settles ties by what an existing store has")
    func adoption() throws {
        let person = AlbumModel.entity("Person")
        let likes = AlbumModel.toMany("likes", person)
        let likedBy = AlbumModel.toMany("likedBy", person)
        AlbumModel.pair(likes, likedBy)
        person.properties = [likes, likedBy]
        let predicted = try schema([person])
        #expect(predicted.joinTables.count == 1)
        let others = ["Z_1LIKES", "Z_1LIKEDBY"].filter { $0 != predicted.joinTables[0].name }
        let other = try #require(others.first)
        let resolved = try predicted.resolved(
            with: SQLExistingTables(columnsByTable: ["ZPERSON": [], other: ["Z_1LIKES", "Z_1LIKEDBY1"]]))
        #expect(resolved.joinTables.map(\.name) == [other])
        #expect(Set(resolved.joinTables[0].columns) == ["Z_1LIKES", "Z_1LIKEDBY1"])
    }

    @Test("makes columns of keys unique among the many-to-many relationships of an entity")
    func collidingJoinColumns() throws {
        let key = AlbumModel.entity("Key")
        let asset = AlbumModel.entity("Asset")
        let other = AlbumModel.entity("Other")
        let assets = AlbumModel.toMany("assets", asset)
        let keys = AlbumModel.toMany("keys", key)
        let others = AlbumModel.toMany("others", other)
        let otherKeys = AlbumModel.toMany("keys", key)
        AlbumModel.pair(assets, keys)
        AlbumModel.pair(others, otherKeys)
        key.properties = [assets, others]
        asset.properties = [keys]
        other.properties = [otherKeys]
        let schema = try schema([key, asset, other])
        let columns = schema.joinTables.flatMap(\.columns).filter { $0.hasPrefix("Z_2KEYS") }
        #expect(columns.sorted() == ["Z_2KEYS", "Z_2KEYS1"])
    }

    @Test("leaves out transient properties and join tables with a transient side")
    func transient() throws {
        let one = AlbumModel.entity("One")
        let two = AlbumModel.entity("Two")
        let twos = AlbumModel.toMany("twos", two)
        let ones = AlbumModel.toMany("ones", one)
        AlbumModel.pair(twos, ones)
        ones.isTransient = true
        let hidden = AlbumModel.attribute("hidden", .stringAttributeType)
        hidden.isTransient = true
        one.properties = [twos, hidden]
        two.properties = [ones]
        let schema = try schema([one, two])
        #expect(schema.joinTables.isEmpty)
        #expect(schema.tables[0].columns.count == 3)
        #expect(schema.entitiesByName["One"]?.properties.isEmpty == true)
    }

    @Test("holds only the configuration's entities and those they inherit from")
    func configuration() throws {
        let model = AlbumModel.make()
        let singer = try #require(model.entitiesByName["Singer"])
        model.setEntities([singer], forConfigurationName: "Voices")
        let schema = try SQLSchema(model: model, configuration: "Voices")
        #expect(schema.entities.map(\.name) == ["Artist", "Singer"])
        #expect(schema.versionHashes.keys.sorted() == ["Singer"])
        #expect(thrownError { _ = try SQLSchema(model: model, configuration: "None") }?.code == 134020)
    }

    @Test("hashes names as CoreFoundation does")
    func nameOrder() {
        // h = 1; h = 1·257 + 97; then h + (h << 1).
        #expect(SQLNameOrder.hash("a") == 354 * 3)
        #expect(SQLNameOrder.hashed(["a", "b", "c", "d"]).sorted() == ["a", "b", "c", "d"])
        #expect(SQLNameOrder.hashed((0..<2000).map { "name\($0)" }).count == 2000)
    }
}
