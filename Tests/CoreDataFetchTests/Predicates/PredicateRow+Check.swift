import CoreData
import Testing

extension PredicateRow {
    /// Asks a predicate with the meaning of the row in each way that the row allows.
    ///
    /// - Parameter mayRefuse: whether a fetch from SQL may be refused; the row decides if that is nil.
    func check(_ predicate: NSPredicate, _ realm: Realm, _ way: String, mayRefuse: Bool? = nil) throws {
        let objects = try realm.context.all(entity)
        let all = Self.names(objects)
        if ways.contains(.objects) {
            let found = Self.names(objects.filter { predicate.evaluate(with: $0) })
            expectTrue(isExpected(found, of: all), "\(way), on objects: \(found) is not \(expected)")
        }
        guard ways.contains(realm.place == .memory ? .stores : .sql) else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        let found: [String]
        do {
            found = Self.names(try realm.context.fetch(request))
        } catch let error as NSError
            where mayRefuse ?? ways.contains(.mayRefuse) && error.code == NSCoreDataError && realm.place != .memory
        {
            return
        }
        let isSQL = realm.place == .sqlite || realm.place == .postgresql
        expectTrue(
            isExpected(found, of: all, inSQL: isSQL),
            "\(way), fetched: \(found) is not \(isSQL ? expectedInSQL : expected)")
        let count = try realm.context.count(for: request)
        expectEqual(count, found.count, "\(way), counted: \(count)")
    }

    private static func names(_ objects: [NSManagedObject]) -> [String] { objects.map { $0.text("name")! }.sorted() }
}
