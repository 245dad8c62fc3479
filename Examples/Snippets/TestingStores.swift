// A store for each test.
// snippet.setup
import CoreData
import MusicLibrary

// snippet.end

// snippet.shared
enum TestModel {
    // Made once: all tests share it.
    nonisolated(unsafe) static let music = makeMusicModel()
}
// snippet.end

// snippet.container
func makeTestContainer() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(
        name: "Music", managedObjectModel: TestModel.music)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: Error?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}
// snippet.end

// snippet.test
func ratingOfANewSongIsZero() throws {
    let context = try makeTestContainer().viewContext
    let song = Song(context: context)
    song.title = "So What"
    try context.save()
    expect(song.rating == 0)
}
// snippet.end
// snippet.hide
try ratingOfANewSongIsZero()
// snippet.show
