import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import TestExpectations
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("The order of groups")
struct SyncGroupOrderTests {
    private let ids = (0..<8).map { _ in UUID() }

    private func change(_ entity: String, _ object: Int, _ kind: SyncObjectChange.Kind, refersTo target: Int? = nil)
        -> SyncObjectChange
    {
        var properties: [String: SyncPropertyChange] = [:]
        if let target { properties["folder"] = SyncPropertyChange(base: 0, change: .value(.object(ids[target]))) }
        return SyncObjectChange(
            object: ids[object], entity: entity, kind: kind, life: 0, time: 0, properties: properties)
    }

    /// The objects of the ordered groups, as numbers.
    private func order(_ groups: [SyncObjectChange]...) throws -> [[Int]] {
        let order = SyncGroupOrder(groups.map { SyncGroup(changes: $0) }, try SyncSchema(SimulationModel.model))
        return order.groups.map { $0.changes.compactMap { ids.firstIndex(of: $0.object) } }
    }

    @Test("stays if no group needs a later one")
    func same() throws {
        expectEqual(
            try order(
                [change("Folder", 0, .insert)], [change("Note", 1, .insert, refersTo: 0)],
                [change("Note", 2, .delete)]),
            [[0], [1], [2]])
    }

    @Test("has a group with a new object before those that refer to it")
    func target() throws {
        expectEqual(
            try order(
                [change("Note", 0, .insert, refersTo: 2)], [change("Note", 1, .update)],
                [change("Folder", 2, .insert)]),
            [[2], [0], [1]])
    }

    @Test("has a deletion after all that came before it")
    func deletion() throws {
        expectEqual(
            try order(
                [change("Note", 0, .insert, refersTo: 3)], [change("Note", 1, .update)],
                [change("Note", 2, .update)], [change("Folder", 3, .insert), change("Folder", 4, .delete)]),
            [[1], [2], [0, 3, 4]])
    }

    @Test("keeps the order of objects with unique values")
    func uniqueValues() throws {
        expectEqual(
            try order(
                [change("Note", 0, .insert, refersTo: 3)], [change("Tag", 1, .delete)], [change("Note", 2, .update)],
                [change("Folder", 3, .insert), change("Tag", 4, .insert)]),
            [[0, 1, 3, 4], [2]])
    }

    @Test("makes one group of those that refer to each other")
    func circle() throws {
        expectEqual(
            try order(
                [change("Note", 0, .insert, refersTo: 2)], [change("Note", 1, .update)],
                [change("Folder", 2, .insert, refersTo: 0)]),
            [[0, 2], [1]])
    }
}
