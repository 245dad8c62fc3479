// The errors of a save that fails.
// snippet.setup
import CoreData
import MusicLibrary

let container = try openMusic()
let context = container.viewContext
// snippet.end

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
        let key = detail.userInfo[NSValidationKeyErrorKey] ?? ""
        print(detail.code, key, detail.localizedDescription)
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

// snippet.override
final class Meeting: NSManagedObject {
    override func validateForInsert() throws {
        var errors: [NSError] = []
        do { try super.validateForInsert() } catch {
            let error = error as NSError
            errors += error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        }
        if let begin = value(forKey: "begin") as? Date,
            let end = value(forKey: "end") as? Date, end < begin
        {
            let text = "The end is before the beginning."
            errors.append(
                NSError(
                    domain: "Meeting", code: 1,
                    userInfo: [NSLocalizedDescriptionKey: text]))
        }
        guard let first = errors.first else { return }
        if errors.count == 1 { throw first }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
            userInfo: [NSDetailedErrorsKey: errors])
    }
}
// snippet.end
// snippet.hide
let meetings = NSEntityDescription()
meetings.name = "Meeting"
meetings.managedObjectClassName = NSStringFromClass(Meeting.self)
meetings.properties = ["begin", "end"].map { name in
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = (name, .dateAttributeType)
    return attribute
}
let meetingModel = NSManagedObjectModel()
meetingModel.entities = [meetings]
let meetingContext = try makeMusicContainer(model: meetingModel).viewContext
let meeting = Meeting(context: meetingContext)
meeting.setValue(Date(), forKey: "begin")
meeting.setValue(Date(timeIntervalSinceNow: -3_600), forKey: "end")
do {
    try meetingContext.save()
    fatalError("A meeting must not end before it begins.")
} catch let error as NSError {
    expect(error.domain == "Meeting")
}
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
