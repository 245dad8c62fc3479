import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Keys whose reservation fails.
@Suite("Reservations of keys that fail", .enabled(if: TestServer.isPresent))
struct KeyReservationTests {
    private let database: TestDatabase
    private let sequence: String

    init() throws {
        database = try TestDatabase()
        _ = try database.coordinator(at: database.url())
        sequence = "\"\(database.schema("store"))\".zbook_keys"
    }

    private static func insert(_ context: NSManagedObjectContext) -> NSError? {
        context.make("Book", "new")
        defer { context.rollback() }
        return thrownError { try context.save() }
    }

    /// Holds the sequence against reservations while a block runs.
    private func withLockedSequence(_ body: () throws -> Void) throws {
        let other = try TestServer.connect()
        defer { other.close() }
        try other.executeScript("BEGIN; ALTER SEQUENCE \(sequence) RESTART")
        try body()
        try other.rollback()
    }

    /// How many sessions have the lock of the sequence, or wait for it.
    private func lockCount(_ connection: PostgreSQLConnection) throws -> Int {
        try connection.execute(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = '\(sequence)'::regclass::oid"
        ).rowCount
    }

    @Test("The function has released its lock when the server ends it, and the function of an older store is replaced")
    func endedFunction() throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        let reservation = "SELECT \"\(database.schema("store"))\".z_reserve_keys('\(sequence)', 5)"
        func end() throws {
            // The function has its lock before the limit, also on a busy server.
            try connection.executeScript("SET statement_timeout = 2000")
            try withLockedSequence {
                let failure = try #require(throws: PostgreSQLFailure.self) { try connection.executeScript(reservation) }
                expectEqual(failure.sqlState, PostgreSQLFailure.State.queryCanceled)
            }
            try connection.executeScript("SET statement_timeout = 0")
        }
        try end()
        try expectEqual(lockCount(connection), 0)
        try connection.executeScript(reservation)
        try expectEqual(lockCount(connection), 0)

        // A cluster changes functions on all servers, which the opening leaves to its administrator.
        if TestServer.cluster.isCluster { return }
        try connection.executeScript(
            """
            CREATE OR REPLACE FUNCTION "\(database.schema("store"))".z_reserve_keys(sequence regclass, count bigint)
            RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
            PERFORM pg_advisory_lock(sequence::oid::integer, 1668246893); RETURN nextval(sequence); END $$
            """)
        try end()
        try expectEqual(lockCount(connection), 1)
        try connection.executeScript("SELECT pg_advisory_unlock_all()")
        _ = try database.coordinator(at: database.url())
        try end()
        try expectEqual(lockCount(connection), 0)
    }

    @Test("A save whose reservation the server ends keeps no other writer waiting")
    func endedReservation() throws {
        let coordinator = try database.coordinator(at: database.url("store", "pool_size=1"))
        let store = try requireValue(coordinator.persistentStores.first as? PostgreSQLStore).database
        let process = try store.read { session in
            // The save gets to the reservation before the limit, also on a busy server.
            try session.connection.executeScript("SET statement_timeout = 2000")
            return session.connection.backendProcess
        }
        try withLockedSequence {
            let error = try requireValue(try database.use(coordinator) { Self.insert($0) })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreTimeoutError)
            #expect(error.userInfo[PostgreSQLError.stateKey] as? String == PostgreSQLFailure.State.queryCanceled)
        }
        // The session isn't used again: a function of an older version would have kept the lock.
        try #expect(store.read { $0.connection.backendProcess } != process)
        let other = try database.coordinator(at: database.url(), options: [NSPersistentStoreTimeoutOption: 10])
        try database.use(other) { context in try #require(Self.insert(context) == nil) }
        let connection = try TestServer.connect()
        defer { connection.close() }
        try expectEqual(lockCount(connection), 0)
    }
}
