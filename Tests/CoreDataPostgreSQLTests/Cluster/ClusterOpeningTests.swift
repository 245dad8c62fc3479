import CoreDataTestSupport
import Foundation
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Errors for a cluster that the database isn't, and of failures in a cluster.
@Suite("Opening of a store in a cluster")
struct ClusterOpeningTests {
    @Test(
        "A cluster that the database isn't is refused",
        .enabled(if: TestServer.isPresent && TestServer.cluster != .citus))
    func missingExtension() throws {
        let database = try TestDatabase()
        let error = try requireError { _ = try database.coordinator(at: database.url("store", "cluster=citus")) }
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(error.localizedFailureReason?.contains("no extension citus"), true)
        try expectFalse(database.hasSchema())
    }

    @Test("An unknown cluster is refused, and the item isn't libpq's")
    func item() throws {
        let url = try requireValue(URL(string: "postgresql://h/db?cluster=perhaps"))
        let error = try requireError { _ = try PostgreSQLLocation(url: url) }
        expectEqual(error.localizedFailureReason?.contains("The item cluster"), true)
        let known = try requireValue(URL(string: "postgresql://h/db?cluster=citus"))
        let location = try PostgreSQLLocation(url: known)
        #expect(location.cluster == .citus && location.items["cluster"] == nil)
        try expectEqual(PostgreSQLLocation(url: requireValue(URL(string: "postgresql://h/db"))).cluster, nil)
    }

    @Test("Names in a worker's failure have no numbers of shards")
    func shardNumbers() {
        var failure = PostgreSQLFailure(
            sqlState: "23505", message: #"duplicate key value violates unique constraint "z_tag_unique_name_102008""#)
        failure.table = "ztag_102008"
        failure.removeShardNumbers()
        expectEqual(failure.message, #"duplicate key value violates unique constraint "z_tag_unique_name""#)
        #expect(failure.constraint == "z_tag_unique_name" && failure.table == "ztag")
        failure.table = "z_1tags"
        failure.constraint = "zpart_12"
        failure.removeShardNumbers()
        #expect(failure.constraint == "zpart_12" && failure.table == "z_1tags")
    }

    @Test("The error of refused triggers names the setting")
    func refusedTriggers() throws {
        let failure = PostgreSQLFailure(
            sqlState: "XX000", message: "triggers are not supported on distributed tables")
        let error = failure.storeError(url: try requireValue(URL(string: "postgresql://h/db")), operation: .opening)
        expectEqual(error.code, NSPersistentStoreOpenError)
        expectEqual(error.localizedRecoverySuggestion?.contains("citus.enable_unsafe_triggers = on"), true)
    }
}
