import CoreData
import CoreDataSyncServer
import CoreDataSyncWire
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("A store that begins to sync")
struct SyncStartTests {
    /// A server with notes of one device, and a store with notes that never synced.
    private func twoSides() throws -> (SyncScenario, SyncDevice) {
        let scenario = try SyncScenario(devices: 2)
        let shared = UUID()
        try scenario.devices[0].save {
            $0.insertNote("on the server", id: shared)
            $0.insert("Folder", "name", "both")
            $0.insert("Folder", "name", "server")
        }
        try scenario.push(scenario.devices[0])
        try scenario.pull(scenario.devices[0])
        let device = scenario.devices[1]
        try device.save {
            $0.insertNote("on the device", id: shared)
            let folder = $0.insert("Folder", "name", "both")
            $0.insert("Folder", "name", "device")
            $0.insertNote("in a folder").setValue(folder, forKey: "folder")
        }
        try device.loseSideStore()
        return (scenario, device)
    }

    @Test("with objects says so, and changes nothing until the program has decided")
    func needsChoice() throws {
        let (scenario, device) = try twoSides()
        #expect(throws: SyncReplicaError.needsFirstStart) { try device.replica.resume() }
        #expect(throws: SyncReplicaError.needsFirstStart) { try scenario.push(device) }
        expectEqual(try device.values("Folder", "name"), ["both", "device"])
    }

    @Test("sends all objects, and identifying values match")
    func upload() throws {
        let (scenario, device) = try twoSides()
        try device.replica.begin(.upload)
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Folder", "name"), ["both", "both", "device", "server"])
            expectEqual(try device.values("Note", "title"), ["in a folder", "on the server"])
        }
    }

    @Test("takes the server's objects in place of its own")
    func replace() throws {
        let (scenario, device) = try twoSides()
        try device.replica.begin(.replaceLocal)
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Folder", "name"), ["both", "server"])
            expectEqual(try device.values("Note", "title"), ["on the server"])
        }
    }

    @Test("matches objects by the attributes that the program names, and sends the others")
    func match() throws {
        let (scenario, device) = try twoSides()
        try device.replica.begin(.match(by: ["Folder": ["name"]]))
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Folder", "name"), ["both", "device", "server"])
            expectEqual(try device.values("Note", "title"), ["in a folder", "on the server"])
        }
    }

    @Test("goes on when the program deletes history that wasn't seen")
    func deletedHistory() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save {
            $0.insertNote("one")
            $0.insertNote("is deleted")
        }
        try scenario.sync()
        try device.save { context in
            for note in try context.all("Note") {
                if note.value(forKey: "title") as? String == "one" { note.setValue(3, forKey: "pair") }
            }
            context.insertNote("new")
        }
        try device.save { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String == "is deleted" {
                context.delete(note)
            }
        }
        try device.context.performAndWait {
            let token = device.appStore.coordinator.currentPersistentHistoryToken(fromStores: nil)
            _ = try device.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
        }
        try scenario.sync()
        expectEqual(try scenario.devices[1].values("Note", "title"), ["new", "one"])
        expectEqual(try scenario.devices[1].values("Note", "pair"), ["3"])
        expectContains(device.events, .historyDeleted)
    }

    @Test("is synced by one of two processes, and has what the other one saves")
    func twoProcesses() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        let first = device.replica
        let other = try device.makeReplica(device.sideStore.coordinator)
        expectTrue(try first.takeLease())
        expectFalse(try other.takeLease())
        expectTrue(try first.takeLease())
        scenario.now += 61
        expectTrue(try other.takeLease())
        expectFalse(try first.takeLease())
        try other.endLease()
        expectTrue(try first.takeLease())
        // The other process has a coordinator of its own, and only saves.
        let extensionStore = NSPersistentStoreCoordinator(managedObjectModel: SimulationModel.model)
        _ = try extensionStore.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: device.appStore.coordinator.persistentStores[0].url,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = SimulatedStore.context(extensionStore)
        try context.performAndWait {
            context.insertNote("of the extension")
            try context.save()
        }
        try scenario.sync()
        expectEqual(try scenario.devices[1].values("Note", "title"), ["of the extension"])
    }

    @Test("gets what the server's own program saves")
    func otherWriter() throws {
        let scenario = try SyncScenario(devices: 1)
        let context = scenario.serverContext
        try context.performAndWait {
            context.insertNote("of the server")
            try context.save()
        }
        try scenario.sync()
        expectEqual(try scenario.devices[0].values("Note", "title"), ["of the server"])
        try context.performAndWait {
            try context.first("Note").setValue("changed", forKey: "title")
            try context.save()
        }
        // A change on the device that doesn't know of that one meets it.
        try scenario.devices[0].save { try $0.first("Note").setValue(1, forKey: "server") }
        try scenario.sync()
        expectEqual(try scenario.devices[0].values("Note", "title"), ["changed"])
        try context.performAndWait {
            context.delete(try context.first("Note"))
            try context.save()
        }
        try scenario.sync()
        expectEqual(try scenario.devices[0].count("Note"), 0)
    }

    @Test("with a damaged or a foreign side store fails with an error, and leaves the app's store as it is")
    func damagedSideStore() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        let context = SimulatedStore.context(device.sideStore.coordinator)
        try context.performAndWait {
            // Each value that is made of bytes becomes garbage, and each text another one.
            for entity in SyncReplica.sideModel.entities {
                for row in try context.all(entity.name ?? "") {
                    for (name, attribute) in entity.attributesByName {
                        if attribute.attributeType == .binaryDataAttributeType {
                            row.setValue(Data([0xff, 0xfe, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]), forKey: name)
                        } else if attribute.attributeType == .stringAttributeType {
                            row.setValue("nothing", forKey: name)
                        }
                    }
                }
            }
            try context.save()
        }
        try device.start()
        try? device.replica.resume()
        try? scenario.push(device)
        try? scenario.pull(device)
        expectEqual(try device.values("Note", "title"), ["one"])
        try device.loseSideStore()
        #expect(throws: SyncReplicaError.needsFirstStart) { try device.replica.resume() }
        try device.replica.begin(.upload)
        try scenario.sync()
        expectEqual(try device.values("Note", "title"), ["one"])
    }
}
