import CoreDataModel
import CoreDataPredicates
import OpenCoreData

/// An object in memory, to evaluate predicates on, and a row of the test's store.
final class LibraryObject: NSObject, KeyValueCoding, KeyPathInspecting {
    let entity: NSEntityDescription
    let key: Int64
    var values: [String: Any] = [:]
    var related: [String: [LibraryObject]] = [:]

    init(_ entity: NSEntityDescription, key: Int64) {
        self.entity = entity
        self.key = key
    }

    func value(forKey key: String) -> Any? {
        if key == "self" || key == "SELF" || key == "objectID" { return self }
        if key == "entity" { return entity }
        guard let relationship = entity.relationshipsByName[key] else { return values[key] }
        let objects = related[key] ?? []
        if !relationship.isToMany { return objects.first }
        return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    func crossesToManyRelationship(_ path: ArraySlice<String>) -> Bool { entity.crossesToManyRelationship(path) }

    override var description: String { "\(entity.name ?? "")/\(key)" }
}
