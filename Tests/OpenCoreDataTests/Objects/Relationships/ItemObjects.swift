import OpenCoreData

/// Objects of one entity without properties and without context, as members of a relationship.
struct ItemObjects {
    // The objects don't keep their model.
    private let model = NSManagedObjectModel()
    let all: [NSManagedObject]

    init(_ count: Int) {
        let entity = NSEntityDescription()
        entity.name = "Item"
        model.entities = [entity]
        all = (0..<count).map { _ in NSManagedObject(entity: entity, insertInto: nil) }
    }
}
