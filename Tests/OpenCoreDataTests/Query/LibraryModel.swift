import CoreDataModel
import CoreDataPredicates
import OpenCoreData

/// Artists with songs, tags, friends and idols: every kind of attribute and relationship that predicates may use.
enum LibraryModel {
    static func make() -> NSManagedObjectModel {
        let artist = entity("Artist")
        let band = entity("Band")
        let duo = entity("Duo")
        let song = entity("Song")
        let tag = entity("Tag")
        artist.subentities = [band]
        band.subentities = [duo]

        let songs = relationship("songs", song)
        let byArtist = relationship("artist", artist, toMany: false)
        let idol = relationship("idol", artist, toMany: false)
        let fans = relationship("fans", artist)
        let friends = relationship("friends", artist)
        let favourites = relationship("favourites", song)
        let tags = relationship("tags", tag)
        let tagged = relationship("songs", song)
        let tracks = relationship("tracks", song)
        let album = relationship("leader", artist, toMany: false)
        tracks.isOrdered = true
        tags.isOrdered = true
        pair(songs, byArtist)
        pair(idol, fans)
        pair(friends, friends)
        pair(tags, tagged)
        pair(tracks, album)

        let photo = attribute("picture", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let mood = attribute("mood", .stringAttributeType)
        mood.isTransient = true
        artist.properties = [
            attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType),
            attribute("born", .dateAttributeType), attribute("isActive", .booleanAttributeType),
            attribute("score", .doubleAttributeType), attribute("price", .decimalAttributeType),
            attribute("ident", .UUIDAttributeType), attribute("link", .URIAttributeType),
            attribute("photo", .binaryDataAttributeType), photo, mood, attribute("info", .transformableAttributeType),
            songs, idol, fans, friends, favourites, tracks,
        ]
        band.properties = [attribute("founded", .integer16AttributeType)]
        song.properties = [
            attribute("title", .stringAttributeType), attribute("rating", .integer64AttributeType),
            attribute("seconds", .doubleAttributeType), byArtist, tags, album,
        ]
        tag.properties = [attribute("name", .stringAttributeType), tagged]

        let model = NSManagedObjectModel()
        model.entities = [artist, band, duo, song, tag]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(
        _ name: String, _ destination: NSEntityDescription, toMany: Bool = true
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = toMany ? 0 : 1
        relationship.isOptional = true
        return relationship
    }

    private static func pair(_ one: NSRelationshipDescription, _ two: NSRelationshipDescription) {
        one.inverseRelationship = two
        two.inverseRelationship = one
    }
}
