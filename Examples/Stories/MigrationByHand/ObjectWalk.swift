import CoreData

/// Copies all objects of one context into another one, whose model is a newer version, with any stores.
///
/// Both contexts are emptied after each group of objects. What remains is the dictionary from the old objects' URIs to
/// the IDs of the new ones.
struct ObjectWalk {
    let old: NSManagedObjectContext
    let new: NSManagedObjectContext
    private var copies: [String: NSManagedObjectID] = [:]

    private static let groupSize = 500

    init(from old: NSManagedObjectContext, to new: NSManagedObjectContext) {
        self.old = old
        self.new = new
    }

    /// Copies the objects of some entities: first all attributes, then the relationships.
    ///
    /// - Returns: the number of objects.
    mutating func copy(entities names: [String]) throws -> Int {
        for name in names {
            try forEachGroup(of: name) { objects in
                let inserted = objects.map { object in
                    let copy = NSEntityDescription.insertNewObject(forEntityName: name, into: new)
                    copy.setValuesForKeys(Self.values(of: object, for: copy.entity))
                    return copy
                }
                try new.save()
                for (object, copy) in zip(objects, inserted) { copies[Self.key(object)] = copy.objectID }
            }
        }
        for name in names { try forEachGroup(of: name) { try $0.forEach(copyRelationships) } }
        return copies.count
    }

    private func forEachGroup(of name: String, _ body: ([NSManagedObject]) throws -> Void) throws {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        let ids = try old.fetch(request)
        for start in stride(from: 0, to: ids.count, by: Self.groupSize) {
            let objects = ids[start..<min(start + Self.groupSize, ids.count)].map(old.object)
            try body(objects)
            try new.save()
            new.reset()
            old.reset()
        }
    }

    /// The values of the attributes that both versions have, unless the object's class decides.
    private static func values(of object: NSManagedObject, for entity: NSEntityDescription) -> [String: Any] {
        if let object = object as? any CopiedByItself { return object.valuesForMigration(to: entity) }
        let names = object.entity.attributesByName.keys.filter { entity.attributesByName[$0] != nil }
        return object.dictionaryWithValues(forKeys: names)
    }

    private func copyRelationships(of object: NSManagedObject) throws {
        guard let copy = copy(of: object) else { return }
        for (name, relationship) in object.entity.relationshipsByName
        where copy.entity.relationshipsByName[name] != nil {
            if relationship.isToMany {
                let members = copy.mutableSetValue(forKey: name)
                for case let member as NSManagedObject in object.mutableSetValue(forKey: name) {
                    if let copy = self.copy(of: member) { members.add(copy) }
                }
            } else {
                let destination = object.value(forKey: name) as? NSManagedObject
                copy.setValue(destination.flatMap(self.copy), forKey: name)
            }
        }
    }

    private func copy(of object: NSManagedObject) -> NSManagedObject? { copies[Self.key(object)].map(new.object) }

    private static func key(_ object: NSManagedObject) -> String {
        object.objectID.uriRepresentation().absoluteString
    }
}
