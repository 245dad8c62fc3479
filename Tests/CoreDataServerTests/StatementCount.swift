import CoreDataServer
// Every file of this target uses the shared expectations.
@_exported import TestExpectations
import TestSupport

/// Counts the statements of a context's stores.
enum StatementCount {
    /// The number of statements that a body sends.
    static func during(_ context: NSManagedObjectContext, _ body: () throws -> Void) throws -> Int {
        let stores = (context.persistentStoreCoordinator?.persistentStores ?? []).compactMap {
            $0 as? any MeasuredStore
        }
        guard !stores.isEmpty else { throw TestFailure("The stores count no statements.") }
        for store in stores { store.beginMeasuring() }
        let before = stores.reduce(0) { $0 + $1.statistics.statementCount }
        try body()
        return stores.reduce(0) { $0 + $1.statistics.statementCount } - before
    }
}
