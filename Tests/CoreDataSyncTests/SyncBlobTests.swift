import CoreData
import CoreDataSyncModel
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import sync_simulator

@Suite("Large values")
struct SyncBlobTests {
    private func bytes(_ seed: UInt8, count: Int = 1500) -> Data { Data((0..<count).map { seed &+ UInt8($0 % 251) }) }

    /// Two devices, of which the first one has a note with a large value.
    private func scenario(_ key: String = "picture", devices: Int = 2) throws -> SyncScenario {
        let scenario = try SyncScenario(devices: devices)
        let value = bytes(1)
        try scenario.devices[0].save { $0.insertNote("one").setValue(value, forKey: key) }
        return scenario
    }

    private func values(_ device: SyncDevice, _ key: String = "picture") throws -> [Data] {
        try device.read { try $0.all("Note").compactMap { $0.value(forKey: key) as? Data } }
    }

    private func problems(of device: SyncDevice) throws -> [SyncObjectChange] {
        try device.replica.side.performAndWait {
            try device.replica.side.fetch(NSFetchRequest<SyncProblemRecord>(entityName: "Problem")).compactMap {
                SyncJSON.decode(SyncObjectChange.self, $0.value(forKey: "body") as? Data)
            }
        }
    }

    /// The bytes that the problems of a device have.
    private func problemBytes(of device: SyncDevice) throws -> [Data] {
        try device.replica.side.performAndWait {
            try device.replica.side.fetch(NSFetchRequest<SyncOutgoingBlob>(entityName: "OutgoingBlob"))
                .filter { $0.value(forKey: "problem") != nil }.map(\.bytes)
        }
    }

    @Test("travel apart from their objects, in parts, both ways")
    func bothWays() throws {
        let scenario = try scenario()
        var (parts, requests) = (0, 0)
        while let request = try scenario.devices[0].replica.pushRequest() {
            if case .push(let push) = request { expectTrue(push.body.count < 1000) }
            if case .upload(let upload) = request {
                parts += 1
                expectTrue(upload.bytes.count <= SyncScenario.partBytes)
            }
            let response = scenario.answer(request)
            try scenario.devices[0].replica.receive(response, to: request)
            if case .push = response { break }
        }
        expectEqual(parts, 4)
        while try values(scenario.devices[1]).isEmpty {
            let request = try scenario.devices[1].replica.pullRequest()
            if case .blob = request { requests += 1 }
            try scenario.devices[1].replica.receive(scenario.answer(request), to: request)
            expectTrue(try scenario.devices[1].count("Note") == values(scenario.devices[1]).count)
        }
        expectEqual(requests, 4)
        expectEqual(try values(scenario.devices[1]), [bytes(1)])
        try scenario.sync()
    }

    @Test("are sent once: what an account may have isn't asked for again")
    func once() throws {
        let scenario = try scenario()
        try scenario.sync()
        let value = bytes(1)
        try scenario.devices[1].save { $0.insertNote("two").setValue(value, forKey: "picture") }
        guard let request = try scenario.devices[1].replica.pushRequest(),
            case .push = scenario.answer(request)
        else {
            Issue.record("The server asks for the value again.")
            return
        }
        try scenario.sync()
        expectEqual(try values(scenario.devices[0]), [bytes(1), bytes(1)])
    }

    @Test("of the server's own program reach replicas")
    func serversProgram() throws {
        let scenario = try SyncScenario(devices: 1)
        let (context, value) = (scenario.serverContext, bytes(5))
        try context.performAndWait {
            context.insertNote("server").setValue(value, forKey: "picture")
            try context.save()
        }
        try scenario.sync()
        expectEqual(try values(scenario.devices[0]), [value])
    }

    // MARK: Later

    @Test("may come later: the object is there before, and its placeholder is never pushed")
    func later() throws {
        let scenario = try scenario("film")
        try scenario.push(scenario.devices[0])
        try scenario.pull(scenario.devices[1])
        expectEqual(try scenario.devices[1].count("Note"), 1)
        expectEqual(try values(scenario.devices[1], "film"), [])
        try scenario.devices[1].save { try $0.first("Note").setValue("new", forKey: "title") }
        try scenario.exchange()
        expectEqual(try values(scenario.devices[0], "film"), [bytes(1)])
        try scenario.pullLater(scenario.devices[1])
        expectEqual(try values(scenario.devices[1], "film"), [bytes(1)])
        expectEqual(try scenario.devices[0].values("Note", "title"), ["new"])
        expectTrue(try scenario.devices[1].replica.pushRequest() == nil)
    }

    @Test("may come later to an object that another process has changed since")
    func laterBehindOtherProcess() throws {
        let scenario = try scenario("film")
        let device = scenario.devices[1]
        try scenario.push(scenario.devices[0])
        try scenario.pull(device)
        // The coordinator keeps the row of an object that the app shows.
        let shown = try device.context.performAndWait {
            let note = try device.context.first("Note")
            _ = note.value(forKey: "title")
            return note
        }
        defer { withExtendedLifetime(shown) {} }
        let context = SimulatedStore.context(try device.appStore.otherCoordinator())
        try context.performAndWait {
            // A new version of the note's row, without a property that travels.
            try context.insert("Comment", "text", "new").setValue(context.first("Note"), forKey: "note")
            try context.save()
        }
        try scenario.pullLater(device)
        expectEqual(try values(device, "film"), [bytes(1)])
        try scenario.sync()
        expectEqual(try scenario.devices[0].values("Comment", "text"), ["new"])
    }

    @Test("that an object waits for give way to those of the program")
    func programWins() throws {
        let scenario = try scenario("film")
        try scenario.push(scenario.devices[0])
        try scenario.pull(scenario.devices[1])
        let own = bytes(9)
        try scenario.devices[1].save { try $0.first("Note").setValue(own, forKey: "film") }
        try scenario.pullLater(scenario.devices[1])
        try scenario.sync()
        try scenario.pullLater(scenario.devices[0])
        expectEqual(try values(scenario.devices[0], "film"), [own])
    }

    @Test("that an object waits for survive a lost history: they aren't taken for missing ones")
    func laterWithoutHistory() throws {
        let scenario = try scenario("film")
        try scenario.push(scenario.devices[0])
        let device = scenario.devices[1]
        try scenario.pull(device)
        try device.save { try $0.first("Note").setValue("new", forKey: "title") }
        try device.context.performAndWait {
            _ = try device.context.execute(
                NSPersistentHistoryChangeRequest.deleteHistory(
                    before: device.appStore.coordinator.currentPersistentHistoryToken(fromStores: nil)))
        }
        try scenario.exchange()
        expectEqual(try values(scenario.devices[0], "film"), [bytes(1)])
        try scenario.pullLater(device)
        expectEqual(try values(device, "film"), [bytes(1)])
    }

    @Test("that come later into a required attribute leave an empty value, also in an object that comes again")
    func requiredLater() throws {
        let model = SimulationModel.copy()
        model.entitiesByName["Note"]?.attributesByName["film"]?.isOptional = false
        let scenario = try SyncScenario(devices: 2, model: model, serverModel: model)
        let value = bytes(1)
        try scenario.devices[0].save { $0.insertNote("one").setValue(value, forKey: "film") }
        let device = scenario.devices[1]
        try scenario.push(scenario.devices[0])
        try scenario.pull(device)
        expectEqual(try values(device, "film"), [Data()])
        // The server can't save the deletion: the object comes again.
        try device.save { $0.delete(try $0.first("Note")) }
        scenario.beforeGroup = { group in if group.changes[0].kind == .delete { throw SimulatedCrash() } }
        for _ in 0..<8 { try? scenario.push(device) }
        scenario.beforeGroup = { _ in }
        try scenario.sync()
        expectEqual(try device.count("Note"), 1)
        try scenario.pullLater(device)
        try scenario.sync()
    }

    // MARK: Interruptions

    @Test("of an import that was interrupted give way to those that another process has saved since")
    func savedBehindImport() throws {
        let scenario = try scenario()
        try scenario.sync()
        let device = scenario.devices[1]
        let (second, third) = (bytes(2), bytes(3))
        try scenario.devices[0].save { context in
            try context.first("Note").setValue(second, forKey: "picture")
            context.insert("Folder", "name", "new")
        }
        try scenario.push(scenario.devices[0])
        device.crash = .afterImport
        while device.crash != nil {
            let request = try device.replica.pullRequest()
            let response = scenario.answer(request)
            do { try device.replica.receive(response, to: request) } catch is SimulatedCrash {}
        }
        try device.save { context in
            try context.first("Note").setValue(third, forKey: "picture")
            try context.first("Folder").setValue("renamed", forKey: "name")
        }
        try device.start()
        try device.replica.resume()
        try scenario.sync()
        expectEqual(try values(scenario.devices[0]), [third])
        expectEqual(try scenario.devices[0].values("Folder", "name"), ["renamed"])
    }

    @Test("that the app's store refuses are asked for once")
    func refusedByStore() throws {
        let model = SimulationModel.copy()
        model.entitiesByName["Note"]?.attributesByName["title"]?.setValidationPredicates(
            [NSPredicate(format: "SELF != 'bad'")], withValidationWarnings: ["It is bad."])
        let scenario = try SyncScenario(devices: 1)
        let device = try scenario.addDevice(model)
        let value = bytes(1)
        try scenario.devices[0].save { $0.insertNote("bad").setValue(value, forKey: "picture") }
        try scenario.push(scenario.devices[0])
        var parts = 0
        for _ in 0..<30 {
            let request = try device.replica.pullRequest()
            if case .blob = request { parts += 1 }
            try device.replica.receive(scenario.answer(request), to: request)
        }
        expectEqual(parts, 4)
        expectEqual(try device.count("Note"), 0)
    }

    @Test("that the server tells and hasn't got stop no others")
    func lostByServer() throws {
        let scenario = try scenario()
        try scenario.push(scenario.devices[0])
        try scenario.devices[0].save { $0.insertNote("two") }
        try scenario.push(scenario.devices[0])
        try scenario.pull(scenario.devices[0])
        try scenario.push(scenario.devices[0])
        let device = scenario.devices[1]
        for _ in 0..<12 {
            let request = try device.replica.pullRequest()
            if case .blob = request {
                let failure = SyncFailure(.missingBlob, "")
                try device.replica.receive(.failure(failure), to: request)
            } else {
                try device.replica.receive(scenario.answer(request), to: request)
            }
        }
        expectEqual(try device.values("Note", "title"), ["one", "two"])
        try scenario.sync()
        expectEqual(try values(device), [bytes(1)])
    }

    @Test("that a hook prefers to those of a replica are no new ones")
    func hook() throws {
        let model = SimulationModel.copy()
        model.entitiesByName["Note"]?.attributesByName["picture"]?.userInfo = ["syncPolicy": "hook"]
        let scenario = try SyncScenario(devices: 2, model: model, serverModel: model)
        let (one, two, three) = (bytes(1), bytes(2), bytes(3))
        let seen = LockedValue<[SyncValue]>([])
        scenario.hook = { conflict in
            seen.withLock { $0 += [conflict.serverValue, conflict.replicaValue] }
            return .value(conflict.serverValue)
        }
        try scenario.devices[0].save { $0.insertNote("one").setValue(one, forKey: "picture") }
        try scenario.sync()
        try scenario.devices[0].save { try $0.first("Note").setValue(two, forKey: "picture") }
        try scenario.devices[1].save { try $0.first("Note").setValue(three, forKey: "picture") }
        try scenario.sync()
        expectEqual(seen.withLock { $0 }, [.data(two), .data(three)])
        expectEqual(try values(scenario.devices[1]), [two])
    }

    @Test(
        "go on behind the parts that have arrived, after an end of the process",
        arguments: [SyncStep.beforeStage, .afterStage, .afterIdentify, .afterImport])
    func interrupted(step: SyncStep) throws {
        let scenario = try scenario()
        try scenario.push(scenario.devices[0])
        let device = scenario.devices[1]
        for _ in 0..<3 {
            let request = try device.replica.pullRequest()
            try device.replica.receive(scenario.answer(request), to: request)
        }
        device.crash = step
        for _ in 0..<20 where try values(device).isEmpty {
            do {
                let request = try device.replica.pullRequest()
                try device.replica.receive(scenario.answer(request), to: request)
            } catch is SimulatedCrash {
                try device.start()
                try device.replica.resume()
            }
        }
        try scenario.sync()
        expectEqual(try values(device), [bytes(1)])
    }

    @Test("that change while they are on their way come as they are then")
    func changedMeanwhile() throws {
        let scenario = try scenario()
        try scenario.push(scenario.devices[0])
        let device = scenario.devices[1]
        for _ in 0..<3 {
            let request = try device.replica.pullRequest()
            try device.replica.receive(scenario.answer(request), to: request)
        }
        let value = bytes(7)
        try scenario.devices[0].save { try $0.first("Note").setValue(value, forKey: "picture") }
        try scenario.sync()
        expectEqual(try values(device), [value])
    }

    @Test("that were uploaded and forgotten are asked for again")
    func lease() throws {
        let scenario = try scenario()
        let replica = scenario.devices[0].replica
        var asked = 0
        while let request = try replica.pushRequest() {
            let response = scenario.answer(request)
            try replica.receive(response, to: request)
            if case .needsBlobs = response { asked += 1 }
            if case .upload(let received) = response, received == 1500, asked == 1 {
                try scenario.service.forgetUploads(before: scenario.now + 1)
            }
            if case .push = response { break }
        }
        expectEqual(asked, 2)
        try scenario.sync()
        expectEqual(try values(scenario.devices[1]), [bytes(1)])
    }

    @Test("of pushes that came to their end are no longer among the uploads")
    func usedUploads() throws {
        let scenario = try scenario()
        try scenario.sync()
        let request = SyncUploadRequest(account: "one", blob: SyncBlob(of: bytes(1)), offset: 0, bytes: Data())
        expectEqual(scenario.answer(.upload(request)), .upload(received: 0))
    }

    @Test("of changes that the server refuses are among the problems, with their bytes")
    func refused() throws {
        let scenario = try scenario()
        try scenario.sync()
        let value = bytes(3)
        try scenario.devices[0].save { try $0.first("Note").setValue(5, forKey: "refuse") }
        try scenario.devices[1].save {
            let note = try $0.first("Note")
            note.setValue(6, forKey: "refuse")
            note.setValue(value, forKey: "picture")
        }
        try scenario.sync()
        let changes = try problems(of: scenario.devices[1])
        expectEqual(changes.compactMap { $0.properties["picture"]?.change }, [.value(.blob(SyncBlob(of: value)))])
        expectEqual(try problemBytes(of: scenario.devices[1]), [value])
        expectEqual(try values(scenario.devices[1]), [bytes(1)])
    }

    @Test("of changes that come too late are among the problems, with their bytes")
    func problems() throws {
        let scenario = try scenario()
        try scenario.sync()
        let value = bytes(3)
        try scenario.devices[1].save { try $0.first("Note").setValue(value, forKey: "picture") }
        try scenario.devices[0].save { $0.delete(try $0.first("Note")) }
        try scenario.push(scenario.devices[0])
        try scenario.pull(scenario.devices[1])
        let changes = try problems(of: scenario.devices[1])
        expectEqual(changes.compactMap { $0.properties["picture"]?.change }, [.value(.blob(SyncBlob(of: value)))])
        expectEqual(try problemBytes(of: scenario.devices[1]), [value])
    }
}

@Suite("Large values that aren't what they seem")
struct HostileBlobTests {
    private let value = Data((0..<1500).map { UInt8($0 % 251) })
    private var blob: SyncBlob { SyncBlob(of: value) }

    private func upload(_ scenario: SyncScenario, _ blob: SyncBlob, _ offset: Int64, _ bytes: Data) -> SyncResponse {
        scenario.answer(.upload(SyncUploadRequest(account: "one", blob: blob, offset: offset, bytes: bytes)))
    }

    private func reason(_ response: SyncResponse) -> SyncFailure.Reason? {
        if case .failure(let failure) = response { failure.reason } else { nil }
    }

    @Test("An account gets nothing for a digest: neither the bytes nor the news that others have them")
    func otherAccounts() throws {
        let model = ScopedModel.make()
        let photo = NSAttributeDescription()
        photo.name = "photo"
        photo.attributeType = .binaryDataAttributeType
        photo.isOptional = true
        model.entitiesByName["Team"]?.properties.append(photo)
        let scenario = try SyncScenario(devices: 2, model: model, serverModel: model, scopes: ScopedModel.scopes)
        for (device, name) in zip(scenario.devices, ["ada", "grace"]) {
            device.account = SyncAccount(name, constants: ["SHARED": []])
        }
        let value = value
        func makeTeam(_ device: SyncDevice, _ name: String) throws {
            try device.save { context in
                let team = context.insert("Team", "name", name)
                team.setValue(value, forKey: "photo")
                context.insert("Member", "user", name).setValue(team, forKey: "team")
            }
        }
        try makeTeam(scenario.devices[0], "ada")
        try scenario.push(scenario.devices[0])
        try scenario.pull(scenario.devices[0])
        let team = try #require(
            scenario.service.contents().first { $0.value["photo"] == .blob(SyncBlob(of: value)) }?.key)
        let request = SyncBlobRequest(account: "grace", object: team, property: "photo", blob: blob, offset: 0)
        expectEqual(reason(scenario.answer(.blob(request), scenario.devices[1])), .missingBlob)
        // Grace has the same bytes, and has to send them.
        try makeTeam(scenario.devices[1], "grace")
        let push = try #require(try scenario.devices[1].replica.pushRequest())
        guard case .needsBlobs(_, let blobs) = scenario.answer(push, scenario.devices[1]) else {
            Issue.record("The server doesn't ask for the bytes.")
            return
        }
        expectEqual(blobs, [blob])
        let own = SyncBlobRequest(account: "ada", object: team, property: "photo", blob: blob, offset: 0)
        expectTrue(reason(scenario.answer(.blob(own), scenario.devices[0])) == nil)
    }

    @Test("Bytes that haven't the digest are refused, and nothing of them stays")
    func wrongDigest() throws {
        let scenario = try SyncScenario(devices: 0)
        var wrong = value
        wrong[700] ^= 1
        expectEqual(upload(scenario, blob, 0, Data(wrong.prefix(900))), .upload(received: 900))
        expectEqual(reason(upload(scenario, blob, 900, Data(wrong.dropFirst(900)))), .badRequest)
        expectEqual(upload(scenario, blob, 0, Data()), .upload(received: 0))
    }

    @Test("More bytes than the size says are refused")
    func wrongSize() throws {
        let scenario = try SyncScenario(devices: 0)
        let small = SyncBlob(digest: blob.digest, size: 1200)
        expectEqual(reason(upload(scenario, small, 0, value)), .badRequest)
        expectEqual(reason(upload(scenario, small, 0, Data(value.prefix(1200)))), .badRequest)
    }

    @Test(
        "A part at another place changes nothing: the answer says how many bytes are there",
        arguments: [0, 1, 899, 1499, 5000])
    func otherPlace(offset: Int64) throws {
        let scenario = try SyncScenario(devices: 0)
        expectEqual(upload(scenario, blob, 0, Data(value.prefix(900))), .upload(received: 900))
        expectEqual(upload(scenario, blob, offset, Data(value.suffix(600))), .upload(received: 900))
        expectEqual(upload(scenario, blob, 900, Data(value.suffix(600))), .upload(received: 1500))
    }

    @Test(
        "A name that is none is refused",
        arguments: [
            SyncBlob(digest: Data(), size: 1500), SyncBlob(digest: Data(repeating: 1, count: 31), size: 1500),
            SyncBlob(digest: Data(repeating: 1, count: 32), size: 0),
            SyncBlob(digest: Data(repeating: 1, count: 32), size: -1),
            SyncBlob(digest: Data(repeating: 1, count: 32), size: .min),
        ])
    func noName(blob: SyncBlob) throws {
        let scenario = try SyncScenario(devices: 0)
        expectEqual(reason(upload(scenario, blob, 0, value)), .badRequest)
    }

    @Test("A place outside of the value is refused", arguments: [Int64.min, -1, 1501, Int64.max])
    func outside(offset: Int64) throws {
        let scenario = try SyncScenario(devices: 1)
        let value = value
        try scenario.devices[0].save { $0.insertNote("one").setValue(value, forKey: "picture") }
        try scenario.sync()
        let note = try #require(scenario.service.contents().keys.first)
        let request = SyncBlobRequest(account: "one", object: note, property: "picture", blob: blob, offset: offset)
        expectEqual(reason(scenario.answer(.blob(request))), .badRequest)
        for property in ["title", "nothing", ""] {
            let other = SyncBlobRequest(account: "one", object: note, property: property, blob: blob, offset: 0)
            expectEqual(reason(scenario.answer(.blob(other))), .missingBlob)
        }
    }

    @Test("A value that the server finds too large stays on the replica until the server takes more")
    func tooLarge() throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.startServer(blobBytes: 1400)
        let value = value
        try scenario.devices[0].save { $0.insertNote("one").setValue(value, forKey: "picture") }
        let failure = #expect(throws: SyncFailure.self) { try scenario.push(scenario.devices[0]) }
        expectEqual(failure?.reason, .tooLarge)
        try scenario.startServer()
        try scenario.sync()
        expectEqual(try scenario.devices[1].count("Note"), 1)
    }

    @Test("Values that have begun count whole against the limit of an account")
    func begunUploads() throws {
        let scenario = try SyncScenario(devices: 0)
        try scenario.startServer(uploadBytes: 4000)
        for number in 0..<3 {
            let other = SyncBlob(digest: Data(repeating: UInt8(number), count: 32), size: 1500)
            let response = upload(scenario, other, 0, Data(value.prefix(100)))
            if number < 2 {
                expectEqual(response, .upload(received: 100))
            } else {
                expectEqual(reason(response), .tooLarge)
            }
        }
    }

    @Test("A part of a few bytes is refused, apart from the last one")
    func smallPart() throws {
        let scenario = try SyncScenario(devices: 0)
        expectEqual(reason(upload(scenario, blob, 0, Data(value.prefix(99)))), .badRequest)
        expectEqual(upload(scenario, blob, 0, Data(value.prefix(1499))), .upload(received: 1499))
        expectEqual(upload(scenario, blob, 1499, Data(value.suffix(1))), .upload(received: 1500))
    }

    @Test("A large value of a property of another kind is refused")
    func otherKind() throws {
        let scenario = try SyncScenario(devices: 0)
        expectEqual(upload(scenario, blob, 0, value), .upload(received: 1500))
        let change = SyncObjectChange(
            object: UUID(), entity: "Folder", kind: .insert, life: 0, time: 0,
            properties: ["name": SyncPropertyChange(base: 0, change: .value(.blob(blob)))])
        let push = SyncPush(replica: UUID(), number: 1, groups: [SyncGroup(changes: [change])])
        let request = SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil)
        guard case .push(_, let answer) = scenario.answer(.push(request)),
            case .refused(let refusal)? = answer.results.first
        else {
            Issue.record("The server takes the value.")
            return
        }
        expectEqual(refusal.reason, .unknown)
    }
}
