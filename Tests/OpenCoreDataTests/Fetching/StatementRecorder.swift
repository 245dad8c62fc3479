import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Notes the statements that the SQLite store of a context runs.
final class StatementRecorder {
    let context: NSManagedObjectContext
    private let connection: SQLiteConnection
    private var statements: [String] = []

    init(_ context: NSManagedObjectContext) throws {
        self.context = context
        let store = try requireValue(context.persistentStoreCoordinator?.persistentStores.first as? SQLiteStore)
        connection = try store.database.withOpen { $0.connection }
        connection.statementObserver = { [unowned self] in statements.append($0) }
    }

    deinit { connection.statementObserver = nil }

    /// The statements that a block runs.
    func during(_ body: () throws -> Void) rethrows -> [String] {
        statements = []
        try body()
        return statements
    }
}
