import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import TestExpectations
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import sync_simulator

extension NSManagedObjectContext {
    fileprivate func insertIdentified(_ entity: String, _ key: String, _ value: String) {
        insert(entity, key, value).setValue(UUID(), forKey: "id")
    }
}

@Suite("Devices and a server with other versions of the model")
struct SyncVersionTests {
    private let models = (0...VersionedModel.count).map { VersionedModel.make(max($0, 1)) }

    /// A server of the newest version, and a device of each.
    private func allVersions() throws -> SyncScenario {
        let scenario = try SyncScenario(devices: 0, model: models[1], serverModel: models[1])
        try scenario.migrateServer(to: models[3], versions: Array(models[1...3]))
        for model in models[1...3] { try scenario.addDevice(model) }
        return scenario
    }

    @Test("exchange renamed entities, attributes and relationships")
    func renames() throws {
        let scenario = try allVersions()
        let (old, new) = (scenario.devices[0], scenario.devices[2])
        try old.save {
            $0.insertIdentified("Note", "title", "old")
            try $0.first("Note").setValue($0.insert("Folder", "name", "folder"), forKey: "folder")
        }
        try scenario.exchange()
        expectEqual(try new.values("Memo", "heading"), ["old"])
        try new.save { context in
            try context.first("Memo").setValue("new", forKey: "heading")
            try context.first("Box").setValue("box", forKey: "label")
        }
        try scenario.exchange()
        expectEqual(try old.values("Note", "title"), ["new"])
        expectEqual(try old.read { try $0.first("Note").value(forKeyPath: "folder.name") as? String }, "box")
    }

    @Test("keep what an older version doesn't know")
    func additions() throws {
        let scenario = try allVersions()
        let (old, new) = (scenario.devices[0], scenario.devices[2])
        try new.save {
            $0.insertIdentified("Memo", "kind", "special")
            $0.insertIdentified("Photo", "caption", "a photo")
            try $0.first("Memo").setValue(try $0.first("Photo"), forKey: "cover")
        }
        try scenario.exchange()
        expectEqual(try old.count("Note"), 1)
        try old.save { try $0.first("Note").setValue("changed", forKey: "title") }
        try scenario.exchange()
        let memo = try new.read { context in
            let memo = try context.all("Memo").first { $0.entity.name == "Memo" }
            return ["kind", "heading", "cover.caption"].map { memo?.value(forKeyPath: $0) as? String }
        }
        expectEqual(memo, ["special", "changed", "a photo"])
    }

    @Test("have the default of a required value where the other version has none")
    func defaults() throws {
        let scenario = try allVersions()
        let (first, second, third) = (scenario.devices[0], scenario.devices[1], scenario.devices[2])
        try third.save { $0.insertIdentified("Memo", "heading", "a") }
        try scenario.exchange()
        expectEqual(try first.values("Note", "color"), ["none"])
        expectEqual(try second.values("Memo", "mood"), ["calm"])
        expectEqual(try third.read { try $0.first("Memo").value(forKey: "color") as? String }, nil)
    }

    @Test("find the note with one identity, though its hierarchy has another root")
    func identities() throws {
        let scenario = try allVersions()
        let id = UUID()
        try scenario.devices[0].save { $0.insert("Note", "title", "old").setValue(id, forKey: "id") }
        try scenario.devices[2].save { $0.insert("Memo", "heading", "new").setValue(id, forKey: "id") }
        try scenario.exchange()
        for (device, name) in zip(scenario.devices, ["Note", "Memo", "Memo"]) { expectEqual(try device.count(name), 1) }
        expectEqual(try scenario.service.contents().count, 1)
    }

    @Test("wait with their changes until the server is updated")
    func newerDevice() throws {
        let scenario = try SyncScenario(devices: 0, model: models[1], serverModel: models[1])
        let device = try scenario.addDevice(models[2])
        try device.save { $0.insertIdentified("Memo", "heading", "waits") }
        let failure = #expect(throws: SyncFailure.self) { try scenario.push(device) }
        expectEqual(failure?.reason, .unknownModel)
        try scenario.migrateServer(to: models[2], versions: [models[1]])
        try scenario.exchange()
        expectEqual(try scenario.service.contents().count, 1)
    }

    @Test("lose no change that waits when the app is updated", arguments: [true, false])
    func migration(isPrepared: Bool) throws {
        let scenario = try allVersions()
        let device = scenario.devices[0]
        try device.save { $0.insertIdentified("Note", "title", "synced") }
        try scenario.exchange()
        try device.save { try $0.first("Note").setValue("sent", forKey: "title") }
        _ = try device.replica.pushRequest()
        try device.save {
            try $0.first("Note").setValue("blue", forKey: "color")
            $0.insert("Entry", "text", "unsent")
        }
        try device.migrate(to: models[3], isPrepared: isPrepared)
        try scenario.exchange()
        expectEqual(try scenario.devices[1].values("Memo", "heading"), ["sent"])
        expectEqual(try scenario.devices[1].values("Memo", "color"), ["blue"])
        expectEqual(try scenario.devices[1].values("Line", "text"), ["unsent"])
    }

    @Test("take no store for a copy in which an object has the identifying value of a deleted one")
    func insertedAgain() throws {
        let scenario = try allVersions()
        let (device, identity) = (scenario.devices[0], UUID())
        try device.save { context in
            context.insert("Note", "title", "first").setValue(identity, forKey: "id")
            context.insert("Entry", "text", "entry")
        }
        try scenario.exchange()
        try device.save { try $0.delete($0.first("Note")) }
        try device.save { $0.insert("Note", "title", "second").setValue(identity, forKey: "id") }
        try device.migrate(to: models[2], isPrepared: false)
        try scenario.exchange()
        expectEqual(try scenario.devices[1].values("Memo", "heading"), ["second"])
        expectEqual(try scenario.devices[1].values("Line", "text"), ["entry"])
    }

    /// A device whose store has notes with gaps between their numbers, which the server has too.
    private func deviceWithGaps(_ scenario: SyncScenario) throws -> SyncDevice {
        let device = scenario.devices[0]
        for title in ["a", "b", "c", "d"] { try device.save { $0.insertIdentified("Note", "title", title) } }
        try scenario.exchange()
        try device.save { context in
            for note in try context.all("Note") where ["a", "c"].contains(note.value(forKey: "title") as? String) {
                context.delete(note)
            }
        }
        try scenario.exchange()
        return device
    }

    /// A mapping model from the first version to the second one, which has other names.
    private func mapping() throws -> NSMappingModel {
        try NSMappingModel.inferredMappingModel(forSourceModel: models[1], destinationModel: models[2])
    }

    @Test("lose no change that waits when a mapping model copies the store of the app", arguments: [true, false])
    func mappedMigration(isPrepared: Bool) throws {
        let scenario = try allVersions()
        let device = try deviceWithGaps(scenario)
        try device.save { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String == "b" {
                note.setValue("changed", forKey: "title")
            }
            context.insertIdentified("Note", "title", "new")
        }
        try device.migrate(to: models[2], by: mapping(), isPrepared: isPrepared)
        try device.save { $0.insertIdentified("Memo", "heading", "after") }
        try scenario.exchange()
        for device in [device, scenario.devices[1]] {
            expectEqual(try device.values("Memo", "heading"), ["after", "changed", "d", "new"])
        }
        expectEqual(try scenario.devices[2].count("Memo"), 4)
    }

    @Test("keep deletions and the times of changes that wait, if the store is prepared for the mapping model")
    func preparedMappedMigration() throws {
        let scenario = try allVersions()
        let device = try deviceWithGaps(scenario)
        try scenario.devices[1].save { context in
            for note in try context.all("Memo") { note.setValue("older", forKey: "heading") }
        }
        try scenario.push(scenario.devices[1])
        try device.save { context in
            for note in try context.all("Note") {
                if note.value(forKey: "title") as? String == "b" {
                    note.setValue("changed", forKey: "title")
                } else {
                    context.delete(note)
                }
            }
        }
        try device.migrate(to: models[2], by: mapping(), isPrepared: true)
        try scenario.exchange()
        for device in [device, scenario.devices[1]] {
            expectEqual(try device.values("Memo", "heading"), ["changed"])
        }
    }

    @Test("find the objects of a store that mapping models copy twice, without a save in between")
    func repeatedMappedMigration() throws {
        let scenario = try allVersions()
        let device = try deviceWithGaps(scenario)
        try device.migrate(to: models[2], by: mapping(), isPrepared: true)
        try scenario.exchange()
        try scenario.devices[1].save { $0.delete(try $0.first("Memo")) }
        try scenario.exchange()
        let second = try NSMappingModel.inferredMappingModel(
            forSourceModel: models[2], destinationModel: models[3])
        try device.migrate(to: models[3], by: second, isPrepared: true)
        try device.save { context in
            for note in try context.all("Memo") { note.setValue("changed", forKey: "heading") }
        }
        try scenario.exchange()
        let left = try scenario.devices[1].values("Memo", "heading")
        expectEqual(left, ["changed"])
        expectEqual(try device.values("Memo", "heading"), left)
    }

    @Test("don't guess the objects of a copied store that have no identifying value")
    func unidentifiedObjects() throws {
        let scenario = try allVersions()
        let device = scenario.devices[0]
        for text in ["a", "b"] { try device.save { $0.insert("Entry", "text", text) } }
        try scenario.exchange()
        #expect(throws: SyncReplicaError.storesDiffer) {
            try device.migrate(to: models[2], by: mapping(), isPrepared: true)
        }
        try device.replica.begin(.match(by: ["Line": ["text"]]))
        try device.replica.resume()
        try scenario.exchange()
        expectEqual(try device.values("Line", "text"), ["a", "b"])
        expectEqual(try scenario.devices[1].values("Line", "text"), ["a", "b"])
    }

    @Test("get what the former version left out when the app is updated")
    func missedAdditions() throws {
        let scenario = try allVersions()
        let device = scenario.devices[0]
        try scenario.devices[2].save { $0.insertIdentified("Photo", "caption", "a photo") }
        try scenario.exchange()
        try device.migrate(to: models[3], isPrepared: true)
        try scenario.exchange()
        expectEqual(try device.values("Photo", "caption"), ["a photo"])
    }

    @Test("go on at their positions when the server is updated")
    func serverMigration() throws {
        let scenario = try SyncScenario(devices: 1, model: models[1], serverModel: models[1])
        let device = scenario.devices[0]
        try device.save { $0.insertIdentified("Note", "title", "a") }
        try scenario.exchange()
        try scenario.service.noteSaves()
        let position = try device.replica.position
        try scenario.migrateServer(to: models[2], versions: [models[1]])
        guard case .changes(let changes) = scenario.answer(try device.replica.pullRequest()) else {
            Issue.record("The server doesn't answer.")
            return
        }
        expectEqual(changes.objects.count, 0)
        expectEqual(changes.position, position)
    }

    @Test("that have no place for each other's values are refused, with the lowest version that is served")
    func outdated() throws {
        let (first, second) = (VersionedModel.make(1), VersionedModel.make(1))
        first.versionIdentifiers = ["2024"]
        second.versionIdentifiers = ["2025"]
        first.entitiesByName["Folder"]?.attributesByName["name"]?.isOptional = false
        second.entitiesByName["Folder"]?.attributesByName["name"]?.defaultValue = "a name"
        let scenario = try SyncScenario(devices: 0, model: first, serverModel: models[1])
        let device = try scenario.addDevice(first)
        try scenario.migrateServer(to: models[2], versions: [first, second])
        let failure = #expect(throws: SyncFailure.self) { try scenario.pull(device) }
        expectEqual(failure?.reason, .outdatedModel)
        #expect(failure?.text.contains("2024") ?? false)
        #expect(failure?.text.contains("the lowest is 2025") ?? false)
    }

    @Test("aren't served if a property has another kind", arguments: ["text", "number", "toMany"])
    func otherKinds(_ change: String) throws {
        let (old, new) = (VersionedModel.make(1), VersionedModel.make(1))
        switch change {
        case "text": old.entitiesByName["Folder"]?.attributesByName["name"]?.attributeType = .integer16AttributeType
        case "number": old.entitiesByName["Entry"]?.attributesByName["ticks"]?.attributeType = .doubleAttributeType
        default: old.entitiesByName["Note"]?.relationshipsByName["folder"]?.maxCount = 0
        }
        let versions = try SyncVersions([old], before: new, try SyncSchema(new), SyncServerVariant())
        let failure = #expect(throws: SyncFailure.self) { try versions.version(SyncSchema(old).version) }
        expectEqual(failure?.reason, .outdatedModel)
    }

    /// The version of the part of a model that is in its configuration `Cloud`.
    private func cloud(_ model: NSManagedObjectModel, _ entities: [String]) throws -> String {
        model.setEntities(entities.compactMap { model.entitiesByName[$0] }, forConfigurationName: "Cloud")
        var options = SyncSchema.Options()
        options.configurationName = "Cloud"
        return try SyncSchema(model, options).version
    }

    @Test("that differ by their configurations alone are served for the configurations of both")
    func otherConfigurations() throws {
        let (old, new) = (VersionedModel.make(1), VersionedModel.make(1))
        let parts = [try cloud(old, ["Note", "Folder"]), try cloud(new, ["Entry"])]
        let versions = try SyncVersions([old], before: new, try SyncSchema(new), SyncServerVariant())
        for part in parts { expectEqual(try versions.version(part)?.schema.version, part) }
        expectEqual(try versions.version(SyncSchema(old).version) == nil, true)
    }

    @Test("that aren't served leave configurations served that have the same entities in a version that is")
    func sharedConfigurations() throws {
        let (refused, new) = (VersionedModel.make(1), VersionedModel.make(1))
        refused.entitiesByName["Folder"]?.attributesByName["name"]?.attributeType = .integer16AttributeType
        let part = try cloud(new, ["Entry"])
        expectEqual(try cloud(refused, ["Entry"]), part)
        let versions = try SyncVersions([refused], before: new, try SyncSchema(new), SyncServerVariant())
        expectEqual(try versions.version(part)?.schema.version, part)
        #expect(throws: SyncFailure.self) { try versions.version(SyncSchema(refused).version) }
    }

    @Test("have no two properties with one renaming identifier")
    func sameIdentifiers() throws {
        let model = VersionedModel.make(1)
        model.entitiesByName["Note"]?.attributesByName["color"]?.renamingIdentifier = "title"
        #expect(throws: SyncSchemaError.self) { try SyncSchema(model) }
        let other = VersionedModel.make(1)
        other.entitiesByName["Folder"]?.renamingIdentifier = "Note"
        #expect(throws: SyncSchemaError.self) { try SyncSchema(other) }
    }
}
