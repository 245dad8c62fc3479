import CoreData

protocol Fetchable: NSFetchRequestResult {
    static var entityName: String { get }
}

extension Book: Fetchable { static var entityName: String { "Book" } }
extension Author: Fetchable { static var entityName: String { "Author" } }
extension Shelf: Fetchable { static var entityName: String { "Shelf" } }

/// All access to the objects of one entity.
struct Repository<Object: NSManagedObject & Fetchable> {
    let context: NSManagedObjectContext

    func request() -> NSFetchRequest<Object> { NSFetchRequest<Object>(entityName: Object.entityName) }

    /// The request that Xcode generates has another type.
    func generatedRequest() -> NSFetchRequest<Object> { Object.fetchRequest() as! NSFetchRequest<Object> }

    func anyRequest() -> NSFetchRequest<NSFetchRequestResult> {
        let request = self.request()
        request.fetchLimit = 3
        return request as! NSFetchRequest<NSFetchRequestResult>
    }

    func all(sortedBy key: String, ascending: Bool = true) throws -> [Object] {
        let request = request()
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
        return try context.fetch(request)
    }

    func first(where format: String, _ arguments: Any...) throws -> Object? {
        let request = generatedRequest()
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    func findOrCreate(where key: String, is value: Any, configure: (Object) -> Void) throws -> Object {
        if let object = try first(where: "%K == %@", key, value) {
            configure(object)
            return object
        }
        let object = Object(context: context)
        object.setValue(value, forKey: key)
        configure(object)
        return object
    }

    func count(_ predicate: NSPredicate? = nil) throws -> Int {
        let request = request()
        request.predicate = predicate
        return try context.count(for: request)
    }

    @discardableResult
    func deleteAll() throws -> Int {
        let objects = try context.fetch(request())
        objects.forEach(context.delete)
        return objects.count
    }
}
