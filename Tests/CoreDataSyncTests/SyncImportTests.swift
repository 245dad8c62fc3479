import CoreData
import CoreDataSyncWire
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import sync_simulator

/// A class that changes its title whenever it is saved.
final class InsistingNote: NSManagedObject {
    override func willSave() {
        super.willSave()
        if let title = value(forKey: "title") as? String, title != title.uppercased() {
            setValue(title.uppercased(), forKey: "title")
        }
    }
}

/// A class that leaves alone what a server has sent.
final class PoliteNote: NSManagedObject {
    override func willSave() {
        super.willSave()
        guard let context = managedObjectContext, !context.isSyncImport else { return }
        if let title = value(forKey: "title") as? String, title != title.uppercased() {
            setValue(title.uppercased(), forKey: "title")
        }
    }
}

@Suite("An import")
struct SyncImportTests {
    private func model(_ type: NSManagedObject.Type) -> NSManagedObjectModel {
        let model = SimulationModel.model.copy() as? NSManagedObjectModel ?? NSManagedObjectModel()
        model.entitiesByName["Note"]?.managedObjectClassName = NSStringFromClass(type)
        return model
    }

    @Test("sets back once what a class changes, and says so if the class insists")
    func insistingClass() throws {
        let scenario = try SyncScenario(devices: 1, model: model(InsistingNote.self))
        let device = scenario.devices[0]
        func send(_ number: Int64) throws {
            let change = SyncObjectChange(
                object: Self.note, entity: "Note", kind: number == 1 ? .insert : .update, life: 0, time: 0,
                properties: [
                    "title": SyncPropertyChange(base: number, change: .value(.text("one"))),
                    "pair": SyncPropertyChange(base: number, change: .value(.integer(number))),
                ])
            let push = SyncPush(replica: Self.replica, number: number, groups: [SyncGroup(changes: [change])])
            _ = scenario.answer(
                .push(SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil)))
        }
        try send(1)
        try scenario.pull(device)
        expectEqual(try device.values("Note", "title"), ["ONE"])
        expectEmpty(device.events)
        try send(2)
        try scenario.pull(device)
        expectEqual(try device.values("Note", "pair"), ["2"])
        expectEqual(device.events, [.importChanged(object: Self.note, property: "title")])
        // Nothing goes back and forth.
        expectTrue(try device.replica.isQuiet())
        expectEqual(try scenario.service.contents()[Self.note]?["title"], .text("one"))
    }

    private static let note = UUID()
    private static let replica = UUID()

    @Test("tells classes that it is one")
    func politeClass() throws {
        let scenario = try SyncScenario(devices: 2, model: model(PoliteNote.self))
        try scenario.devices[0].save { $0.insertNote("one") }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), ["ONE"]) }
        expectFalse(try scenario.devices[0].read { $0.isSyncImport })
        expectTrue(scenario.devices.allSatisfy { $0.events.isEmpty })
    }

    @Test("shows an object of another entity in the place of a deleted one with its UUID")
    func otherEntity() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insert("Folder", "name", "folder") }
        try scenario.sync()
        let identity = try requireValue(scenario.service.contents().keys.first)
        func change(_ kind: SyncObjectChange.Kind, _ entity: String, life: Int64) -> SyncObjectChange {
            SyncObjectChange(object: identity, entity: entity, kind: kind, life: life, time: 0, properties: [:])
        }
        for change in [change(.delete, "Folder", life: 1), change(.insert, "Tag", life: 0)] {
            let push = SyncPush(
                replica: UUID(), number: 1, groups: [SyncGroup(changes: [change])])
            _ = scenario.answer(
                .push(SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil)))
        }
        try scenario.sync()
        expectEqual(try device.count("Folder"), 0)
        expectEqual(try device.count("Tag"), 1)
    }

    @Test("loses nothing that the program saves after the look at the history", arguments: [nil, "three"])
    func saveDuringImport(title: String?) throws {
        let scenario = try SyncScenario(devices: 2)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { $0.insertNote("one") }
        try scenario.sync()
        try second.save { try $0.first("Note").setValue("two", forKey: "title") }
        try scenario.push(second)
        first.atStep = { [unowned first] step in
            guard step == .beforeImport else { return }
            first.atStep = { _ in }
            try first.save { context in
                let note = try context.first("Note")
                if let title { note.setValue(title, forKey: "title") } else { context.delete(note) }
            }
        }
        try scenario.pull(first)
        expectEqual(try first.values("Note", "title"), title.map { [$0] } ?? [])
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), title.map { [$0] } ?? []) }
    }
}
