import CoreData
import CoreDataSyncWire
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

/// The base of a change says what its program had seen. A newer one would overwrite what others changed, unseen.
@Suite("The base of a change")
struct SyncBaseTests {
    private static let id = UUID()

    /// Two devices that have one note, whose property with the policy `server` is 5.
    private func twoWithNote() throws -> SyncScenario {
        let scenario = try SyncScenario(devices: 2)
        try scenario.devices[0].save { $0.insertNote("one", id: Self.id).setValue(5, forKey: "server") }
        try scenario.sync()
        return scenario
    }

    private func set(_ name: String, _ value: Int, on device: SyncDevice) throws {
        try device.save { try $0.first("Note").setValue(value, forKey: name) }
    }

    /// A device's context that undoes, after it has deleted the note and saved that.
    private func editorAfterDeletion(_ device: SyncDevice) throws -> NSManagedObjectContext {
        let editor = SimulatedStore.context(device.appStore.coordinator)
        try editor.performAndWait {
            editor.undoManager = UndoManager()
            editor.undoManager?.groupsByEvent = false
            let note = try editor.first("Note")
            editor.undoManager?.beginUndoGrouping()
            editor.delete(note)
            editor.processPendingChanges()
            editor.undoManager?.endUndoGrouping()
            try editor.save()
        }
        return editor
    }

    private func undoAndSave(_ editor: NSManagedObjectContext) throws {
        try editor.performAndWait {
            editor.undo()
            try editor.save()
        }
    }

    private func expectServer(_ expected: String, _ scenario: SyncScenario) throws {
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "server"), [expected]) }
    }

    @Test("is that of the deletion, for an object whose deletion is undone before it is sent")
    func undoneDeletion() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        let editor = try editorAfterDeletion(second)
        try set("server", 1, on: first)
        try scenario.push(first)
        try scenario.pull(second)
        try undoAndSave(editor)
        try expectServer("1", scenario)
    }

    @Test("is that of the deletion, for an object that is inserted again before the deletion is sent")
    func replacedObject() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try second.save { $0.delete(try $0.first("Note")) }
        try set("server", 1, on: first)
        try scenario.push(first)
        try scenario.pull(second)
        try second.save { $0.insertNote("again", id: Self.id).setValue(7, forKey: "server") }
        try expectServer("1", scenario)
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), ["again"]) }
    }

    @Test("is that of a change before the deletion, for an object that is inserted again")
    func changeBeforeDeletion() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try set("server", 6, on: second)
        try set("server", 1, on: first)
        try scenario.push(first)
        try scenario.pull(second)
        try undoAndSave(try editorAfterDeletion(second))
        try expectServer("1", scenario)
    }

    @Test("is that of the deletion, for an object that is inserted again while the deletion is on its way")
    func deletionOnItsWay() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        let editor = try editorAfterDeletion(second)
        let request = try requireValue(try second.replica.pushRequest())
        try first.save { $0.delete(try $0.first("Note")) }
        try scenario.push(first)
        try scenario.pull(first)
        try first.save { $0.insertNote("another", id: Self.id).setValue(1, forKey: "server") }
        try scenario.push(first)
        try scenario.pull(second)
        try undoAndSave(editor)
        try second.replica.receive(scenario.answer(request, second), to: request)
        try expectServer("1", scenario)
    }

    /// As in the history of one writer with the seed 1796056961.
    @Test("is that of a change that is on its way, for an object that is deleted and inserted again")
    func changeOnItsWayBeforeDeletion() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try set("server", 6, on: second)
        let request = try requireValue(try second.replica.pushRequest())
        try set("server", 1, on: first)
        try scenario.push(first)
        try scenario.pull(second)
        try undoAndSave(try editorAfterDeletion(second))
        try second.replica.receive(scenario.answer(request, second), to: request)
        try expectServer("1", scenario)
    }

    @Test("is that of an older change of the property, while that is on its way")
    func changeOnItsWay() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try set("server", 2, on: second)
        let request = try requireValue(try second.replica.pushRequest())
        try set("server", 1, on: first)
        try scenario.push(first)
        // The second device shows its own value, and learns nothing of the other one.
        try scenario.pull(second)
        try set("server", 3, on: second)
        try second.replica.receive(scenario.answer(request, second), to: request)
        try expectServer("1", scenario)
    }

    @Test("is the position of the replica, when it has the answer to the older change")
    func answeredChange() throws {
        let scenario = try twoWithNote()
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try set("server", 2, on: second)
        try set("server", 1, on: first)
        try scenario.push(first)
        try scenario.push(second)
        try scenario.pull(second)
        expectEqual(try second.values("Note", "server"), ["1"])
        try set("server", 3, on: second)
        try expectServer("3", scenario)
    }
}
