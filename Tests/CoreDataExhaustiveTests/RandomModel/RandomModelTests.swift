import CoreData
import Testing

/// Thousands of random edits. A plain reference model computes the expected state after each of them.
///
/// The quick run takes two seconds for each kind of store, the long run two minutes. `COREDATA_RANDOM_SECONDS` sets the
/// time, `COREDATA_SEED` the first seed: a printed failure is repeated by its seed. `COREDATA_RANDOM_TRACE=1` prints
/// each operation before it runs, which shows the operation that ends the process.
@Suite("Random edits beside a reference model")
struct RandomModelTests {
    @Test("lead to the graph, the pending changes and the rows of the reference", arguments: StoreKind.allCases)
    func random(_ kind: StoreKind) {
        let search = RandomSearch(kind)
        for failure in search.failures() { Issue.record("\(failure)") }
        #expect(search.operations > 0)
    }
}
