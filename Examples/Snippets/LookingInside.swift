// The metadata of a store, and the header of its file.
// snippet.setup
import CoreData
import MusicLibrary

let file = temporaryFolder().appendingPathComponent("Music.sqlite")
_ = try openMusic(file)
// snippet.end

// snippet.metadata
let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType, at: file, options: nil)
let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
for (entity, hash) in hashes.sorted(by: { $0.key < $1.key }) {
    print(entity, hash.base64EncodedString())
}
// snippet.end
// snippet.hide
expect(hashes.keys.sorted() == ["Artist", "Genre", "Playlist", "Song"])
// snippet.show

// snippet.header
let header = try FileHandle(forReadingFrom: file).read(upToCount: 15)
print(String(decoding: header ?? Data(), as: UTF8.self))  // SQLite format 3
// snippet.end
// snippet.hide
expect(header == Data("SQLite format 3".utf8))
// snippet.show
