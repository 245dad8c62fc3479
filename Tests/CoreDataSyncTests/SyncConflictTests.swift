import CoreData
import CoreDataSyncWire
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncModel
@testable import CoreDataSyncServer
@testable import sync_simulator

@Suite("Devices that change the same")
struct SyncConflictTests {
    /// Two devices that have one note.
    private func twoWithNote() throws -> SyncScenario {
        let scenario = try SyncScenario(devices: 2)
        try scenario.devices[0].save { $0.insertNote("one") }
        try scenario.sync()
        return scenario
    }

    @Test("an object that refers to a new one, which a later save changes, is saved with it")
    func laterChangeOfTarget() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { $0.insert("Folder", "name", "new") }
        try device.save { $0.insertNote("a").setValue(try $0.first("Folder"), forKey: "folder") }
        try device.save { try $0.first("Folder").setValue("renamed", forKey: "name") }
        try scenario.sync()
        expectEqual(try scenario.devices[1].values("Note", "title"), ["a"])
    }

    @Test(
        "decide by the policy of the property, whoever pulls first",
        arguments: [("latest", 2), ("server", 1), ("client", 2), ("sum", 3), ("refuse", 1), ("hook", 2)])
    func policies(attribute: String, expected: Int) throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { try $0.first("Note").setValue(1, forKey: attribute) }
        try second.save { try $0.first("Note").setValue(2, forKey: attribute) }
        try scenario.push(first)
        // The second one pulls before it pushes: what it changed stays as it is, and has its old base.
        try scenario.pull(second)
        expectEqual(try second.values("Note", attribute), [attribute == "sum" ? "3" : "2"])
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", attribute), ["\(expected)"]) }
    }

    @Test("get a third value that the server's hook makes of theirs")
    func thirdValue() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        scenario.hook = { conflict in
            guard case .integer(let old) = conflict.serverValue, case .integer(let new) = conflict.replicaValue,
                conflict.entity == "Note", conflict.property == "hook", conflict.serverTime <= conflict.replicaTime
            else { throw SimulationFailure("\(conflict)") }
            return .value(.integer(old * 10 + new))
        }
        try first.save { try $0.first("Note").setValue(1, forKey: "hook") }
        try second.save { try $0.first("Note").setValue(2, forKey: "hook") }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "hook"), ["12"]) }
    }

    @Test("go on without the changes at which the server's hook always fails, and keep them")
    func failingHook() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        scenario.hook = { _ in throw SimulationFailure("The hook fails.") }
        try first.save { try $0.first("Note").setValue(1, forKey: "hook") }
        try second.save { try $0.first("Note").setValue(2, forKey: "hook") }
        try second.save { $0.insertNote("two") }
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Note", "hook"), ["1"])
            expectEqual(try device.values("Note", "title"), ["one", "two"])
        }
        expectEqual(try second.replica.masks().problems.count, 1)
    }

    @Test("need a hook if the model of the server has the policy")
    func missingHook() throws {
        let folder = try TemporaryFolder()
        let model = try requireValue(SyncServerModel.merged(with: SimulationModel.model))
        let store = try SimulatedStore(model, .sqlite, "server", in: folder)
        #expect(throws: SyncSchemaError.self) { try SyncService(store.coordinator) }
    }

    @Test("keep a refused change with its values, and say so")
    func refusal() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { try $0.first("Note").setValue(1, forKey: "refuse") }
        try second.save {
            try $0.first("Note").setValue(2, forKey: "refuse")
            try $0.first("Note").setValue("two", forKey: "title")
        }
        try scenario.push(first)
        try scenario.sync()
        expectEqual(try second.values("Note", "title"), ["one"])
        expectEqual(try second.replica.masks().problems.count, 1)
        expectContains(second.events, .problems)
    }

    @Test("count together, on three devices")
    func counters() throws {
        let scenario = try SyncScenario(devices: 3)
        try scenario.devices[0].save { $0.insertNote("one").setValue(10, forKey: "sum") }
        try scenario.sync()
        for device in scenario.devices {
            try device.save { context in
                let note = try context.first("Note")
                note.setValue((note.value(forKey: "sum") as? Int ?? 0) + 5, forKey: "sum")
            }
        }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "sum"), ["25"]) }
    }

    @Test("make one tag of two with the same name, and keep what refers to either")
    func sameTag() throws {
        let scenario = try SyncScenario(devices: 2)
        for device in scenario.devices {
            try device.save {
                let tag = $0.insert("Tag", "name", "red")
                $0.insertNote("note \(device.number)").mutableSetValue(forKey: "tags").add(tag)
            }
        }
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Tag", "name"), ["red"])
            expectEqual(try device.read { (try $0.first("Tag").value(forKey: "users") as? NSSet)?.count }, 2)
        }
    }

    @Test("bring both orders of a list together")
    func order() throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.devices[0].save {
            let folder = $0.insert("Folder", "name", "list")
            for text in ["a", "b", "c", "d"] {
                folder.mutableOrderedSetValue(forKey: "lines").add($0.insert("Line", "text", text))
            }
        }
        try scenario.sync()
        try scenario.devices[0].save {
            try $0.first("Folder").mutableOrderedSetValue(forKey: "lines").moveObjects(at: IndexSet(integer: 3), to: 0)
        }
        try scenario.devices[1].save {
            try $0.first("Folder").mutableOrderedSetValue(forKey: "lines").moveObjects(at: IndexSet(integer: 0), to: 2)
        }
        try scenario.sync()
        for device in scenario.devices {
            let texts = try device.read { context in
                try context.first("Folder").mutableOrderedSetValue(forKey: "lines").compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "text") as? String
                }
            }
            expectEqual(texts, ["d", "b", "c", "a"])
        }
    }

    @Test("lose the changes of a deleted object, which stay among the problems", arguments: [true, false])
    func deletion(pullsFirst: Bool) throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { $0.delete(try $0.first("Note")) }
        try second.save { try $0.first("Note").setValue("changed", forKey: "title") }
        try scenario.push(first)
        if pullsFirst { try scenario.pull(second) }
        try scenario.sync()
        expectEqual(try second.count("Note"), 0)
        expectEqual(try second.replica.masks().problems.count, 1)
    }

    @Test("have a deleted object again if its entity has the policy revive", arguments: [true, false])
    func revival(pullsFirst: Bool) throws {
        let scenario = try SyncScenario(devices: 2)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save {
            let folder = $0.insert("Folder", "name", "folder")
            $0.insertNote("note").setValue(folder, forKey: "folder")
            folder.mutableOrderedSetValue(forKey: "lines").add($0.insert("Line", "text", "line"))
        }
        try scenario.sync()
        try first.save { $0.delete(try $0.first("Folder")) }
        // The change and another one are one group, which is sent again whole.
        try second.save {
            try $0.first("Folder").setValue("changed", forKey: "name")
            try $0.first("Note").setValue(5, forKey: "sum")
        }
        try scenario.push(first)
        if pullsFirst { try scenario.pull(second) } else { try scenario.push(second) }
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Folder", "name"), ["changed"])
            expectEqual(try device.values("Note", "sum"), ["5"])
        }
        expectEqual(try second.replica.masks().problems.count, 0)
        // It is an object as others again.
        try first.save { try $0.first("Folder").setValue("again", forKey: "name") }
        try scenario.sync()
        expectEqual(try second.values("Folder", "name"), ["again"])
    }

    @Test("have an object that was deleted and, by undo, inserted again under its ID", arguments: [true, false])
    func undoneDeletion(isSentBefore: Bool) throws {
        let scenario = try SyncScenario(devices: 2)
        let first = scenario.devices[0]
        try first.save { $0.insertNote("note") }
        if isSentBefore { try scenario.sync() } else { try first.replica.resume() }
        let context = first.context
        context.undoManager = UndoManager()
        try context.performAndWait {
            context.delete(try context.first("Note"))
            try context.save()
            context.undo()
            try context.save()
        }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), ["note"]) }
    }

    @Test("delete what a batch request has left without its owner, everywhere", arguments: [true, false])
    func batchDeletion(isSentBefore: Bool) throws {
        let scenario = try twoWithNote()
        let first = scenario.devices[0]
        try first.save { $0.insert("Comment", "text", "new").setValue(try $0.first("Note"), forKey: "note") }
        if isSentBefore { try scenario.sync() }
        try first.read { context in
            _ = try context.execute(
                NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")))
        }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.count("Comment"), 0) }
        expectEqual(try scenario.service.contents(), [:])
    }

    @Test("bring a graph that is deep, in one save, whole")
    func deepGraph() throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.devices[0].save {
            let folder = $0.insert("Folder", "name", "folder")
            for number in 0..<50 {
                let note = $0.insertNote("note \(number)")
                note.setValue(folder, forKey: "folder")
                for text in ["a", "b"] { $0.insert("Comment", "text", text).setValue(note, forKey: "note") }
            }
        }
        try scenario.sync()
        let second = scenario.devices[1]
        expectEqual(try second.count("Comment"), 100)
        expectEqual(try second.read { (try $0.first("Folder").value(forKey: "notes") as? NSSet)?.count }, 50)
    }
}
