// Reads a model from text, and compares the version hashes of two models.
// snippet.setup
import CoreData
import MusicLibrary

let folder = temporaryFolder()
// snippet.end

// snippet.read
let text = """
    Song { title: string, required; to-one artist: Artist, inverse: songs }
    Artist { name: string, required; to-many songs: Song, inverse: artist, delete: cascade }
    """
let file = folder.appendingPathComponent("Music.coredata")
try text.write(to: file, atomically: true, encoding: .utf8)
guard let model = NSManagedObjectModel(contentsOf: file) else {
    fatalError("The model can't be read.")
}
print(model.entitiesByName.keys.sorted())
// snippet.end
// snippet.hide
let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Music/Music.coredata")
let inText = NSManagedObjectModel(contentsOf: source)
expect(inText?.entityVersionHashesByName == makeMusicModel().entityVersionHashesByName)
expect(model.entitiesByName.keys.sorted() == ["Artist", "Song"])
// snippet.show

// snippet.hashes
let newFile = folder.appendingPathComponent("Music2.coredata")
try text.replacingOccurrences(of: "title: string", with: "length: double; title: string")
    .write(to: newFile, atomically: true, encoding: .utf8)
guard let newModel = NSManagedObjectModel(contentsOf: newFile) else {
    fatalError("The model can't be read.")
}
for (name, hash) in model.entityVersionHashesByName.sorted(by: { $0.key < $1.key }) {
    let isSame = newModel.entityVersionHashesByName[name] == hash
    print(name, isSame ? "is the same" : "has changed")
}
// snippet.end
// snippet.hide
expect(newModel.entityVersionHashesByName["Song"] != model.entityVersionHashesByName["Song"])
expect(newModel.entityVersionHashesByName["Artist"] == model.entityVersionHashesByName["Artist"])
// snippet.show
