import CoreData
import Testing

@Suite("Result types of fetch requests")
struct ResultTypeTests {
    // On Apple's platforms the type must be one of Objective-C.
    @Test("a request may declare dictionaries of Swift", arguments: StoreKind.allCases)
    func dictionaries(_ kind: StoreKind) throws {
        try withAlbums(kind) { context in
            let request = NSFetchRequest<[String: Any]>(entityName: "Artist")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            request.sortDescriptors = [up("name")]
            try expectEqual(context.fetch(request).map { $0["name"] as? String }, ["Abba", "Beatles", "Cher"])
        }
    }
}
