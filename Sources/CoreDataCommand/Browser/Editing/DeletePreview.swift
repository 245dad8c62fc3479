import OpenCoreData

/// The effects of a deletion: the objects that would be deleted or changed with it, and the reasons against it.
struct DeletePreview {
    let name: BrowserRoute.ObjectName
    let label: String
    let deleted: [String]
    let deletedCount: Int
    let changed: [String]
    let changedCount: Int
    let problems: [String]

    private static let shownCount = 100

    init(of object: NSManagedObject, in context: NSManagedObjectContext) {
        let title: (NSManagedObject) -> String = {
            "\($0.entity.name ?? "") p\($0.objectID.key): \(ObjectLabel.text(of: $0))"
        }
        label = ObjectLabel.text(of: object)
        name = BrowserRoute.ObjectName(object.objectID)
        do {
            try object.validateForDelete()
            problems = []
        } catch {
            problems = ValidationMessages.of(error)
        }
        context.delete(object)
        context.processPendingChanges()
        let others = context.deletedObjects.filter { $0 !== object }
        deletedCount = others.count
        deleted = others.sorted { $0.objectID.key < $1.objectID.key }.prefix(Self.shownCount).map(title)
        changedCount = context.updatedObjects.count
        changed = context.updatedObjects.sorted { $0.objectID.key < $1.objectID.key }.prefix(Self.shownCount).map(title)
        context.rollback()
    }
}
