import CoreData
import CoreDataSyncWire
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import sync_simulator

@Suite("Sync after a fault")
struct SyncFaultTests {
    @Test(
        "sends what was edited after an answer was lost, at whatever step the process ends",
        arguments: SyncStep.allCases)
    func lostAnswer(step: SyncStep) throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one").setValue(5, forKey: "sum") }
        // The server saves the push, and the answer is lost.
        let request = try requireValue(try device.replica.pushRequest())
        _ = scenario.answer(request)
        try device.save {
            let note = try $0.first("Note")
            note.setValue("two", forKey: "title")
            note.setValue(7, forKey: "sum")
        }
        device.crash = step
        do {
            try scenario.push(device)
            try scenario.pull(device)
            try scenario.push(device)
            try scenario.pull(device)
        } catch is SimulatedCrash {}
        try device.start()
        try device.replica.resume()
        try scenario.sync()
        expectEqual(try scenario.devices[1].values("Note", "title"), ["two"])
        expectEqual(try scenario.devices[1].values("Note", "sum"), ["7"])
    }

    @Test("shows no half of a save, whatever the size of a page is", arguments: [1, 2, 3, 5, 7])
    func wholeGroups(size: Int) throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.startServer(pageObjects: size)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { context in
            for number in 0..<6 { context.insertNote("\(number)").setValue(0, forKey: "pair") }
        }
        try scenario.push(first)
        for round in 1...6 {
            // A page of the second one between two pushes of the first one.
            try first.save { for note in try $0.all("Note") { note.setValue(round, forKey: "pair") } }
            let request = try second.replica.pullRequest()
            try second.replica.receive(scenario.answer(request), to: request)
            expectTrue(Set(try second.values("Note", "pair")).count <= 1)
            try scenario.push(first)
            try scenario.pull(first)
        }
        try scenario.sync()
        expectEqual(try second.values("Note", "pair"), Array(repeating: "6", count: 6))
    }

    @Test("offers again what a restored server has lost, and what it has overtaken is decided anew")
    func restoredServer() throws {
        let scenario = try SyncScenario(devices: 3)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { $0.insertNote("one") }
        try scenario.sync()
        try scenario.backUpServer()
        try first.save {
            try $0.first("Note").setValue("two", forKey: "title")
            $0.insertNote("lost")
        }
        try scenario.sync()
        try scenario.restoreServer()
        // Another device comes first, and the server gives the position again.
        try second.save { $0.insertNote("new") }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), ["lost", "new", "two"]) }
        expectContains(first.events, .serverRestored)
    }

    @Test("compares all objects when the server's operator says that the store was changed by other means")
    func newEpoch() throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.devices[0].save { $0.insertNote("one") }
        try scenario.sync()
        try scenario.service.beginEpoch()
        try scenario.devices[1].save { try $0.first("Note").setValue("two", forKey: "title") }
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Note", "title"), ["two"])
            expectContains(device.events, .serverRestored)
        }
    }

    @Test("forgets a push when a backup of the server has it")
    func keptPushes() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        expectEqual(try device.keptPushes(), 1)
        try scenario.service.noteBackup(of: scenario.service.newestPosition)
        try scenario.sync()
        expectEqual(try device.keptPushes(), 0)
        try device.save { $0.insertNote("two") }
        try scenario.sync()
        expectEqual(try device.keptPushes(), 1)
        scenario.now += 8 * 24 * 60 * 60
        try scenario.sync()
        expectEqual(try device.keptPushes(), 0)
    }

    @Test("gives a restored device another name, and loses nothing that it saves afterwards")
    func restoredDevice() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        try device.backUp()
        try device.save { $0.insertNote("two") }
        try scenario.sync()
        let name = try device.replica.name
        try device.restore()
        try device.replica.resume()
        try device.save { $0.insertNote("three") }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), ["one", "three", "two"]) }
        expectFalse(try device.replica.name == name)
    }

    @Test("lets two devices with copies of one store go on, each by itself")
    func copiedDevice() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        let copy = try scenario.addDevice(copyOf: device)
        try copy.save { $0.insertNote("of the copy") }
        try device.save { $0.insertNote("of the first") }
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Note", "title"), ["of the copy", "of the first", "one"])
        }
        expectContains(device.events + copy.events, .copied)
    }

    @Test(
        "stops if only one of the two stores was restored, until the program says what to do", arguments: [true, false])
    func restoredHalf(isApp: Bool) throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        try device.backUp()
        try scenario.devices[1].save { $0.insert("Folder", "name", "from the other one") }
        try device.save { $0.insertNote("two") }
        try scenario.sync()
        try device.restore(app: isApp, side: !isApp)
        #expect(throws: SyncReplicaError.storesDiffer) { try device.replica.resume() }
        try device.replica.begin(.replaceLocal)
        try scenario.sync()
        expectEqual(try device.values("Note", "title"), ["one", "two"])
        expectEqual(try device.values("Folder", "name"), ["from the other one"])
    }

    @Test("stops if only the app's store was restored, to the moment before an import")
    func restoredBeforeImport() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        try scenario.sync()
        try device.backUp()
        try scenario.devices[1].save { $0.insertNote("two") }
        try scenario.push(scenario.devices[1])
        try scenario.pull(device)
        expectEqual(try device.values("Note", "title"), ["one", "two"])
        try device.restore(side: false)
        expectEqual(try device.values("Note", "title"), ["one"])
        #expect(throws: SyncReplicaError.storesDiffer) { try device.replica.resume() }
    }

    @Test("leaves a second object with the identifying value of another one at home, and says so")
    func sameIdentity() throws {
        let scenario = try SyncScenario(devices: 2)
        let (device, other) = (scenario.devices[0], scenario.devices[1])
        let id = UUID()
        try device.save { $0.insertNote("one", id: id) }
        try scenario.sync()
        try device.save { $0.insertNote("second", id: id) }
        try device.save { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String == "one" {
                note.setValue("first", forKey: "title")
            }
        }
        try device.replica.resume()
        try scenario.push(device)
        try scenario.pull(other)
        expectEqual(try other.values("Note", "title"), ["first"])
        expectEqual(try device.values("Note", "title"), ["first", "second"])
        expectTrue(device.events.contains { if case .sameIdentity = $0 { true } else { false } })

        // Without the first one, the second one is the object.
        try device.save { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String == "first" {
                context.delete(note)
            }
        }
        try device.save { try $0.first("Note").setValue("only", forKey: "title") }
        try scenario.sync()
        expectEqual(try other.values("Note", "title"), ["only"])
    }

    @Test("compares the store with the server after forty days away")
    func longAway() throws {
        let scenario = try SyncScenario(devices: 2)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        let again = UUID()
        try first.save {
            $0.insertNote("stays")
            $0.insertNote("is deleted")
            $0.insertNote("is made again", id: again)
        }
        try scenario.sync()
        try second.save { context in
            for note in try context.all("Note") { note.setValue(1, forKey: "server") }
            context.insertNote("made while away")
        }
        // One save that changes objects, some of which are gone, is one group: the rest of it is saved.
        try first.save { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String != "stays" {
                context.delete(note)
            }
        }
        try first.save { $0.insertNote("is another one", id: again) }
        try scenario.push(first)
        try scenario.pull(first)
        scenario.now += 40 * 24 * 60 * 60
        try scenario.service.forgetDeadObjects(before: scenario.now - 30 * 24 * 60 * 60)
        try scenario.sync()
        for device in scenario.devices {
            expectEqual(try device.values("Note", "title"), ["is another one", "made while away", "stays"])
        }
        expectTrue(try second.replica.masks().problems.count >= 1)
    }

    @Test("gives up an object in an unanswered push whose owner was deleted")
    func deletedOwner() throws {
        let scenario = try SyncScenario(devices: 2)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try first.save { $0.insertNote("note") }
        try scenario.sync()
        try second.save { $0.insert("Comment", "text", "new").setValue(try $0.first("Note"), forKey: "note") }
        // The server saves the push, and the answer is lost. Deleting the note deletes its comments.
        _ = scenario.answer(try requireValue(try second.replica.pushRequest()))
        try scenario.pull(first)
        try first.save { $0.delete(try $0.first("Note")) }
        try scenario.push(first)
        try scenario.pull(second)
        expectEqual(try second.count("Comment"), 0)
        try scenario.sync()
        expectEqual(try second.replica.masks().problems.count, 1)
    }

    @Test("begins its first pages again if the server has forgotten a deletion since")
    func forgottenBetweenPages() throws {
        let scenario = try SyncScenario(devices: 2)
        try scenario.startServer(pageObjects: 1)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        for number in 0..<3 { try first.save { $0.insertNote("\(number)") } }
        try scenario.push(first)
        try scenario.pull(first)
        func takePage() throws {
            let request = try second.replica.pullRequest()
            try second.replica.receive(scenario.answer(request), to: request)
        }
        // A page has the note 0, the next one was asked for after its deletion, and the deletion is forgotten then.
        try takePage()
        try first.save { context in
            for note in try context.all("Note") where note.value(forKey: "title") as? String == "0" {
                context.delete(note)
            }
        }
        try scenario.push(first)
        try takePage()
        scenario.now += 40 * 24 * 60 * 60
        try scenario.service.forgetDeadObjects(before: scenario.now)
        try scenario.pull(second)
        expectEqual(try second.values("Note", "title"), ["1", "2"])
    }

    @Test("refuses a group at which the server always fails, and saves the others")
    func poison() throws {
        let scenario = try SyncScenario(devices: 2)
        scenario.beforeGroup = { group in
            if group.changes.contains(where: { $0.properties["rank"]?.change == .value(.integer(13)) }) {
                throw SimulationFailure("A hook of the server fails.")
            }
        }
        let device = scenario.devices[0]
        try device.save { $0.insertNote("good") }
        try device.save { $0.insertNote("bad").setValue(13, forKey: "rank") }
        try device.save { $0.insertNote("good, too") }
        try scenario.sync()
        for device in scenario.devices { expectEqual(try device.values("Note", "title"), ["good", "good, too"]) }
        expectEqual(try device.replica.masks().problems.count, 1)
        expectFalse(scenario.errors.isEmpty)
    }

    @Test("divides what is to be sent into pushes of a few bytes, apart from one save")
    func fewBytes() throws {
        let scenario = try SyncScenario(devices: 2)
        let device = scenario.devices[0]
        device.pushBytes = 2000
        try device.start()
        for number in 0..<40 { try device.save { $0.insertNote("\(number)") } }
        try device.save { context in for number in 40..<80 { context.insertNote("\(number)") } }
        var sizes: [Int] = []
        while case .push(let push)? = try device.replica.pushRequest() {
            sizes.append(push.body.count)
            try scenario.push(device)
            try scenario.pull(device)
        }
        expectTrue(sizes.count > 4)
        expectTrue(sizes.dropLast().allSatisfy { $0 <= 2000 }, "\(sizes)")
        try scenario.sync()
        expectEqual(try scenario.devices[1].count("Note"), 80)
    }

    @Test("keeps a save that is larger than the server takes until the server takes more")
    func tooLarge() throws {
        let scenario = try SyncScenario(devices: 2)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        try scenario.startServer(pushBytes: 1000)
        try first.save { context in for number in 0..<20 { context.insertNote("\(number)") } }
        let failure = #expect(throws: SyncFailure.self) { try scenario.push(first) }
        expectEqual(failure?.reason, .tooLarge)
        // Changes of others arrive meanwhile.
        try second.save { $0.insertNote("other") }
        try scenario.push(second)
        try scenario.pull(first)
        expectEqual(try first.count("Note"), 21)
        try scenario.startServer()
        try scenario.sync()
        expectEqual(try second.count("Note"), 21)
    }

    @Test("refuses another push with a number that was used")
    func forked() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        try device.save { $0.insertNote("one") }
        guard case .push(var request)? = try device.replica.pushRequest() else {
            Issue.record("There is no push.")
            return
        }
        _ = scenario.answer(.push(request))
        var push = try JSONDecoder().decode(SyncPush.self, from: request.body)
        push.groups = []
        request.body = try JSONEncoder().encode(push)
        guard case .failure(let failure) = scenario.answer(.push(request)) else {
            Issue.record("The server takes the number again.")
            return
        }
        expectEqual(failure.reason, .replicaForked)
    }

    @Test("stops at another account")
    func account() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        for account in ["one", "two"] {
            let request = try device.replica.sessionRequest()
            let response = scenario.service.answer(request, account: account)
            if account == "one" {
                try device.replica.receive(response, to: request)
            } else {
                #expect(throws: SyncReplicaError.accountChanged) { try device.replica.receive(response, to: request) }
            }
        }
    }

    @Test("sends nothing and takes nothing with the token of another account, and goes on with its own")
    func otherToken() throws {
        let scenario = try SyncScenario(devices: 2)
        let (first, second) = (scenario.devices[0], scenario.devices[1])
        let session = try first.replica.sessionRequest()
        try first.replica.receive(scenario.answer(session), to: session)
        try first.save { $0.insertNote("first") }
        try second.save { $0.insertNote("second") }
        try scenario.push(second)
        for request in [try requireValue(try first.replica.pushRequest()), try first.replica.pullRequest()] {
            let response = scenario.service.answer(request, account: "two")
            #expect(throws: SyncReplicaError.accountChanged) { try first.replica.receive(response, to: request) }
        }
        expectEqual(try scenario.service.contents().count, 1)
        expectEqual(try first.count("Note"), 1)
        try scenario.sync()
        expectEqual(try first.count("Note"), 2)
    }
}

extension SyncDevice {
    /// The number of the pushes that have ended and could be offered again.
    fileprivate func keptPushes() throws -> Int {
        let context = SimulatedStore.context(sideStore.coordinator)
        return try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "OutgoingPush"))
        }
    }
}
