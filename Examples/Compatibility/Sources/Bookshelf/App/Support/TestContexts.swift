import CoreData

/// A context for tests, which counts its saves and can refuse them.
class SpyContext: NSManagedObjectContext {
    struct Refused: Error {}

    private(set) var saveCount = 0
    private(set) var deletedObjectsLog: [NSManagedObject] = []
    var refusesSaves = false

    override func save() throws {
        if refusesSaves { throw Refused() }
        saveCount += 1
        try super.save()
    }

    override func delete(_ object: NSManagedObject) {
        deletedObjectsLog.append(object)
        super.delete(object)
    }

    convenience init(parent: NSManagedObjectContext) {
        self.init(concurrencyType: .mainQueueConcurrencyType)
        self.parent = parent
    }
}
