import CoreData
import CoreDataSyncWire
import Foundation
import TestExpectations
import TestSupport
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import sync_simulator

@Suite("Scopes")
struct SyncScopeTests {
    /// Devices of Ada, Grace and Ada again.
    private func makeScenario(authorize: SyncWrite.Authorization? = nil) throws -> SyncScenario {
        let model = ScopedModel.make()
        let scenario = try SyncScenario(
            devices: 3, model: model, serverModel: model, scopes: ScopedModel.scopes, authorize: authorize)
        for (device, name) in zip(scenario.devices, ["ada", "grace", "ada"]) {
            device.account = SyncAccount(name, constants: ["SHARED": []])
        }
        return scenario
    }

    /// A team of Ada with two projects.
    private func makeTeam(_ device: SyncDevice, name: String = "Engines", user: String = "ada") throws {
        try device.save { context in
            let team = context.insert("Team", "name", name)
            context.insert("Member", "user", user).setValue(team, forKey: "team")
            for name in ["Mill", "Store"] {
                let project = context.insert("Project", "name", name)
                project.setValue(team, forKey: "team")
                for number in 1...2 {
                    context.insert("Task", "name", "\(name) \(number)").setValue(project, forKey: "project")
                }
            }
        }
    }

    /// Makes Grace a member of the first team.
    private func addGrace(_ device: SyncDevice) throws {
        try device.save { context in
            context.insert("Member", "user", "grace").setValue(try context.first("Team"), forKey: "team")
        }
    }

    /// Deletes the memberships of Grace.
    private func removeGrace(_ device: SyncDevice) throws {
        try device.save { context in
            for member in try context.all("Member") where member.value(forKey: "user") as? String == "grace" {
                context.delete(member)
            }
        }
    }

    /// The answer to a change that a program sends with the token of a device, past its replica.
    private func answer(
        to change: SyncObjectChange, of device: SyncDevice, in scenario: SyncScenario
    ) throws -> SyncPushAnswer? {
        let push = SyncPush(replica: UUID(), number: 1, groups: [SyncGroup(changes: [change])])
        let request = SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil)
        guard case .push(_, let answer) = scenario.answer(.push(request), device) else { return nil }
        return answer
    }

    private let tasks = ["Mill 1", "Mill 2", "Store 1", "Store 2"]

    /// The users whom the server tells of what a body saves.
    private func listeners(_ scenario: SyncScenario, _ body: () throws -> Void) throws -> [String] {
        try scenario.exchange()
        let position = try scenario.service.newestPosition
        try body()
        try scenario.exchange()
        let nodes = try requireValue(try scenario.service.newsNodes(after: position))
        return try scenario.devices.prefix(2).filter { device in
            !(try requireValue(scenario.service.newsNodes(of: device.account))).isDisjoint(with: nodes)
        }.map(\.account.name)
    }

    @Test("News are for the accounts whose objects a save changes, and for no others")
    func news() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        expectEqual(try listeners(scenario) { try makeTeam(ada) }, ["ada"])
        expectEqual(
            try listeners(scenario) {
                try ada.save { try $0.first("Task").setValue("changed", forKey: "name") }
            }, ["ada"])
        expectEqual(
            try listeners(scenario) {
                try grace.save { $0.insert("Note", "title", "hers").setValue("grace", forKey: "owner") }
            }, ["grace"])
        expectEqual(try listeners(scenario) { try addGrace(ada) }, ["ada", "grace"])
        expectEqual(
            try listeners(scenario) { try ada.save { context in context.delete(try context.first("Task")) } },
            ["ada", "grace"])
        expectEqual(try listeners(scenario) { try removeGrace(ada) }, ["ada", "grace"])
        expectEqual(
            try listeners(scenario) {
                try ada.save { try $0.first("Project").setValue("changed", forKey: "name") }
            }, ["ada"])
    }

    @Test("News are for all accounts on a server without scopes, and after more changes than the server looks at")
    func newsForAll() throws {
        let plain = try SyncScenario(devices: 1)
        #expect(plain.service.newsNodes(of: SyncAccount("ada")) == nil)
        #expect(try plain.service.newsNodes(after: 0) == nil)
        let scenario = try makeScenario()
        let position = try scenario.service.newestPosition
        try scenario.devices[0].save { context in
            for number in 0..<2000 { context.insert("Note", "title", "\(number)").setValue("ada", forKey: "owner") }
        }
        try scenario.push(scenario.devices[0])
        #expect(try scenario.service.newsNodes(after: position) == nil)
    }

    @Test("A replica gets the objects of its templates and those that they lead to, and no others")
    func parts() throws {
        let scenario = try makeScenario()
        let (ada, grace, second) = (scenario.devices[0], scenario.devices[1], scenario.devices[2])
        try makeTeam(ada)
        try ada.save { $0.insert("Note", "title", "mine").setValue("ada", forKey: "owner") }
        try grace.save { $0.insert("Note", "title", "hers").setValue("grace", forKey: "owner") }
        try scenario.exchange()
        expectEqual(try second.values("Task", "name"), tasks)
        expectEqual(try second.values("Note", "title"), ["mine"])
        expectEqual(try second.values("Member", "user"), ["ada"])
        expectEqual(try grace.values("Note", "title"), ["hers"])
        for entity in ["Team", "Member", "Project", "Task"] { expectEqual(try grace.count(entity), 0) }
    }

    @Test("A member row lets a user into a project whose tasks didn't change, and its end takes them away")
    func membership() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try scenario.exchange()
        try addGrace(ada)
        try scenario.exchange()
        expectEqual(try grace.values("Task", "name"), tasks)
        expectEqual(try grace.values("Member", "user"), ["ada", "grace"])
        try removeGrace(ada)
        try scenario.exchange()
        for entity in ["Team", "Member", "Project", "Task"] { expectEqual(try grace.count(entity), 0) }
        expectEqual(try ada.values("Task", "name"), tasks)
    }

    @Test("An object that moves between teams leaves one replica and comes to another one")
    func move() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try makeTeam(grace, name: "Languages", user: "grace")
        try scenario.exchange()
        let context = scenario.serverContext
        try context.performAndWait {
            let project = try context.all("Project").first {
                $0.value(forKeyPath: "team.name") as? String == "Engines"
                    && $0.value(forKey: "name") as? String == "Mill"
            }
            let team = try context.all("Team").first { $0.value(forKey: "name") as? String == "Languages" }
            project?.setValue(team, forKey: "team")
            try context.save()
        }
        try scenario.exchange()
        expectEqual(try ada.values("Task", "name"), ["Store 1", "Store 2"])
        expectEqual(try grace.values("Task", "name"), (tasks + ["Mill 1", "Mill 2"]).sorted())
    }

    @Test("A task that left a project, which left the scope later, is taken away")
    func twoMoves() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try makeTeam(grace, name: "Languages", user: "grace")
        try addGrace(ada)
        try scenario.exchange()
        expectEqual(try grace.count("Task"), 8)
        // Grace doesn't look until all is done.
        func server(_ change: @Sendable (NSManagedObjectContext) throws -> Void) throws {
            let context = scenario.serverContext
            try context.performAndWait {
                try change(context)
                try context.save()
            }
            try scenario.pull(ada)
        }
        try server { context in
            let member = try context.all("Member").first {
                $0.value(forKeyPath: "team.name") as? String == "Engines"
                    && $0.value(forKey: "user") as? String == "grace"
            }
            if let member { context.delete(member) }
        }
        try server { context in
            let task = try context.all("Task").first {
                $0.value(forKeyPath: "project.team.name") as? String == "Engines"
                    && $0.value(forKey: "name") as? String == "Mill 1"
            }
            let project = try context.all("Project").first {
                $0.value(forKeyPath: "team.name") as? String == "Engines"
                    && $0.value(forKey: "name") as? String == "Store"
            }
            task?.setValue(project, forKey: "project")
        }
        try scenario.exchange()
        expectEqual(try grace.values("Task", "name"), tasks)
        expectEqual(try grace.values("Team", "name"), ["Languages"])
    }

    @Test("A reference to an object outside the scope is empty, until the object comes in")
    func references() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try scenario.exchange()
        let context = scenario.serverContext
        try context.performAndWait {
            let note = context.insert("Note", "title", "on a task")
            note.setValue("grace", forKey: "owner")
            let task = try context.all("Task").first { $0.value(forKey: "name") as? String == "Mill 1" }
            note.setValue(task, forKey: "task")
            try context.save()
        }
        try scenario.exchange()
        func task() throws -> String? {
            try grace.read { try $0.first("Note").value(forKeyPath: "task.name") as? String }
        }
        expectEqual(try task(), nil)
        try addGrace(ada)
        try scenario.exchange()
        expectEqual(try task(), "Mill 1")
    }

    @Test("A replica's own change may take an object out of its scope: the change is saved, and nothing is lost")
    func ownChange() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try ada.save { $0.insert("Note", "title", "mine").setValue("ada", forKey: "owner") }
        try scenario.exchange()
        try ada.save { try $0.first("Note").setValue("grace", forKey: "owner") }
        try scenario.exchange()
        expectEqual(try ada.count("Note"), 0)
        expectEqual(try grace.values("Note", "title"), ["mine"])
        expectEmpty(try ada.replica.masks().problems)
    }

    @Test("A new object outside the scope is refused, and kept as a problem")
    func refusedInsertion() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try ada.save { $0.insert("Note", "title", "for her").setValue("grace", forKey: "owner") }
        try scenario.exchange()
        expectEqual(try ada.count("Note"), 0)
        expectEqual(try grace.count("Note"), 0)
        expectEqual(try ada.replica.masks().problems.count, 1)
    }

    @Test("The server's program refuses changes")
    func authorization() throws {
        let scenario = try makeScenario { write in
            write.kind != .delete || write.account.name == "ada"
        }
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try addGrace(ada)
        try scenario.exchange()
        try grace.save { $0.delete(try $0.first("Task")) }
        try scenario.exchange()
        expectEqual(try grace.values("Task", "name"), tasks)
        try ada.save { $0.delete(try $0.first("Task")) }
        try scenario.exchange()
        expectEqual(try grace.values("Task", "name"), Array(tasks.dropFirst()))
    }

    @Test("What a replica may not have doesn't exist for it")
    func hiddenObjects() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try scenario.exchange()
        let task = try requireValue(try ada.contents().first { $0.value["name"] == .text("Mill 1") }?.key)
        func results(_ object: UUID, _ kind: SyncObjectChange.Kind) throws -> SyncPushAnswer? {
            let change = SyncObjectChange(
                object: object, entity: "Task", kind: kind, life: 1, time: 0,
                properties: kind == .delete
                    ? [:] : ["name": SyncPropertyChange(base: 1000, change: .value(.text("stolen")))])
            return try answer(to: change, of: grace, in: scenario)
        }
        for kind in [SyncObjectChange.Kind.update, .delete] {
            let hidden = try requireValue(try results(task, kind))
            let missing = UUID()
            let absent = try requireValue(try results(missing, kind))
            expectEqual(hidden.results.count, 1)
            expectEqual(hidden.corrections.map(\.kind), absent.corrections.map(\.kind))
            expectEqual(hidden.corrections.map(\.values), absent.corrections.map(\.values))
            expectEqual(
                "\(hidden.results)".replacingOccurrences(of: task.uuidString, with: ""),
                "\(absent.results)".replacingOccurrences(of: missing.uuidString, with: ""))
        }
        try scenario.exchange()
        expectEqual(try ada.values("Task", "name"), tasks)
    }

    @Test("Other constants of a token are a comparison with all objects of the new scopes")
    func otherConstants() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try ada.save { $0.insert("Note", "title", "mine").setValue("ada", forKey: "owner") }
        try grace.save { $0.insert("Note", "title", "hers").setValue("grace", forKey: "owner") }
        try scenario.exchange()
        grace.account = SyncAccount("grace", constants: ["SHARED": [.text("ada")]])
        try scenario.exchange()
        expectEqual(try grace.values("Note", "title"), ["hers", "mine"])
        grace.account = SyncAccount("grace", constants: ["SHARED": []])
        try scenario.exchange()
        expectEqual(try grace.values("Note", "title"), ["hers"])
    }

    @Test("Pages of one object each bring the same", arguments: [1, 2, 3])
    func smallPages(size: Int) throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try scenario.startServer(pageObjects: size)
        try makeTeam(ada)
        try scenario.exchange()
        try addGrace(ada)
        try scenario.exchange()
        expectEqual(try grace.values("Task", "name"), tasks)
    }

    @Test("A token without a constant is refused, and so is one with too many values")
    func constants() throws {
        let scenario = try makeScenario()
        let device = scenario.devices[0]
        let many = (0..<20_000).map { SyncValue.text("\($0)") }
        for account in [SyncAccount("ada"), SyncAccount("ada", constants: ["SHARED": many])] {
            device.account = account
            guard case .failure(let failure) = scenario.answer(try device.replica.pullRequest(), device) else {
                Issue.record("The server has answered.")
                continue
            }
            expectEqual(failure.reason, .badRequest)
        }
    }

    @Test(
        "A template that can't be a scope is an error when the server starts",
        arguments: [
            ("Member", "user != $USER", []), ("Member", "user BEGINSWITH $USER", []),
            ("Member", "user ==[c] $USER", []), ("Team", "ANY members.user == $USER", []),
            ("Task", "project.team.name == $USER", []), ("Member", "NOT user == $USER", []),
            ("Task", "name == $USER", []), ("Member", "user == $USER", ["nothing"]),
            ("Member", "team == $USER", []), ("Member", "user == $USER AND user != uppercase(user)", []),
            ("Member", "user == $USER AND SUBQUERY(team.members, $m, $m.user == $USER).@count > 0", []),
            ("Member", "user == $USER AND team.secret == nil", []),
        ] as [(String, String, [String])])
    func badTemplates(entity: String, format: String, follows: [String]) throws {
        let model = ScopedModel.make()
        ScopedModel.add("Bad", entity, NSPredicate(format: format), to: model)
        #expect(throws: SyncScopeError.self) {
            try SyncScenario(devices: 0, serverModel: model, scopes: [SyncScope("Bad", follows: follows)])
        }
        #expect(throws: SyncScopeError.self) {
            try SyncScenario(devices: 0, serverModel: model, scopes: [SyncScope("Missing")])
        }
    }

    @Test("An object outside the scope can't be taken for another one by a unique value")
    func hiddenMerge() throws {
        let model = ScopedModel.make()
        model.entitiesByName["Label"]?.uniquenessConstraints = [["name"]]
        let scenario = try SyncScenario(devices: 2, model: model, serverModel: model, scopes: ScopedModel.scopes)
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        for (device, name) in [(ada, "ada"), (grace, "grace")] {
            device.account = SyncAccount(name, constants: ["SHARED": []])
        }
        try makeTeam(ada)
        try ada.save { $0.insert("Label", "name", "urgent") }
        try scenario.exchange()
        let task = try requireValue(try ada.contents().first { $0.value["name"] == .text("Mill 1") }?.key)
        let change = SyncObjectChange(
            object: task, entity: "Label", kind: .insert, life: 0, time: 0,
            properties: ["name": SyncPropertyChange(base: 0, change: .value(.text("urgent")))])
        let answer = try requireValue(try answer(to: change, of: grace, in: scenario))
        guard case .refused = answer.results[0] else {
            Issue.record("The push was saved.")
            return
        }
        try ada.save { try $0.first("Team").setValue("Engines 2", forKey: "name") }
        try scenario.exchange()
        expectEqual(try ada.values("Task", "name"), tasks)
        expectTrue(try scenario.service.contents()[task] != nil)
    }

    @Test("A change of an object that another replica has deleted, or that left, stays among the problems")
    func lostChanges() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try addGrace(ada)
        try scenario.exchange()
        // The first task is deleted, and the team of the others leaves.
        try grace.save { context in
            for task in try context.all("Task") { task.setValue("by Grace", forKey: "name") }
        }
        try ada.save { $0.delete(try $0.first("Task")) }
        try removeGrace(ada)
        try scenario.push(ada)
        try scenario.push(ada)
        try scenario.push(grace)
        try scenario.exchange()
        expectEqual(try grace.count("Task"), 0)
        expectEqual(try grace.replica.masks().problems.count, 4)
        expectFalse(try ada.values("Task", "name").contains("by Grace"))
    }

    @Test("A change of a living object is an update for the server's program, whatever its message says")
    func disguisedUpdate() throws {
        let scenario = try makeScenario { write in write.kind == .insert || write.account.name == "ada" }
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try addGrace(ada)
        try scenario.exchange()
        let task = try requireValue(try ada.contents().first { $0.value["name"] == .text("Mill 1") }?.key)
        let change = SyncObjectChange(
            object: task, entity: "Task", kind: .insert, life: 0, time: 0,
            properties: ["name": SyncPropertyChange(base: 1000, change: .value(.text("stolen")))])
        _ = try answer(to: change, of: grace, in: scenario)
        try scenario.exchange()
        expectEqual(try ada.values("Task", "name"), tasks)
    }

    @Test("Scopes that change and change back miss nothing that moved meanwhile")
    func scopesBackAndForth() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try scenario.exchange()
        try scenario.startServer(scopes: [SyncScope("OwnNotes"), SyncScope("Labels")])
        let context = scenario.serverContext
        try context.performAndWait {
            try context.all("Project").first { $0.value(forKey: "name") as? String == "Mill" }?
                .setValue(nil, forKey: "team")
            try context.save()
        }
        _ = scenario.answer(try grace.replica.pullRequest(), grace)
        try scenario.startServer()
        try scenario.exchange()
        expectEqual(try ada.values("Task", "name"), ["Store 1", "Store 2"])
    }

    @Test("A server whose program has deleted history compares its records with the objects")
    func deletedHistory() throws {
        let scenario = try makeScenario()
        let (ada, grace) = (scenario.devices[0], scenario.devices[1])
        try makeTeam(ada)
        try scenario.exchange()
        let context = scenario.serverContext
        try context.performAndWait {
            context.delete(
                try requireValue(try context.all("Task").first { $0.value(forKey: "name") as? String == "Mill 1" }))
            context.insert("Member", "user", "grace").setValue(try context.first("Team"), forKey: "team")
            try context.save()
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        try ada.save { context in
            try context.all("Task").first { $0.value(forKey: "name") as? String == "Store 1" }?
                .setValue("by Ada", forKey: "name")
        }
        try scenario.exchange()
        for device in [ada, grace] { expectEqual(try device.values("Task", "name"), ["Mill 2", "Store 2", "by Ada"]) }
    }

    @Test("An object that the server's program replaces by one with the same identifying value lives on")
    func replacedObject() throws {
        let scenario = try SyncScenario(devices: 1)
        let device = scenario.devices[0]
        let id = UUID()
        try device.save { $0.insertNote("one", id: id) }
        try scenario.sync()
        for number in 0..<8 {
            let context = scenario.serverContext
            try context.performAndWait {
                context.delete(try context.first("Note"))
                try context.save()
                context.insertNote("again \(number)", id: id)
                try context.save()
            }
            try scenario.sync()
            expectEqual(try device.values("Note", "title"), ["again \(number)"])
        }
        expectEmpty(scenario.errors)
    }

    @Test(
        "An object that a task was moved to, and that leaves, stays until the server has answered the move",
        arguments: [false, true])
    func deletedTarget(isSent: Bool) throws {
        let scenario = try makeScenario()
        let (ada, second) = (scenario.devices[0], scenario.devices[2])
        try makeTeam(ada)
        try scenario.exchange()
        try second.save { try $0.named("Mill 1").setValue(try $0.named("Store"), forKey: "project") }
        try ada.save { context in context.delete(try context.named("Store")) }
        try scenario.push(ada)
        if isSent { _ = try second.replica.pushRequest() }
        try scenario.pull(second)
        expectEqual(try second.values("Project", "name"), ["Mill", "Store"])
        try scenario.exchange()
        for device in [ada, second] {
            expectEqual(try device.values("Project", "name"), ["Mill"])
            expectEqual(try device.values("Task", "name"), ["Mill 1", "Mill 2"])
        }
        expectEqual(try second.replica.masks().problems.count, 1)
    }
}

extension NSManagedObjectContext {
    /// The project or task with a name.
    fileprivate func named(_ name: String) throws -> NSManagedObject {
        let objects = try all("Project") + all("Task")
        return try requireValue(objects.first { $0.value(forKey: "name") as? String == name })
    }
}
