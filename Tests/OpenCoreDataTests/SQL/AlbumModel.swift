import CoreDataModel
import CoreDataPredicates
import OpenCoreData

/// The model of the example of the file format: albums, artists, tags, tracks.
enum AlbumModel {
    static func make() -> NSManagedObjectModel {
        let album = entity("Album")
        let artist = entity("Artist")
        let band = entity("Band")
        let singer = entity("Singer")
        let tag = entity("Tag")
        let track = entity("Track")
        artist.subentities = [band, singer]

        let cover = attribute("cover", .binaryDataAttributeType)
        cover.allowsExternalBinaryDataStorage = true
        let trackCount = NSDerivedAttributeDescription()
        trackCount.name = "trackCount"
        trackCount.attributeType = .integer64AttributeType
        trackCount.derivationExpression = NSExpression(forKeyPath: "tracks.@count")
        let (added, title) = (attribute("added", .dateAttributeType), attribute("title", .stringAttributeType))
        let name = attribute("name", .stringAttributeType)

        let performer = toOne("performer", artist)
        let albums = toMany("albums", album)
        let tags = toMany("tags", tag, ordered: true)
        let tagged = toMany("albums", album)
        let tracks = toMany("tracks", track, ordered: true)
        let onAlbum = toOne("album", album)
        let friends = toMany("friends", artist)
        pair(performer, albums)
        pair(tags, tagged)
        pair(tracks, onAlbum)
        friends.inverseRelationship = friends

        album.properties = [
            added, cover, attribute("ident", .UUIDAttributeType), transformable("info"),
            attribute("isLive", .booleanAttributeType), attribute("link", .URIAttributeType),
            attribute("price", .decimalAttributeType), attribute("rating", .doubleAttributeType), title, trackCount,
            performer, tags, tracks,
        ]
        artist.properties = [name, albums, friends]
        band.properties = [attribute("founded", .dateAttributeType), attribute("origin", .stringAttributeType)]
        singer.properties = [attribute("origin", .stringAttributeType), toOne("memberOf", band)]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        track.properties = [attribute("title", .stringAttributeType), onAlbum]

        album.uniquenessConstraints = [["ident"]]
        let byTitle = NSFetchIndexElementDescription(property: title, collationType: .binary)
        byTitle.isAscending = false
        let byAdded = NSFetchIndexElementDescription(property: added, collationType: .binary)
        album.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [byTitle, byAdded])]
        artist.indexes = [
            NSFetchIndexDescription(
                name: "name", elements: [NSFetchIndexElementDescription(property: name, collationType: .binary)])
        ]

        let model = NSManagedObjectModel()
        model.entities = [track, tag, singer, band, artist, album]
        return model
    }

    static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    static func transformable(_ name: String) -> NSAttributeDescription { attribute(name, .transformableAttributeType) }

    static func toOne(_ name: String, _ destination: NSEntityDescription) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = 1
        return relationship
    }

    static func toMany(
        _ name: String, _ destination: NSEntityDescription, ordered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = 0
        relationship.isOrdered = ordered
        return relationship
    }

    static func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
        one.inverseRelationship = other
        other.inverseRelationship = one
    }
}
