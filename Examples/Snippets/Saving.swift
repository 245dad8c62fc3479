// What a save that fails tells.
import CoreData
// snippet.hide
import MusicLibrary

let container = try makeMusicContainer(file: temporaryFolder().appendingPathComponent("Music.sqlite"))
let context = container.viewContext
try addMusic(to: context)
// snippet.show

// snippet.save
func saveIfNeeded(_ context: NSManagedObjectContext) throws {
    guard context.hasChanges else { return }
    try context.save()
}
// snippet.end

// snippet.errors
let song = Song(context: context)  // The title is required.
song.rating = 9  // The greatest rating is 5.
do {
    try context.save()
} catch let error as NSError where error.code == NSValidationMultipleErrorsError {
    for detail in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [] {
        print(detail.code, detail.userInfo[NSValidationKeyErrorKey] ?? "", detail.localizedDescription)
    }
} catch let error as NSError {
    print(error.code, error.localizedDescription)
}
// snippet.end
// snippet.hide
do { try context.save() } catch {
    let error = error as NSError
    expect(error.code == NSValidationMultipleErrorsError)
    let codes = (error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.code).sorted()
    expect(codes == [NSManagedObjectValidationError, NSValidationMissingMandatoryPropertyError])
}
expect(song.isInserted)
// snippet.show

// snippet.before
do {
    try song.validateForInsert()
} catch {
    context.delete(song)
}
try saveIfNeeded(context)
// snippet.end
// snippet.hide
expect(!context.hasChanges)
// snippet.show
