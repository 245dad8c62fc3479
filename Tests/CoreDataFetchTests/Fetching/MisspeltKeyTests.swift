import CoreData
import Testing

@Suite("Misspelt names")
struct MisspeltKeyTests {
    @Test("of a key in a predicate are refused with the nearest key")
    func predicate() throws {
        try withStack(.sqlite) { stack in
            let error = try requireValue(thrownError { _ = try stack.context.all("Book", "pagse > 3") })
            expectContains(error.localizedDescription, "Did you mean 'pages'", "\(error)")
        }
    }

    @Test("of a fetched property are refused with the nearest key")
    func property() throws {
        try withStack(.sqlite) { stack in
            let request = dictionaryRequest("Book", ["nane"])
            let error = try requireValue(thrownError { _ = try stack.context.fetch(request) })
            expectContains(error.localizedDescription, "Did you mean 'name'?", "\(error)")
        }
    }

    @Test("of an entity stop the fetch with the nearest name")
    func entityName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { _ = try $0.context.all("Bok") }
        }
        expectContains(errorOutput(result), "entity name 'Bok'. Did you mean 'Book'?")
    }

    @Test("of a key that is set stop the program with Core Data's words")
    func setKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withStack(.memory) { $0.context.make("Book").setValue(1, forKey: "pagse") }
        }
        expectContains(errorOutput(result), "setValue:forUndefinedKey:]: the entity Book is not key value")
        expectContains(errorOutput(result), "Did you mean 'pages'")
    }
}
