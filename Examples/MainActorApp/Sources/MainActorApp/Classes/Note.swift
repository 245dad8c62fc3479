import CoreData

@objc(Note)
class Note: NSManagedObject {
    @NSManaged var title: String?
    @NSManaged var createdAt: Date?
    @NSManaged var folder: Folder?
    var isNew = false

    override func awakeFromInsert() {
        super.awakeFromInsert()
        createdAt = Date(timeIntervalSinceReferenceDate: 0)
        isNew = true
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if title?.isEmpty == true { throw CocoaError(.validationMissingMandatoryProperty) }
    }

    @nonobjc class func fetchRequest() -> NSFetchRequest<Note> { NSFetchRequest<Note>(entityName: "Note") }
}

extension Note {
    override func willSave() {
        super.willSave()
        isNew = false
    }

    var summary: String { "\(title ?? "untitled") in \(folder?.name ?? "no folder")" }
}

@objc(Folder)
class Folder: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var notes: Set<Note>?
}
