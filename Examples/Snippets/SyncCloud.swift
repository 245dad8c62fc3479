// Stores for which a server stands in the place of CloudKit. It doesn't run here: the events have its errors.
// snippet.register
import CoreData
import CoreDataCloudKit
import MusicLibrary

let token = "a-token-of-16-or-more"
NSPersistentCloudKitContainer.register(
    URL(string: "http://127.0.0.1:8080")!, for: "iCloud.org.example.music"
) { token }
// snippet.end

// snippet.container
let folder = temporaryFolder()
let container = NSPersistentCloudKitContainer(name: "Music", managedObjectModel: makeMusicModel())
container.persistentStoreDescriptions[0].url = folder.appendingPathComponent("Music.sqlite")
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
container.viewContext.automaticallyMergesChangesFromParent = true
// snippet.end

// snippet.events
let observer = NotificationCenter.default.addObserver(
    forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
) { notification in
    let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
    guard let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event else { return }
    if event.endDate == nil {
        print("\(event.type) has begun")
    } else {
        print("\(event.type): \(event.error?.localizedDescription ?? "done")")
    }
}
// snippet.end

// snippet.engine
let store = container.persistentStoreCoordinator.persistentStores[0]
if let engine = container.syncEngine(for: store) {
    print(await engine.status.pendingCount)
    for problem in try await engine.problems() { print(problem.reason) }
}
// snippet.end
expect(container.syncEngine(for: store) != nil)
NotificationCenter.default.removeObserver(observer)

// snippet.stores
let model = try makeModel(
    """
    Note { title: string }
    Draft { text: string }
    configuration Cloud: Note
    configuration Local: Draft
    """)
let local = NSPersistentStoreDescription(url: folder.appendingPathComponent("Local.sqlite"))
local.configuration = "Local"
let cloud = NSPersistentStoreDescription(url: folder.appendingPathComponent("Cloud.sqlite"))
cloud.configuration = "Cloud"
cloud.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
    containerIdentifier: "iCloud.org.example.music")
let notes = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: model)
notes.persistentStoreDescriptions = [local, cloud]
notes.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
// snippet.end
for store in notes.persistentStoreCoordinator.persistentStores {
    expect((notes.syncEngine(for: store) != nil) == (store.configurationName == "Cloud"))
}
