import CoreData

/// The model of the snippets, in code: artists have songs, songs have genres, playlists have songs in an order.
public func makeMusicModel() -> NSManagedObjectModel {
    let artist = entity("Artist", Artist.self)
    let song = entity("Song", Song.self)
    let genre = entity("Genre", Genre.self)
    let playlist = entity("Playlist", Playlist.self)

    let songs = toMany("songs", song, delete: .cascadeDeleteRule)
    let songArtist = toOne("artist", artist)
    connect(songs, songArtist)

    let genres = toMany("genres", genre)
    let genreSongs = toMany("songs", song)
    connect(genres, genreSongs)

    let entries = toMany("songs", song)
    entries.isOrdered = true
    let playlists = toMany("playlists", playlist)
    connect(entries, playlists)

    artist.properties = [required("name", .stringAttributeType), songs]
    artist.uniquenessConstraints = [["name"]]
    let rating = attribute("rating", .integer16AttributeType)
    rating.defaultValue = 0
    rating.setValidationPredicates(
        [NSPredicate(format: "SELF BETWEEN {0, 5}")], withValidationWarnings: ["A rating is from 0 to 5."])
    song.properties = [
        required("title", .stringAttributeType), attribute("duration", .doubleAttributeType), rating,
        attribute("added", .dateAttributeType), songArtist, genres, playlists,
    ]
    genre.properties = [required("name", .stringAttributeType), genreSongs]
    playlist.properties = [required("name", .stringAttributeType), entries]

    let model = NSManagedObjectModel()
    model.entities = [artist, song, genre, playlist]
    return model
}

private func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = NSStringFromClass(type)
    return entity
}

private func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
}

private func required(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let result = attribute(name, type)
    result.isOptional = false
    return result
}

private func toMany(
    _ name: String, _ destination: NSEntityDescription, delete: NSDeleteRule = .nullifyDeleteRule
) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.deleteRule = delete
    relationship.minCount = 0
    relationship.maxCount = 0
    relationship.isOptional = true
    return relationship
}

private func toOne(_ name: String, _ destination: NSEntityDescription) -> NSRelationshipDescription {
    let relationship = toMany(name, destination)
    relationship.maxCount = 1
    return relationship
}

private func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
}
