import CoreData
import Testing

private final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
    private(set) var fetchCount = 0

    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        fetchCount += 1
        return try super.fetch(request)
    }
}

// On Apple's platforms the type of the results must be one of Objective-C.
@Suite("Fetches of Swift dictionaries")
struct SwiftDictionaryTests {
    @Test("dictionaries of Swift come through an overridden fetch", arguments: StoreKind.allCases)
    func overriddenFetch(_ kind: StoreKind) throws {
        let stack = try TestStack(kind)
        let context = CountingContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try on(context) {
            context.make("Book", "b", ["pages": 7])
            try context.save()
            let request = NSFetchRequest<[String: Any]>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            try expectEqual(context.fetch(request).map { $0["name"] as? String }, ["b"])
            expectEqual(context.fetchCount, 1)
        }
    }
}
