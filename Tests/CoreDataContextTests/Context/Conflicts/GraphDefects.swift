import CoreData

/// Finds relationships that contradict the rows of a store, by a context that has read nothing before.
enum GraphDefects {
    /// One sentence for each reference to an object that doesn't exist, and for each pair of sides that differ.
    static func of(_ context: NSManagedObjectContext, _ entities: [String]) throws -> [String] {
        let objects = try entities.flatMap { try context.all($0) }
        let known = Set(objects.map(\.objectID))
        var defects: [String] = []
        for object in objects {
            for (key, relationship) in object.entity.relationshipsByName {
                for id in object.objectIDs(forRelationshipNamed: key) where !known.contains(id) {
                    defects.append("\(name(object)).\(key) leads to \(id.uriRepresentation()), which doesn't exist.")
                }
                guard let inverse = relationship.inverseRelationship?.name else { continue }
                let destinations = relationship.isToMany ? members(object, key) : object.object(key).map { [$0] } ?? []
                for destination in destinations where known.contains(destination.objectID) {
                    let isBack =
                        relationship.inverseRelationship?.isToMany == true
                        ? members(destination, inverse).contains(object) : destination.object(inverse) === object
                    if !isBack {
                        defects.append(
                            "\(name(object)).\(key) leads to \(name(destination)), whose \(inverse) differs.")
                    }
                }
            }
        }
        return defects
    }

    private static func members(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        object.entity.relationshipsByName[key]?.isOrdered == true ? object.ordered(key) : Array(object.objects(key))
    }

    private static func name(_ object: NSManagedObject) -> String {
        "\(object.entity.name ?? "?") \(object.text("name") ?? "?")"
    }
}
