import CoreData
import TestSupport

/// Values of objects by key, in the types that tests compare.
extension NSManagedObject {
    package func text(_ key: String) -> String? { value(forKey: key) as? String }
    package func number(_ key: String) -> Int64? { (value(forKey: key) as? NSNumber)?.int64Value }
    package func object(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
    package func objects(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
    package func ordered(_ key: String) -> [NSManagedObject] {
        (value(forKey: key) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
    }
    /// The names of the objects of a to-many relationship, sorted unless they have an order.
    package func names(_ key: String) -> [String] {
        if let ordered = value(forKey: key) as? NSOrderedSet {
            return ordered.array.map { ($0 as! NSManagedObject).text("name") ?? "" }
        }
        return objects(key).map { $0.text("name") ?? "" }.sorted()
    }
}

extension NSManagedObjectContext {
    @discardableResult
    package func make(_ entity: String, _ name: String? = nil, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        if let name { object.setValue(name, forKey: "name") }
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    package func all(
        _ entity: String, _ format: String? = nil, _ arguments: [Any] = [], sort: [NSSortDescriptor] = [],
        limit: Int = 0, offset: Int = 0
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
        request.sortDescriptors = sort
        request.fetchLimit = limit
        request.fetchOffset = offset
        return try fetch(request)
    }

    /// The names of the objects of a fetch, sorted.
    package func names(_ entity: String, _ format: String? = nil, _ arguments: [Any] = []) throws -> [String] {
        try all(entity, format, arguments).map { $0.text("name") ?? "" }.sorted()
    }

    /// The one object of a name.
    package func one(_ entity: String, _ name: String) throws -> NSManagedObject {
        let found = try all(entity, "name == %@", [name])
        guard found.count == 1 else { throw TestFailure("\(found.count) objects of \(entity) are named \(name)") }
        return found[0]
    }
}
