import CoreData
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("The status of a store that syncs")
struct SyncStatusTests {
    private func reader(_ device: SyncDevice, _ scenario: SyncScenario) throws -> SyncSideStoreReader {
        try SyncSideStoreReader(
            at: scenario.folder.file("side\(device.number).sqlite"), of: device.appStore.coordinator)
    }

    private func status(_ device: SyncDevice, _ scenario: SyncScenario) throws -> SyncStoreStatus {
        let reader = try reader(device, scenario)
        defer { reader.close() }
        return try reader.status(at: Date(timeIntervalSinceReferenceDate: scenario.now))
    }

    @Test("counts the changes by entity and kind, and an object with two changes once")
    func counts() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save {
            $0.insertNote("kept")
            $0.insertNote("deleted")
        }
        try scenario.sync()
        try device.save {
            $0.insert("Folder", "name", "new")
            for note in try $0.all("Note") {
                if note.value(forKey: "title") as? String == "kept" { note.setValue(7, forKey: "rank") }
            }
        }
        _ = try device.replica.pushRequest()
        try device.save {
            for note in try $0.all("Note") {
                if note.value(forKey: "title") as? String == "kept" {
                    note.setValue(8, forKey: "rank")
                } else {
                    $0.delete(note)
                }
            }
        }
        _ = try device.replica.isQuiet()
        let status = try status(device, scenario)
        expectEqual(status.pendingCount, 3)
        expectEqual(
            status.pending,
            [
                .init(entityName: "Folder", insertions: 1),
                .init(entityName: "Note", changes: 2, deletions: 1),
            ])
        expectEqual(status.pushes, [.init(number: 2, objectCount: 2, attempts: 1, isAnswered: false)])
        expectEqual(status.position, try device.replica.position)
        let reader = try reader(device, scenario)
        let changes = try reader.changes()
        expectEqual(changes.map(\.kind.rawValue).sorted(), ["change", "change", "deletion", "insertion"])
        expectEqual(changes.filter { $0.kind == .change }.map(\.keys), [["rank"], ["rank"]])
        expectEqual(changes.map { $0.push ?? 0 }, [2, 2, 0, 0])
        expectEqual(changes.filter { $0.object.id == nil }.map(\.kind), [.deletion])
        expectEqual(try reader.changes(limit: 1).count, 1)
    }

    @Test("has the saves of programs, without imports, that the replica hasn't looked at")
    func saves() throws {
        let scenario = try SyncScenario(devices: 2)
        let (one, two) = (scenario.devices[0], scenario.devices[1])
        try two.save { $0.insertNote("of others") }
        try scenario.push(two)
        try scenario.pull(one)
        expectEqual(try status(one, scenario).saves, [])
        try one.save { $0.insertNote("new") }
        let status = try status(one, scenario)
        expectEqual(status.saves.count, 1)
        expectEqual(status.pendingCount, 0)
        expectEqual(status.notices, [])
    }

    @Test("has the pages that aren't imported")
    func pages() throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.devices[0].save { context in for number in 0..<5 { context.insertNote("\(number)") } }
        try scenario.push(scenario.devices[0])
        try scenario.startServer(pageObjects: 2)
        let device = scenario.devices[1]
        let request = try device.replica.pullRequest()
        try device.replica.receive(scenario.answer(request), to: request)
        expectEqual(try status(device, scenario).pages, [.init(objectCount: 2, isLast: false)])
        try scenario.sync()
        expectEqual(try status(device, scenario).pages, [])
    }

    @Test("has the large values that an import waits for, and those that objects wait for")
    func largeValues() throws {
        let scenario = try SyncScenario(devices: 2)
        let value = Data(repeating: 7, count: 1500)
        try scenario.devices[0].save {
            let note = $0.insertNote("one")
            note.setValue(value, forKey: "picture")
            note.setValue(value + [1], forKey: "film")
        }
        try scenario.push(scenario.devices[0])
        let device = scenario.devices[1]
        for _ in 0..<2 {
            let request = try device.replica.pullRequest()
            try device.replica.receive(scenario.answer(request), to: request)
        }
        let waiting = try status(device, scenario)
        expectEqual(waiting.largeValues.map(\.key), ["picture"])
        expectEqual(waiting.largeValues.map { [$0.size ?? 0, $0.received] }, [[1500, 400]])
        expectEqual(waiting.largeValues.map(\.isLater), [false])
        expectEqual(waiting.pages.map(\.isLast), [true])
        while try device.count("Note") == 0 {
            let request = try device.replica.pullRequest()
            try device.replica.receive(scenario.answer(request), to: request)
        }
        let later = try status(device, scenario)
        expectEqual(later.largeValues.map(\.key), ["film"])
        expectEqual(later.largeValues.map { [$0.size ?? 0, $0.received] }, [[1501, 0]])
        expectEqual(later.largeValues.map(\.isLater), [true])
        let id = try device.read { try $0.first("Note").objectID }
        expectEqual(later.largeValues.map(\.object.id), [id])
        expectEqual(try reader(device, scenario).status(of: id)?.largeValues.map(\.key), ["film"])
        try scenario.pullLater(device)
        expectEqual(try status(device, scenario).largeValues, [])
    }

    @Test("has the states of the server that the store can't have, with the reason")
    func held() throws {
        let lax = SimulationModel.copy()
        lax.entitiesByName["Note"]?.attributesByName["rank"]?.setValidationPredicates([], withValidationWarnings: [])
        let scenario = try SyncScenario(devices: 1, model: lax, serverModel: lax)
        let device = try scenario.addDevice(SimulationModel.model)
        try scenario.devices[0].save { $0.insertNote("too much").setValue(101, forKey: "rank") }
        try scenario.exchange()
        let status = try status(device, scenario)
        expectEqual(status.held.map(\.object.entityName), ["Note"])
        expectEqual(status.held.map(\.object.id), [nil])
        expectContains(status.held.first?.reason ?? "", "A rank is 100 at most.")
    }

    @Test("has the changes that the server refused, and those of one object")
    func problems() throws {
        let scenario = try SyncScenario(devices: 1, authorize: { $0.kind != .update })
        let device = scenario.devices[0]
        try device.save {
            $0.insertNote("one")
            $0.insertNote("two")
        }
        try scenario.sync()
        try device.save { try $0.first("Note").setValue(5, forKey: "rank") }
        try scenario.exchange()
        let status = try status(device, scenario)
        let ids = try device.read { try $0.all("Note").map(\.objectID) }
        expectEqual(status.problems.map(\.kind), [.change])
        expectEqual(status.problems.map(\.keys), [["rank"]])
        expectEqual(status.problems.map(\.object.id), [ids[0]])
        expectEqual(status.problems.map(\.reason), try device.replica.problems().map(\.reason))
        let reader = try reader(device, scenario)
        expectEqual(try reader.status(of: ids[0])?.problems, status.problems)
        expectEqual(try reader.status(of: ids[1])?.problems, [])
    }

    @Test("names the process that syncs, until its time is over")
    func lease() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        expectEqual(try status(device, scenario).lease, nil)
        expectTrue(try device.replica.takeLease())
        let lease = try requireValue(status(device, scenario).lease)
        expectEqual(lease.owner, device.replica.process)
        expectTrue(lease.isHeld)
        scenario.now += 1000
        expectEqual(try status(device, scenario).lease?.isHeld, false)
        try device.replica.endLease()
        expectEqual(try status(device, scenario).lease, nil)
    }

    @Test("says that a store hasn't begun to sync")
    func notBegun() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("here before") }
        try device.loseSideStore()
        func status() throws -> SyncStoreStatus {
            try SyncSideStoreReader(at: scenario.folder.file("new0.sqlite"), of: device.appStore.coordinator).status()
        }
        expectEqual(try status().notices, [.notBegun])
        expectEqual(try status().replica, nil)
        #expect(throws: SyncReplicaError.needsFirstStart) { try device.replica.resume() }
        expectEqual(try status().notices, [.notBegun])
        try device.replica.begin(.replaceLocal)
        expectEqual(try status().notices, [.firstImport])
    }

    @Test("says that the stores don't belong together after one of them was restored")
    func restored() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        try device.backUp()
        try device.save { $0.insertNote("two") }
        try scenario.sync()
        try device.restore(side: false)
        expectEqual(try status(device, scenario).notices, [.storesDiffer])
        #expect(throws: SyncReplicaError.storesDiffer) { try device.replica.resume() }
    }

    @Test("says that history was deleted before the replica had looked at it")
    func historyDeleted() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        for title in ["two", "three"] { try device.save { $0.insertNote(title) } }
        try device.read { context in
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        try device.save { $0.insertNote("four") }
        expectEqual(try status(device, scenario).notices, [.historyDeleted])
    }

    @Test("is that of one moment, whatever the replica saves meanwhile")
    func moment() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        _ = try device.replica.isQuiet()
        let reader = try reader(device, scenario)
        expectEqual(try reader.status().pendingCount, 1)
        try scenario.sync()
        expectEqual(try reader.status().pendingCount, 1)
        expectEqual(try reader.changes().count, 1)
        reader.close()
        expectEqual(try status(device, scenario).pendingCount, 0)
    }

    @Test("isn't read from the side store of another store")
    func otherStore() throws {
        let scenario = try SyncScenario(devices: 2)
        for device in scenario.devices { try device.replica.resume() }
        #expect(throws: SyncSideStoreError.self) {
            try SyncSideStoreReader(
                at: scenario.folder.file("side0.sqlite"), of: scenario.devices[1].appStore.coordinator)
        }
    }

    @Test("isn't read from the side store of another version, nor from a store of another model")
    func otherModels() throws {
        let scenario = try SyncScenario(devices: 1)
        for (name, text) in [("ReplicaState", "another version of CoreDataSync"), ("Note", "is no side store")] {
            let entity = NSEntityDescription()
            entity.name = name
            let model = NSManagedObjectModel()
            model.entities = [entity]
            let store = try SimulatedStore(model, .sqlite, name, in: scenario.folder)
            let error = #expect(throws: SyncSideStoreError.self) {
                try SyncSideStoreReader(
                    at: scenario.folder.file("\(name).sqlite"), of: scenario.devices[0].appStore.coordinator)
            }
            expectContains(error?.description ?? "", text)
            _ = store
        }
    }

    @Test("is read although rows are damaged")
    func damagedRows() throws {
        let scenario = try SyncScenario(devices: 1, authorize: { _ in false })
        let device = scenario.devices[0]
        try device.save { $0.insertNote("refused") }
        try scenario.exchange()
        try device.save { $0.insertNote("pending") }
        _ = try device.replica.isQuiet()
        let side = device.replica.side
        try side.performAndWait {
            for name in ["Problem", "PendingObject"] {
                for row in try side.fetch(NSFetchRequest<NSManagedObject>(entityName: name)) {
                    row.setValue(Data([0xff, 0xff, 0xff, 0x7f]), forKey: name == "Problem" ? "body" : "bases")
                    if name == "PendingObject" { row.setValue("nonsense", forKey: "kind") }
                }
            }
            try side.save()
        }
        let reader = try reader(device, scenario)
        let status = try reader.status()
        expectEqual(status.problems.count, 1)
        expectEqual(status.problems.first?.keys, [])
        expectEqual(status.pendingCount, 1)
        expectEqual(try reader.changes().count, 1)
    }
}
