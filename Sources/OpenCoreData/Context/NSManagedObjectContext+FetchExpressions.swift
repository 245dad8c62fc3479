import CoreDataModel
import CoreDataPredicates

/// Fetch request expressions (`NSFetchRequestExpression`) are executed by the context that they name.
extension NSManagedObjectContext: FetchRequestExecuting {
    package final func value(ofFetchRequest request: Any, countOnly: Bool) throws -> Any {
        guard let given = request as? NSPersistentStoreRequest, let description = given.fetchDescriptionStorage else {
            programmingError(
                "A fetch request expression got a \(type(of: request)) instead of a fetch request.",
                remedy: "Let its requestExpression give an NSFetchRequest.")
        }
        let general = NSFetchRequest<any NSFetchRequestResult>(fetchDescription: description)
        general.affectedStoresStorage = given.affectedStoresStorage
        return countOnly ? NSNumber(value: try count(for: general)) : try fetch(general)
    }
}
