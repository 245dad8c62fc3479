import CoreData

/// A new folder for the files of one run.
public func temporaryFolder() -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Music-\(UUID().uuidString)")
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
        fatalError("\(error)")
    }
    return folder
}

/// A container with one store. Without a file the store is in memory.
public func makeMusicContainer(
    model: NSManagedObjectModel = makeMusicModel(), file: URL? = nil, options: [String: NSObject] = [:]
) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Music", managedObjectModel: model)
    let description = file.map { NSPersistentStoreDescription(url: $0) } ?? NSPersistentStoreDescription()
    if file == nil { description.type = NSInMemoryStoreType }
    for (key, value) in options { description.setOption(value, forKey: key) }
    container.persistentStoreDescriptions = [description]
    var failure: Error?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}

/// A container with five songs in a store, whose file is new.
public func openMusic(_ file: URL? = nil) throws -> NSPersistentContainer {
    let container = try makeMusicContainer(file: file ?? temporaryFolder().appendingPathComponent("Music.sqlite"))
    try addMusic(to: container.viewContext)
    return container
}

/// A model in the text notation.
public func makeModel(_ text: String) throws -> NSManagedObjectModel {
    let file = temporaryFolder().appendingPathComponent("Model.coredata")
    try text.write(to: file, atomically: true, encoding: .utf8)
    guard let model = NSManagedObjectModel(contentsOf: file) else { throw CocoaError(.fileReadCorruptFile) }
    return model
}

/// Five songs of two artists, saved.
public func addMusic(to context: NSManagedObjectContext) throws {
    let titles = [
        "Miles Davis": [("So What", 562.0, 5), ("Blue in Green", 337, 4), ("Freddie Freeloader", 586, 4)],
        "Nina Simone": [("Sinnerman", 622, 5), ("Feeling Good", 173, 3)],
    ]
    let jazz = Genre(context: context)
    jazz.name = "Jazz"
    for (name, songs) in titles {
        let artist = Artist(context: context)
        artist.name = name
        for (title, duration, rating) in songs {
            let song = Song(context: context)
            (song.title, song.duration, song.rating) = (title, duration, rating)
            song.artist = artist
            song.genres = [jazz]
        }
    }
    try context.save()
}

/// Ends the program if the snippet is wrong.
public func expect(_ condition: @autoclosure () throws -> Bool, line: UInt = #line) rethrows {
    guard try condition() else { fatalError("The snippet is wrong at line \(line).") }
}
