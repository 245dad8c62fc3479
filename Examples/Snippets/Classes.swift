// A class of managed objects whose accessors are written by hand.
// snippet.class
import CoreData
// snippet.hide
import MusicLibrary

// snippet.show

final class Track: NSManagedObject {
    var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: "created")
    }
}

let entity = NSEntityDescription()
entity.name = "Track"
entity.managedObjectClassName = NSStringFromClass(Track.self)
// snippet.end

// snippet.use
let title = NSAttributeDescription()
title.name = "title"
title.attributeType = .stringAttributeType
let created = NSAttributeDescription()
created.name = "created"
created.attributeType = .dateAttributeType
entity.properties = [title, created]
let model = NSManagedObjectModel()
model.entities = [entity]

let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
context.persistentStoreCoordinator = coordinator

let track = Track(context: context)
track.title = "So What"
try context.save()
// snippet.end
// snippet.hide
expect(track.value(forKey: "created") is Date)
// snippet.show
