import CoreData
import Testing

@Suite("Predicates that a fetch refuses")
struct RefusedPredicateTests {
    @Test("are an error that names the part, for objects and for their count", arguments: RefusedPredicate.all)
    func refused(_ row: RefusedPredicate) throws {
        for kind in row.kinds {
            let realm = try Realm.of(kind)
            realm.context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: row.entity)
                request.predicate = row.predicate()
                for error in [
                    thrownError { _ = try realm.context.fetch(request) },
                    thrownError { _ = try realm.context.count(for: request) },
                ] {
                    expectEqual(error?.domain, NSCocoaErrorDomain, "\(kind): \(String(describing: error))")
                    expectEqual(error?.code, NSCoreDataError, "\(kind): \(String(describing: error))")
                    for part in row.parts {
                        expectEqual(
                            error?.localizedDescription.contains(part), true, "\(kind): \(String(describing: error))")
                    }
                }
            }
        }
    }

    @Test("leave the context and the store as they were")
    func unharmed() throws {
        let realm = try Realm.of(.sqlite)
        try realm.context.performAndWait {
            _ = thrownError { _ = try realm.context.all("Sample", "nothing == 1") }
            try expectEqual(realm.context.names("Sample", "i16 == 2"), ["b"])
        }
    }
}
