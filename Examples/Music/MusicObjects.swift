import CoreData

// The snippets are built without the plugin, so their classes have accessors in place of @NSManaged.

public class Artist: NSManagedObject {
    public var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    public var songs: Set<Song> { value(forKey: "songs") as? Set<Song> ?? [] }
}

public class Song: NSManagedObject {
    public var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }

    public var duration: Double {
        get { value(forKey: "duration") as? Double ?? 0 }
        set { setValue(newValue, forKey: "duration") }
    }

    public var rating: Int {
        get { (value(forKey: "rating") as? NSNumber)?.intValue ?? 0 }
        set { setValue(newValue, forKey: "rating") }
    }

    public var artist: Artist? {
        get { value(forKey: "artist") as? Artist }
        set { setValue(newValue, forKey: "artist") }
    }

    public var genres: Set<Genre> {
        get { value(forKey: "genres") as? Set<Genre> ?? [] }
        set { setValue(newValue, forKey: "genres") }
    }
}

public class Genre: NSManagedObject {
    public var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    public var songs: Set<Song> { value(forKey: "songs") as? Set<Song> ?? [] }
}

public class Playlist: NSManagedObject {
    public var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    public var songs: NSOrderedSet {
        get { value(forKey: "songs") as? NSOrderedSet ?? [] }
        set { setValue(newValue, forKey: "songs") }
    }
}
