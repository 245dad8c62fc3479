import CoreData

/// A class whose accessors are those that `momc` writes.
final class Song: NSManagedObject {
    enum Mood: Int16, Codable {
        case calm = 1
        case wild
    }

    private static let titleProperty = ManagedProperty<String>("title")
    private static let subtitleProperty = ManagedProperty<String?>("subtitle")
    private static let durationProperty = ManagedProperty<Double>("duration")
    private static let playsProperty = ManagedProperty<Int64>("plays")
    private static let ratingProperty = ManagedProperty<Int16?>("rating")
    private static let isLiveProperty = ManagedProperty<Bool>("isLive")
    private static let releasedProperty = ManagedProperty<Date?>("released")
    private static let addedProperty = ManagedProperty<Date>("added")
    private static let identifierProperty = ManagedProperty<UUID>("identifier")
    private static let moodProperty = ManagedProperty<Mood>("mood")
    private static let priceProperty = ManagedProperty<Decimal?>("price")
    private static let numberProperty = ManagedProperty<NSNumber>("number")
    private static let labelsProperty = ManagedProperty<[String]>("labels")
    private static let notesProperty = ManagedProperty<[String: String]>("notes")
    private static let albumProperty = ManagedProperty<Album?>("album")

    var title: String {
        get { self[Song.titleProperty] }
        set { self[Song.titleProperty] = newValue }
    }
    var subtitle: String? {
        get { self[Song.subtitleProperty] }
        set { self[Song.subtitleProperty] = newValue }
    }
    var duration: Double {
        get { self[Song.durationProperty] }
        set { self[Song.durationProperty] = newValue }
    }
    var plays: Int64 {
        get { self[Song.playsProperty] }
        set { self[Song.playsProperty] = newValue }
    }
    var rating: Int16? {
        get { self[Song.ratingProperty] }
        set { self[Song.ratingProperty] = newValue }
    }
    var isLive: Bool {
        get { self[Song.isLiveProperty] }
        set { self[Song.isLiveProperty] = newValue }
    }
    var released: Date? {
        get { self[Song.releasedProperty] }
        set { self[Song.releasedProperty] = newValue }
    }
    var added: Date {
        get { self[Song.addedProperty] }
        set { self[Song.addedProperty] = newValue }
    }
    var identifier: UUID {
        get { self[Song.identifierProperty] }
        set { self[Song.identifierProperty] = newValue }
    }
    var mood: Mood {
        get { self[Song.moodProperty] }
        set { self[Song.moodProperty] = newValue }
    }
    var price: Decimal? {
        get { self[Song.priceProperty] }
        set { self[Song.priceProperty] = newValue }
    }
    var number: NSNumber {
        get { self[Song.numberProperty] }
        set { self[Song.numberProperty] = newValue }
    }
    var labels: [String] {
        get { self[Song.labelsProperty] }
        set { self[Song.labelsProperty] = newValue }
    }
    var notes: [String: String] {
        get { self[Song.notesProperty] }
        set { self[Song.notesProperty] = newValue }
    }
    var album: Album? {
        get { self[Song.albumProperty] }
        set { self[Song.albumProperty] = newValue }
    }

    /// Computed out of two properties.
    var titleAndSubtitle: String { title + (subtitle ?? "") }
    /// No property of the model.
    var marks = 0
}

/// A class whose initializer sets values, and whose to-many accessors are of each kind.
final class Album: NSManagedObject {
    private static let nameProperty = ManagedProperty<String?>("name")
    private static let yearProperty = ManagedProperty<Int16>("year")
    private static let artistProperty = ManagedProperty<Artist>("artist")
    private static let songsProperty = ManagedProperty<Set<Song>>("songs")
    private static let songSetProperty = ManagedProperty<NSSet?>("songs")

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        year = 1999
        setPrimitiveValue("unnamed", forKey: "name")
    }

    var name: String? {
        get { self[Album.nameProperty] }
        set { self[Album.nameProperty] = newValue }
    }
    var year: Int16 {
        get { self[Album.yearProperty] }
        set { self[Album.yearProperty] = newValue }
    }
    var artist: Artist {
        get { self[Album.artistProperty] }
        set { self[Album.artistProperty] = newValue }
    }
    var songs: Set<Song> {
        get { self[Album.songsProperty] }
        set { self[Album.songsProperty] = newValue }
    }
    var songSet: NSSet? {
        get { self[Album.songSetProperty] }
        set { self[Album.songSetProperty] = newValue }
    }
}

/// A class whose accessors are written by hand, over key-value coding and primitive values.
final class Artist: NSManagedObject {
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
    var genre: String? {
        get {
            willAccessValue(forKey: "genre")
            defer { didAccessValue(forKey: "genre") }
            return primitiveValue(forKey: "genre") as? String
        }
        set {
            willChangeValue(forKey: "genre")
            setPrimitiveValue(newValue, forKey: "genre")
            didChangeValue(forKey: "genre")
        }
    }
    var rival: Artist? { value(forKey: "rival") as? Artist }
    var albums: Set<Album> { value(forKey: "albums") as? Set<Album> ?? [] }
    var albumChanges: NSMutableSet { mutableSetValue(forKey: "albums") }
}

enum MusicModel {
    static func make() -> NSManagedObjectModel {
        let song = entity("Song")
        let album = entity("Album")
        let artist = entity("Artist")
        song.managedObjectClassName = "Song"
        album.managedObjectClassName = "Album"
        artist.managedObjectClassName = "Artist"
        let songAlbum = toOne("album", album)
        let songs = toMany("songs", song)
        pair(songAlbum, songs)
        let albumArtist = toOne("artist", artist)
        let albums = toMany("albums", album)
        pair(albumArtist, albums)
        let rival = toOne("rival", artist)
        let rivals = toMany("rivals", artist)
        pair(rival, rivals)
        song.properties = [
            attribute("title", .stringAttributeType), attribute("subtitle", .stringAttributeType),
            attribute("duration", .doubleAttributeType),
            attribute("plays", .integer64AttributeType), attribute("rating", .integer16AttributeType),
            attribute("isLive", .booleanAttributeType),
            attribute("released", .dateAttributeType), attribute("added", .dateAttributeType),
            attribute("identifier", .UUIDAttributeType),
            attribute("mood", .integer16AttributeType), attribute("price", .decimalAttributeType),
            attribute("number", .integer32AttributeType),
            attribute("labels", .transformableAttributeType), attribute("notes", .transformableAttributeType),
            songAlbum,
        ]
        album.properties = [
            attribute("name", .stringAttributeType), attribute("year", .integer16AttributeType), albumArtist, songs,
        ]
        artist.properties = [
            attribute("name", .stringAttributeType), attribute("genre", .stringAttributeType), albums, rival, rivals,
        ]
        return model([song, album, artist])
    }

    /// Objects with values and gaps of every kind.
    static func fill(_ context: NSManagedObjectContext) throws {
        let artists = ["Ada", "Björk", nil].map { name in
            let artist = Artist(context: context)
            artist.name = name
            artist.genre = name == "Ada" ? "jazz" : nil
            return artist
        }
        artists[0].setValue(artists[1], forKey: "rival")
        let albums = (0..<4).map { number in
            let album = Album(context: context)
            album.name = number == 3 ? nil : "Album \(number)"
            album.year = Int16(1990 + number * 10)
            album.artist = artists[number % 3]
            return album
        }
        let titles = ["Alpha", "beta", "Gamma ray", "Ärger", "alphabet", "", "Zeta", "gamma", "Old 10", "Old 9"]
        for (number, title) in titles.enumerated() {
            let song = Song(context: context)
            song.title = title
            song.subtitle = number % 3 == 0 ? nil : number % 3 == 1 ? "" : "Part \(number)"
            song.duration = Double(number) * 30.5
            song.plays = Int64(number * number)
            song.rating = number % 4 == 0 ? nil : Int16(number % 5)
            song.isLive = number % 2 == 0
            song.released = number < 3 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 1000)
            song.added = Date(timeIntervalSinceReferenceDate: Double(number) * 500)
            song.identifier = UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)")!
            song.mood = number % 2 == 0 ? .calm : .wild
            song.price = number == 5 ? nil : Decimal(number) / 2
            song.number = NSNumber(value: number)
            song.labels = ["l\(number % 3)", "all"]
            song.notes = ["key": "k\(number % 2)"]
            song.album = number == 9 ? nil : albums[number % 3]
        }
        try context.save()
    }
}
