import CoreData
import Testing

/// Thousands of random edits, beside a plain reference model that says what should come of them.
///
/// `COREDATA_RANDOM_SECONDS` says how long (60 by default), `COREDATA_RANDOM_SEED` where to begin: the first run then
/// is that of a failure that was printed. `COREDATA_RANDOM_TRACE=1` prints each operation before it is carried out, for
/// those that end the process.
@Suite("Random edits beside a reference model")
struct RandomModelTests {
    @Test("leave the graph, the pending changes and the store as the reference says", arguments: StoreKind.allCases)
    func random(_ kind: StoreKind) {
        let search = RandomSearch(kind)
        for failure in search.failures() { Issue.record("\(failure)") }
        #expect(search.operations > 0)
    }
}
