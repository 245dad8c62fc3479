import CoreData

/// The model in code, the container, and subclasses of the framework's classes.
enum Library {
    static func model(_ version: Int = 1) -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.type = type
            attribute.isOptional = true
            return attribute
        }
        let note = NSEntityDescription()
        note.name = "Note"
        note.managedObjectClassName = "Note"
        let folder = NSEntityDescription()
        folder.name = "Folder"
        folder.managedObjectClassName = "Folder"
        let notes = NSRelationshipDescription()
        notes.name = "notes"
        notes.destinationEntity = note
        let owner = NSRelationshipDescription()
        owner.name = "folder"
        owner.destinationEntity = folder
        owner.maxCount = 1
        notes.inverseRelationship = owner
        owner.inverseRelationship = notes
        note.properties = [attribute("title", .string), attribute("createdAt", .date), owner]
        if version > 1 { note.properties.append(attribute("length", .integer64)) }
        folder.properties = [attribute("name", .string), notes]
        let model = NSManagedObjectModel()
        model.entities = [note, folder]
        return model
    }
}

class Container: NSPersistentContainer, @unchecked Sendable {
    override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.mergePolicy = KeepingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        return context
    }
}

class Context: NSManagedObjectContext, @unchecked Sendable {
    override func save() throws {
        transactionAuthor = "app"
        try super.save()
    }
}

class KeepingPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: list)
    }
}

class LengthPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let new = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
        new.setValue((sInstance.value(forKey: "title") as? String)?.count, forKey: "length")
    }
}

class ReversedTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { String($0.reversed()) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
}

/// A store that has no objects.
class EmptyStore: NSIncrementalStore, @unchecked Sendable {
    override var type: String { "EmptyStore" }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: "EmptyStore", NSStoreUUIDKey: UUID().uuidString]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        guard request.requestType == .fetchRequestType else { throw CocoaError(.featureUnsupported) }
        return [Any]()
    }
}

class EmptyFile: NSAtomicStore, @unchecked Sendable {
    override var type: String { "EmptyFile" }

    override func load() throws { metadata = [NSStoreTypeKey: "EmptyFile", NSStoreUUIDKey: UUID().uuidString] }
    override func save() throws {}
}
