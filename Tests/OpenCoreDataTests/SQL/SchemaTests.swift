import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

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
        expectEqual(schema.entities.map(\.name), ["NetworkAttachment", "zChild", "NWActivity"])
        expectEqual(schema.entity(number: 1)?.numbers, [1, 2])
        expectEqual(schema.entity(number: 3)?.numbers, [3])
        #expect(schema.entity(number: 4) == nil)
        #expect(schema.entity(number: 0) == nil)
    }

    @Test("tells where each property of the worked example lies")
    func places() throws {
        let schema = try SQLSchema(model: AlbumModel.make())
        let album = try requireValue(schema.entitiesByName["Album"])
        let artist = try requireValue(schema.entitiesByName["Artist"])
        let singer = try requireValue(schema.entitiesByName["Singer"])
        let tag = try requireValue(schema.entitiesByName["Tag"])
        let track = try requireValue(schema.entitiesByName["Track"])

        let performer = try requireValue(album.toOne("performer"))
        expectEqual(performer.column.name, "ZPERFORMER")
        expectEqual(performer.entityColumn?.name, "Z2_PERFORMER")
        #expect(performer.destination === artist)
        expectEqual(performer.orderColumn, nil)
        expectEqual(track.toOne("album")?.orderColumn?.name, "Z_FOK_ALBUM")
        expectEqual(singer.column("origin")?.name, "ZORIGIN1")
        expectEqual(singer.column("name")?.name, "ZNAME")
        expectEqual(album.attribute("cover")?.column.kind, .externalBinary)
        expectEqual(album.attribute("trackCount")?.derivation?.isMaintainedByTriggers, true)

        guard case .foreignKey(let key)? = album.toMany("tracks")?.storage else {
            Issue.record("no key")
            return
        }
        expectEqual(key.column.name, "ZALBUM")
        expectEqual(key.orderColumn?.name, "Z_FOK_ALBUM")
        expectFalse(key.isWithoutInverse)
        guard case .join(let tags)? = album.toMany("tags")?.storage,
            case .join(let albums)? = tag.toMany("albums")?.storage
        else {
            Issue.record("no join")
            return
        }
        expectEqual(tags.ownerColumn, "Z_1ALBUMS")
        expectEqual(tags.contentColumn, "Z_5TAGS")
        expectEqual(tags.orderColumn, "Z_FOK_5TAGS")
        expectEqual(albums.ownerColumn, "Z_5TAGS")
        expectEqual(albums.contentColumn, "Z_1ALBUMS")
        expectEqual(albums.orderColumn, nil)
        #expect(albums.table === tags.table)
        guard case .join(let friends)? = singer.toMany("friends")?.storage else {
            Issue.record("no join")
            return
        }
        expectTrue(friends.table.isReflexive)
        expectEqual(friends.contentColumn, "REFLEXIVE")
        expectEqual(album.column("title")?.position, album.table.columns.firstIndex { $0.name == "ZTITLE" })
    }

    @Test("keeps a to-many relationship without inverse as a key in the destination's table")
    func withoutInverse() throws {
        let owner = AlbumModel.entity("Owner")
        let heir = AlbumModel.entity("OwnerHeir")
        let item = AlbumModel.entity("Item")
        owner.subentities = [heir]
        owner.properties = [AlbumModel.toMany("things", item, ordered: true)]
        let schema = try schema([owner, heir, item])
        expectEqual(
            schema.tables.first?.columns.map(\.name),
            [
                "Z_PK", "Z_ENT", "Z_OPT", "Z2THINGS", "Z2_THINGS", "Z_FOK_2THINGS",
            ])
        guard case .foreignKey(let key)? = schema.entitiesByName["OwnerHeir"]?.toMany("things")?.storage else {
            Issue.record("no key")
            return
        }
        expectTrue(key.isWithoutInverse)
        expectEqual(key.column.name, "Z2THINGS")
        expectEqual(key.entityColumn?.name, "Z2_THINGS")
    }

    @Test("settles ties by what an existing store has")
    func adoption() throws {
        let person = AlbumModel.entity("Person")
        let likes = AlbumModel.toMany("likes", person)
        let likedBy = AlbumModel.toMany("likedBy", person)
        AlbumModel.pair(likes, likedBy)
        person.properties = [likes, likedBy]
        let predicted = try schema([person])
        expectEqual(predicted.joinTables.count, 1)
        let others = ["Z_1LIKES", "Z_1LIKEDBY"].filter { $0 != predicted.joinTables[0].name }
        let other = try requireValue(others.first)
        let resolved = try predicted.resolved(
            with: SQLExistingTables(columnsByTable: ["ZPERSON": [], other: ["Z_1LIKES", "Z_1LIKEDBY1"]]))
        expectEqual(resolved.joinTables.map(\.name), [other])
        expectEqual(Set(resolved.joinTables[0].columns), ["Z_1LIKES", "Z_1LIKEDBY1"])
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
        expectEqual(columns.sorted(), ["Z_2KEYS", "Z_2KEYS1"])
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
        expectEmpty(schema.joinTables)
        expectEqual(schema.tables[0].columns.count, 3)
        expectEqual(schema.entitiesByName["One"]?.properties.isEmpty, true)
    }

    @Test("holds only the configuration's entities and those they inherit from")
    func configuration() throws {
        let model = AlbumModel.make()
        let singer = try requireValue(model.entitiesByName["Singer"])
        model.setEntities([singer], forConfigurationName: "Voices")
        let schema = try SQLSchema(model: model, configuration: "Voices")
        expectEqual(schema.entities.map(\.name), ["Artist", "Singer"])
        expectEqual(schema.versionHashes.keys.sorted(), ["Singer"])
        expectEqual(thrownError { _ = try SQLSchema(model: model, configuration: "None") }?.code, 134020)
    }

    @Test("hashes names as CoreFoundation does")
    func nameOrder() {
        // h = 1; h = 1·257 + 97; then h + (h << 1).
        expectEqual(SQLNameOrder.hash("a"), 354 * 3)
        expectEqual(SQLNameOrder.hashed(["a", "b", "c", "d"]).sorted(), ["a", "b", "c", "d"])
        expectEqual(SQLNameOrder.hashed((0..<2000).map { "name\($0)" }).count, 2000)
    }
}
