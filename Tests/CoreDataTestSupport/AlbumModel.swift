import CoreData

/// Artists, albums and songs, with an attribute of every type: for fetches whose answers are written by hand.
package enum AlbumModel {
    package static func make() -> NSManagedObjectModel {
        let artist = entity("Artist")
        let album = entity("Album")
        let live = entity("LiveAlbum")
        let song = entity("Song")
        let scrap = entity("Scrap")
        album.subentities = [live]
        let albums = toMany("albums", album)
        let albumArtist = toOne("artist", artist)
        pair(albums, albumArtist)
        let songs = toMany("songs", song, ordered: true)
        let songAlbum = toOne("album", album)
        pair(songs, songAlbum)
        artist.properties = [
            attribute("name", .stringAttributeType), attribute("country", .stringAttributeType), albums,
        ]
        album.properties = [
            attribute("title", .stringAttributeType), attribute("year", .integer16AttributeType),
            attribute("rating", .floatAttributeType),
            attribute("price", .decimalAttributeType), albumArtist, songs,
        ]
        live.properties = [attribute("venue", .stringAttributeType)]
        song.properties = [
            attribute("title", .stringAttributeType), attribute("seconds", .integer32AttributeType), songAlbum,
        ]

        let photo = attribute("photo", .binaryDataAttributeType)
        let note = attribute("note", .stringAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        note.isTransient = true
        let upper = NSDerivedAttributeDescription()
        upper.name = "upper"
        upper.attributeType = .stringAttributeType
        upper.derivationExpression = NSExpression(format: "uppercase:(text)")
        scrap.properties = [
            attribute("short", .integer16AttributeType), attribute("int", .integer32AttributeType),
            attribute("long", .integer64AttributeType),
            attribute("flag", .booleanAttributeType), attribute("real", .doubleAttributeType),
            attribute("single", .floatAttributeType),
            attribute("exact", .decimalAttributeType), attribute("text", .stringAttributeType),
            attribute("date", .dateAttributeType),
            attribute("data", .binaryDataAttributeType), attribute("uuid", .UUIDAttributeType),
            attribute("link", .URIAttributeType),
            attribute("list", .transformableAttributeType), photo, note, upper,
        ]
        return model([artist, album, live, song, scrap])
    }

    /// Three artists, six albums (one without artist and year, one live), seven songs.
    package static func fill(_ context: NSManagedObjectContext) throws {
        func artist(_ name: String, _ country: String?) -> NSManagedObject {
            let artist = context.make("Artist", name)
            artist.setValue(country, forKey: "country")
            return artist
        }
        func album(
            _ title: String, _ year: Int?, _ rating: Float?, _ price: String?, _ artist: NSManagedObject?,
            _ songs: [(String, Int)] = [], venue: String? = nil
        ) {
            let album = context.make(venue == nil ? "Album" : "LiveAlbum")
            album.setValue(title, forKey: "title")
            album.setValue(year, forKey: "year")
            album.setValue(rating, forKey: "rating")
            album.setValue(price.map { NSDecimalNumber(string: $0) }, forKey: "price")
            album.setValue(artist, forKey: "artist")
            if let venue { album.setValue(venue, forKey: "venue") }
            for (title, seconds) in songs {
                let song = context.make("Song", nil, ["title": title, "seconds": seconds])
                song.setValue(album, forKey: "album")
            }
        }
        let abba = artist("Abba", "SE")
        let beatles = artist("Beatles", "GB")
        let _ = artist("Cher", nil)
        album("Arrival", 1976, 4.5, "9.99", abba, [("Money", 185), ("Dancing Queen", 230)])
        album("Voulez-Vous", 1979, 3.5, "8.50", abba, [("Chiquitita", 326)])
        album("Help!", 1965, 4, "12", beatles, [("Help", 138), ("Yesterday", 125), ("Ticket", 190)])
        album("Abbey Road", 1969, 5, nil, beatles)
        album("Live", 1977, nil, "7.25", beatles, [("Boys", 120)], venue: "Bowl")
        album("Unknown", nil, nil, "1", nil)
        try context.save()
    }
}

/// Runs a test on a fresh stack with the albums in it, in a context that has fetched nothing yet.
package func withAlbums(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
    try withStack(kind, model: AlbumModel.make()) { stack in
        try AlbumModel.fill(stack.context)
        try inFreshContext(stack, body)
    }
}
