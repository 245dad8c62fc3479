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

    @Test("has a deletion after the changes before it, also if a later save goes with those")
    func extendedGroup() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { context in
            let tag = context.insert("Tag", "name", "red")
            context.insertNote("one").setValue(NSSet(object: tag), forKey: "tags")
        }
        try scenario.sync()
        try device.save { try $0.first("Note").setValue(NSSet(), forKey: "tags") }
        try device.save { $0.delete(try $0.first("Tag")) }
        try device.save { try $0.first("Note").setValue("two", forKey: "title") }
        try scenario.sync()
        expectEqual(try device.replica.masks().problems, [])
        expectEqual(try scenario.devices[1].count("Tag"), 0)
        expectEqual(try scenario.devices[1].values("Note", "title"), ["two"])
    }

    @Test("has a unique value after the change that frees it, also if a later save goes with that")
    func extendedUniqueGroup() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { $0.insert("Tag", "name", "red") }
        try scenario.sync()
        try device.save { try $0.first("Tag").setValue("blue", forKey: "name") }
        try device.save { $0.insert("Tag", "name", "red") }
        try device.save { context in
            for tag in try context.all("Tag") where tag.value(forKey: "name") as? String == "blue" {
                tag.setValue("green", forKey: "name")
            }
        }
        try scenario.sync()
        expectEqual(try scenario.devices[1].values("Tag", "name"), ["green", "red"])
    }
}
