import CoreData
import Testing

@testable import CoreDataPostgreSQL

@Suite("The keys that a process has reserved")
struct KeyReserveTests {
    private let reserve = PostgreSQLKeyReserve()

    /// Takes a key.
    ///
    /// - Parameter next: the first key that the database gives.
    private func key(_ run: String?, next: Int64) throws -> Int64 {
        try reserve.reserve(root: 1, count: 1, run: run) { _ in next }
    }

    @Test("A block serves the run of the server that has given it alone")
    func runs() throws {
        try expectEqual(key("first", next: 1), 1)
        try expectEqual(key("first", next: 500), 2)
        // The crash has taken the block back, and another process has got the keys.
        try expectEqual(key("second", next: 20), 20)
        try expectEqual(key("second", next: 500), 21)
    }

    @Test("Where the run of the server isn't known, a block is used up")
    func unknownRun() throws {
        try expectEqual(key(nil, next: 1), 1)
        for number in 2...50 { try expectEqual(key(nil, next: 500), Int64(number)) }
        try expectEqual(key(nil, next: 500), 500)
    }
}
