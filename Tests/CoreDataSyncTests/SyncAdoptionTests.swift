import CoreData
import CoreDataSyncModel
import CoreDataSyncServer
import CoreDataSyncWire
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

@Suite("Devices that had the same objects by CloudKit")
struct SyncAdoptionTests {
    private static let recordNames = [
        "home": "5F3C0E1A-0001-4000-8000-000000000001", "work": "5F3C0E1A-0002-4000-8000-000000000002",
        "named": "CD_Folder_1",
    ]

    /// Two devices with the same folders, which never synced. A folder of each has no record.
    private func devices() throws -> SyncScenario {
        let scenario = try SyncScenario(devices: 2)
        for (index, device) in scenario.devices.enumerated() {
            try device.save { context in
                // In another order on each device, so that the keys differ.
                for name in Self.recordNames.keys.sorted(by: index == 0 ? (<) : (>)) {
                    let folder = context.insert("Folder", "name", name)
                    context.insertNote("of \(name)").setValue(folder, forKey: "folder")
                }
                context.insert("Folder", "name", "new \(index)")
            }
            // The notes have identifying values of their own.
            try device.save { context in
                for note in try context.all("Note") { context.delete(note) }
            }
            try device.loseSideStore()
        }
        return scenario
    }

    /// The IDs of the folders with records.
    private func folders(of device: SyncDevice) throws -> [NSManagedObjectID: String] {
        try device.context.performAndWait {
            var names: [NSManagedObjectID: String] = [:]
            for folder in try device.context.all("Folder") {
                names[folder.objectID] = Self.recordNames[folder.value(forKey: "name") as? String ?? ""]
            }
            return names
        }
    }

    private func recordedCount(_ device: SyncDevice) throws -> Int {
        try device.replica.side.performAndWait {
            try device.replica.side.count(for: NSFetchRequest<NSManagedObject>(entityName: SyncSideModel.recordedName))
        }
    }

    private static let all = ["home", "named", "new 0", "new 1", "work"]

    @Test(
        "have each object once after their first starts",
        arguments: [SyncFirstStart.upload, .match(by: [:]), .match(by: ["Folder": ["name"]])])
    func once(_ choice: SyncFirstStart) throws {
        let scenario = try devices()
        for (index, device) in scenario.devices.enumerated() {
            expectEqual(try device.replica.adopt(folders(of: device)), 3)
            try device.replica.begin(index == 0 ? .upload : choice)
            try scenario.push(device)
            try scenario.pull(device)
        }
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Folder", "name"), Self.all)
            expectEqual(try recordedCount(device), 0)
        }
        let home = try requireValue(folders(of: scenario.devices[1]).first { $0.value == Self.recordNames["home"] })
        expectEqual(
            try scenario.devices[1].replica.identity(of: home.key)?.uuidString, Self.recordNames["home"])
    }

    @Test("keep the objects that the server has, and their IDs, when they take its contents")
    func replace() throws {
        let scenario = try devices()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        _ = try first.replica.adopt(folders(of: first))
        try first.replica.begin(.upload)
        try scenario.push(first)
        try scenario.pull(first)
        let before = try Set(folders(of: second).keys)
        _ = try second.replica.adopt(folders(of: second))
        try second.replica.begin(.replaceLocal)
        try scenario.sync()
        expectEqual(try second.values("Folder", "name"), ["home", "named", "new 0", "work"])
        expectEqual(try Set(folders(of: second).keys), before)
        expectEqual(try recordedCount(second), 0)
    }

    @Test("have each object twice without it")
    func withoutAdoption() throws {
        let scenario = try devices()
        for device in scenario.devices { try device.replica.begin(.upload) }
        try scenario.sync()
        expectEqual(try scenario.devices[0].values("Folder", "name").count, 8)
    }

    @Test("can do so before their first start alone, and again until then")
    func beforeFirstStart() throws {
        let scenario = try devices()
        let device = scenario.devices[0]
        let folders = try folders(of: device)
        expectEqual(try device.replica.adopt(folders), 3)
        expectEqual(try device.replica.adopt(folders.filter { $0.value.hasPrefix("5F") }), 2)
        expectEqual(try recordedCount(device), 2)
        try device.replica.begin(.upload)
        let error = #expect(throws: SyncReplicaError.self) { try device.replica.adopt(folders) }
        expectEqual(error?.description, "The store syncs already: its objects have identities.")
    }

    @Test("are told of a record of two objects, and nothing changes")
    func sameRecord() throws {
        let scenario = try devices()
        let device = scenario.devices[0]
        let folders = try folders(of: device)
        expectEqual(try device.replica.adopt(folders), 3)
        let error = #expect(throws: SyncReplicaError.self) {
            // A UUID in small letters is the same.
            try device.replica.adopt(
                folders.mapValues { $0.hasPrefix("CD") ? "5f3c0e1a-0001-4000-8000-000000000001" : $0 })
        }
        expectContains(error?.description ?? "", "have the same CloudKit record 5")
        expectEqual(try recordedCount(device), 3)
    }

    @Test("do so by their engines")
    func engine() async throws {
        let server = try LocalServer()
        let apps = [try EngineApp(server, "one"), try EngineApp(server, "two")]
        for app in apps {
            try await app.save { context in
                for name in Self.recordNames.keys.sorted() { context.insert("Folder", "name", name) }
            }
            let context = app.container.newBackgroundContext()
            let names = try await context.perform {
                var names: [NSManagedObjectID: String] = [:]
                for folder in try context.all("Folder") {
                    names[folder.objectID] = Self.recordNames[folder.value(forKey: "name") as? String ?? ""]
                }
                return names
            }
            try await app.engine.adopt(recordNames: names)
            await #expect(throws: SyncEngineError.needsFirstStart) { try await app.engine.start() }
            try await app.engine.begin(.upload)
            try await app.engine.start()
            try await app.engine.waitForPending()
            let again = await #expect(throws: SyncEngineError.self) {
                try await app.engine.adopt(recordNames: names)
            }
            expectEqual(again?.localizedDescription, "The store syncs already: its objects have identities.")
        }
        for app in apps {
            let context = app.container.newBackgroundContext()
            expectEqual(try await context.perform { try context.all("Folder").count }, 3)
        }
    }
}
