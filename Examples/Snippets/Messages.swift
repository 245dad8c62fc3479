// Errors say what is wrong and what helps.
import CoreData
// snippet.hide
import MusicLibrary

let context = try makeMusicContainer(file: temporaryFolder().appendingPathComponent("Music.sqlite")).viewContext
var codes: [Int] = []
// snippet.show

// snippet.error
let request = NSFetchRequest<Song>(entityName: "Song")
request.predicate = NSPredicate(format: "titel == %@", "So What")
do {
    _ = try context.fetch(request)
} catch let error as NSError {
    print(error.domain, error.code)
    print(error.localizedDescription)
    print(error.localizedFailureReason ?? "")
    print(error.localizedRecoverySuggestion ?? "")
    // snippet.hide
    codes.append(error.code)
    // snippet.show
}
// snippet.end
// snippet.hide
expect(codes.count == 1)
// snippet.show

// snippet.hide
let model = makeMusicModel()
// snippet.show

// snippet.class
model.entitiesByName["Song"]?.managedObjectClassName = "Sonng"
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
do {
    try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
} catch let error as NSError {
    print(error.code, error.localizedDescription)  // 134060
    // snippet.hide
    codes.append(error.code)
    // snippet.show
}
// snippet.end
// snippet.hide
expect(codes.last == 134_060)
// snippet.show
