import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// Measures when pushes of one changed object each have reached the devices that may have it. Each device has a thread,
/// which asks for changes again and again. The server is in the same process, or a process of its own.
final class ReachFigures: @unchecked Sendable {
    struct Setup: Sendable {
        var devices = 50
        var pushesPerSecond = 200
        var seconds = 10
        /// Whether each device has a scope of its own.
        var areApart = false
        var stores = SimulatedStoreKind.sqlite
        /// The seconds between two requests of a device, if the server is in this process.
        var interval = 0.3
        /// The program `coredata-serve`, if the server is a process of its own.
        var program: URL?
        /// The connections to that process that only listen, before the devices do.
        var listeners = 0
    }

    private struct Push {
        let position: Int64
        let device: Int?
        let time: Double
    }

    private let setup: Setup
    private let folder: TemporaryFolder
    private let store: SimulatedStore
    private var replicas: [SyncReplica] = []
    private var stores: [SimulatedStore] = []
    private let pushes = LockedValue<[Push]>([])
    private let reached: [LockedValue<[(position: Int64, time: Double)]>]
    private let last = LockedValue<Int64?>(nil)
    private let failures = LockedValue<[String]>([])

    private static let tasks = 1000
    private let modelFile: URL
    private static let follows = ["team.projects.tasks", "team.members"]
    private static let model = """
        Team {
            name: string
            to-many members: Member, inverse: team
            to-many projects: Project, inverse: team
        }
        Member {
            user: string
            to-one team: Team, inverse: members
        }
        Project {
            name: string
            to-one team: Team, inverse: projects
            to-many tasks: Task, inverse: project, delete: cascade
        }
        Task {
            name: string
            to-one project: Project, inverse: tasks, required
        }
        fetch mine: Member, predicate: "user == $USER"
        """

    init(_ setup: Setup) throws {
        self.setup = setup
        folder = try TemporaryFolder()
        modelFile = try folder.write(Self.model, to: "Teams.coredata")
        guard let model = NSManagedObjectModel(contentsOf: modelFile), let merged = SyncServerModel.merged(with: model)
        else { throw SimulationFailure("No model.") }
        store = try SimulatedStore(merged, setup.stores, "server", in: folder)
        reached = (0..<setup.devices).map { _ in LockedValue([]) }
        try fill()
        for index in 0..<setup.devices {
            let app = try SimulatedStore(model, .sqlite, "app\(index)", in: folder)
            let side = try SimulatedStore(SyncReplica.sideModel, .sqlite, "side\(index)", in: folder)
            stores += [app, side]
            let replica = try SyncReplica(app.coordinator, side: side.coordinator)
            try replica.resume()
            replicas.append(replica)
        }
    }

    /// Teams with tasks: one for all devices, or one for each.
    private func fill() throws {
        let context = SimulatedStore.context(store.coordinator)
        try context.performAndWait {
            func insert(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(value, forKey: key)
                return object
            }
            let teams = setup.areApart ? setup.devices : 1
            for team in 0..<teams {
                let object = insert("Team", "name", "team \(team)")
                for device in 0..<setup.devices where !setup.areApart || device == team {
                    insert("Member", "user", "user\(device)").setValue(object, forKey: "team")
                }
                let project = insert("Project", "name", "project")
                project.setValue(object, forKey: "team")
                for _ in 0..<Self.tasks / teams {
                    insert("Task", "name", "task \(team)").setValue(project, forKey: "project")
                }
            }
            try context.save()
        }
    }

    func run() throws {
        let service = try SyncService(store.coordinator, scopes: [SyncScope("mine", follows: Self.follows)])
        // The service gives the objects their identities.
        try service.noteSaves()
        var tasks: [[UUID]] = Array(repeating: [], count: setup.devices)
        for (identity, values) in try service.contents() {
            guard values["project"] != nil, case .text(let name)? = values["name"] else { continue }
            tasks[Int(name.dropFirst(5)) ?? 0].append(identity)
        }
        if let program = setup.program {
            let server = try serve(program)
            defer { server.end() }
            try measureListeners(of: server)
            server.listen()
            try measure(server, tasks)
            print("the server: \(server.megabytes) MB at the end")
        } else {
            try measure(LocalServer(service: service, interval: setup.interval), tasks)
        }
        try store.remove()
    }

    /// Starts the program over the store, which this process closes.
    private func serve(_ program: URL) throws -> ServedProcess {
        let coordinator = store.coordinator
        guard let url = coordinator.persistentStores.first?.url else { throw SimulationFailure("No store.") }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        return try ServedProcess(
            ServedProcess.Settings(
                program: program, model: modelFile, store: setup.stores == .sqlite ? url.path : url.absoluteString,
                devices: setup.devices, scopes: ["mine:" + Self.follows.joined(separator: ",")]),
            in: folder)
    }

    private func measureListeners(of server: ServedProcess) throws {
        let before = server.megabytes
        let listeners = try server.openListeners(setup.listeners)
        print("the server: \(before) MB at rest, \(server.megabytes) MB with \(listeners.count) listeners")
    }

    private func measure(_ server: any MeasuredServer, _ tasks: [[UUID]]) throws {
        // Each device takes what it may have.
        for (index, replica) in replicas.enumerated() { try pull(replica, index, server) }
        let (begin, used, served) = (Self.now, SyncFigures.processorTime, server.processorTime)
        let group = DispatchGroup()
        for index in replicas.indices {
            let thread = Thread { [self] in
                listen(index, server)
                group.leave()
            }
            group.enter()
            thread.start()
        }
        try push(tasks, to: server, from: begin + 0.5)
        group.wait()
        report(processorSeconds: SyncFigures.processorTime - used, seconds: Self.now - begin)
        if let served, let end = server.processorTime {
            print(String(format: "the server: %.1f s of processor time", end - served))
        }
    }

    private func pull(_ replica: SyncReplica, _ index: Int, _ server: any MeasuredServer) throws {
        while true {
            let request = try replica.pullRequest()
            let response = try server.answer(request, for: index)
            try replica.receive(response, to: request)
            switch response {
            case .changes(let changes) where changes.isLast: return
            case .failure(let failure): throw failure
            default: continue
            }
        }
    }

    private func listen(_ index: Int, _ server: any MeasuredServer) {
        do {
            while true {
                let end = last.withLock { $0 }
                try pull(replicas[index], index, server)
                let position = try replicas[index].position?.number ?? 0
                reached[index].withLock { $0.append((position, Self.now)) }
                if let end, position >= end { return }
                server.waitForNews(of: index)
            }
        } catch {
            failures.withLock { $0.append("\(error)") }
        }
    }

    /// Pushes at the times that the rate gives, whether the server keeps up or not.
    private func push(_ tasks: [[UUID]], to server: any MeasuredServer, from begin: Double) throws {
        let pushers = (0..<setup.devices).map { _ in UUID() }
        var numbers = Array(repeating: Int64(0), count: setup.devices)
        for number in 0..<setup.pushesPerSecond * setup.seconds {
            let time = begin + Double(number) / Double(setup.pushesPerSecond)
            if time > Self.now { Thread.sleep(forTimeInterval: time - Self.now) }
            let device = number % setup.devices
            let own = tasks[setup.areApart ? device : 0]
            numbers[device] += 1
            let change = SyncObjectChange(
                object: own[number / (setup.areApart ? setup.devices : 1) % own.count], entity: "Task", kind: .update,
                life: 0, time: Self.now,
                properties: ["name": SyncPropertyChange(base: .max, change: .value(.text("value \(number)")))])
            let push = SyncPush(
                replica: pushers[device], number: numbers[device], groups: [SyncGroup(changes: [change])])
            let request = SyncPushRequest(body: try JSONEncoder().encode(push), attempt: 1, newestBase: nil)
            guard case .push(_, let answer) = try server.answer(.push(request), for: device), answer.results == [.saved]
            else { throw SimulationFailure("The server doesn't save a push.") }
            let entry = Push(position: answer.position.number, device: setup.areApart ? device : nil, time: time)
            pushes.withLock { $0.append(entry) }
        }
        last.withLock { $0 = pushes.withLock { $0.last?.position } }
    }

    private func report(processorSeconds: Double, seconds: Double) {
        var times: [Double] = []
        let timelines = reached.map { $0.withLock { $0 } }
        for push in pushes.withLock({ $0 }) {
            for (index, timeline) in timelines.enumerated() where push.device == nil || push.device == index {
                if let moment = timeline.first(where: { $0.position >= push.position }) {
                    times.append(moment.time - push.time)
                }
            }
        }
        times.sort()
        func at(_ part: Double) -> String {
            times.isEmpty ? "none" : String(format: "%.0f ms", times[Int(Double(times.count - 1) * part)] * 1000)
        }
        let what = setup.areApart ? "scopes of their own" : "one scope"
        print(
            "\(setup.stores), \(setup.devices) devices in \(what), \(setup.pushesPerSecond) pushes a second: "
                + "median \(at(0.5)), p99 \(at(0.99)), most \(at(1)); \(times.count) arrivals, "
                + String(format: "%.1f of %.1f s of processor time", processorSeconds, seconds))
        for failure in failures.withLock({ $0 }) { print("failure: \(failure)") }
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }
}
