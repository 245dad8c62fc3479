import ArgumentParser
import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// Measures what sync costs beside the saves of an app.
struct SyncFigures: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "figures", abstract: "Measures processor times and sizes for a number of objects.")

    @Option(help: "The number of objects.")
    var objects = 10_000

    @Option(help: "The size of one large value, in megabytes, whose way is measured in place of the objects.")
    var megabytes: Int?

    @Option(help: "The number of devices that changes of one object each reach, in place of the objects.")
    var devices: Int?

    @Option(help: "The pushes a second that reach the devices.")
    var pushes = 200

    @Option(help: "The program coredata-serve, if it is the server that the pushes and the devices reach over HTTP.")
    var serve: String?

    @Option(help: "The connections to that server that only listen, whose memory is measured before.")
    var listeners = 0

    @Option(help: "The seconds for which pushes reach the devices.")
    var seconds = 10

    @Flag(help: "Give each device a scope of its own.")
    var apart = false

    @Flag(help: "Keep the server's store on the PostgreSQL server that COREDATA_POSTGRESQL_URL names.")
    var postgresql = false

    mutating func run() throws {
        if let devices {
            var setup = ReachFigures.Setup()
            (setup.devices, setup.pushesPerSecond, setup.areApart) = (devices, pushes, apart)
            (setup.seconds, setup.listeners) = (seconds, listeners)
            setup.program = serve.map { URL(fileURLWithPath: $0) }
            if postgresql { setup.stores = .postgresql }
            return try ReachFigures(setup).run()
        }
        if let megabytes {
            var figures = try LargeValueFigures()
            return try figures.run(megabytes: megabytes)
        }
        let folder = try TemporaryFolder()
        let plain = try store(SimulationModel.model, "plain", folder)
        let base = try Self.measured { try Self.insert(objects, plain.coordinator) }
        Self.row("insert and save with history", base, base)

        let (first, second) = (try Device("first", folder), try Device("second", folder))
        let server = try store(try serverModel(), "server", folder)
        let service = try SyncService(server.coordinator, hook: { SimulatedServer.resolve($0) })
        for device in [first, second] { try device.replica.resume() }

        try Self.insert(objects, first.app.coordinator)
        var (push, answer, keep) = (0.0, 0.0, 0.0)
        var pushes = 0
        while true {
            var request: SyncRequest?
            push += try Self.measured { request = try first.replica.pushRequest() }
            guard let request else { break }
            pushes += 1
            var response: SyncResponse!
            answer += Self.measured { response = service.answer(request, account: "one") }
            keep += try Self.measured { try first.replica.receive(response, to: request) }
            // The import of the changes up to the answer ends the push.
            var isLast = false
            while !isLast {
                let pull = try first.replica.pullRequest()
                let changes = service.answer(pull, account: "one")
                if case .changes(let page) = changes { isLast = page.isLast }
                keep += try Self.measured { try first.replica.receive(changes, to: pull) }
            }
        }
        Self.row("first replica: making \(pushes) pushes", push, base)
        Self.row("first replica: taking answers and changes", keep, base)
        Self.row("server: saving pushes", answer, base)

        var (pages, take, wire) = (0.0, 0.0, 0)
        var isLast = false
        while !isLast {
            let request = try second.replica.pullRequest()
            var response: SyncResponse!
            pages += Self.measured { response = service.answer(request, account: "one") }
            if case .changes(let changes) = response {
                isLast = changes.isLast
                wire += try JSONEncoder().encode(changes).count
            }
            take += try Self.measured { try second.replica.receive(response, to: request) }
        }
        Self.row("server: pages of changes", pages, base)
        Self.row("second replica: taking pages and importing", take, base)
        Self.size("the pages in JSON", wire, objects)
        Self.size("side store of the second replica", second.side.bytes, objects)
        Self.size("side store without free pages", try second.side.vacuumedBytes(), objects)
        Self.size("app's store", second.app.bytes, objects)
        Self.size("server's store beyond the app's", server.bytes - plain.bytes, objects)
        let idle = try Self.measured { for _ in 0..<1000 { _ = try second.replica.pushRequest() } }
        Self.row("1,000 looks at an idle store", idle, base)
        print("peak memory: \(Self.peakMegabytes) MB")
    }

    private struct Device {
        let app: StoredFile
        let side: StoredFile
        let replica: SyncReplica

        init(_ name: String, _ folder: TemporaryFolder) throws {
            app = try store(SimulationModel.model, name, folder)
            side = try store(SyncReplica.sideModel, "\(name)-sync", folder, hasHistory: false)
            replica = try SyncReplica(app.coordinator, side: side.coordinator)
        }
    }

    private func serverModel() throws -> NSManagedObjectModel {
        guard let model = SyncServerModel.merged(with: SimulationModel.model) else {
            throw SimulationFailure("The model of the server can't be made.")
        }
        return model
    }

    private static func insert(_ count: Int, _ coordinator: NSPersistentStoreCoordinator) throws {
        let context = SimulatedStore.context(coordinator)
        try context.performAndWait {
            for number in 0..<count {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(UUID(), forKey: "id")
                note.setValue("note \(number)", forKey: "title")
                note.setValue(number, forKey: "pair")
            }
            try context.save()
        }
    }

    /// The processor time of a block, in seconds.
    private static func measured(_ body: () throws -> Void) rethrows -> Double {
        let start = processorTime
        try body()
        return processorTime - start
    }

    /// The processor time of the process, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var peakMegabytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1024
    }

    private static func row(_ name: String, _ seconds: Double, _ base: Double) {
        let (time, ratio) = (String(format: "%8.3f s", seconds), String(format: "%6.2f", seconds / base))
        print(name.padding(toLength: 46, withPad: " ", startingAt: 0) + time + ratio + " times")
    }

    private static func size(_ name: String, _ bytes: Int, _ objects: Int) {
        print(name.padding(toLength: 46, withPad: " ", startingAt: 0) + "\(bytes / max(objects, 1)) bytes an object")
    }
}

/// A store on a file, as programs have one.
private struct StoredFile {
    let url: URL
    let coordinator: NSPersistentStoreCoordinator

    var bytes: Int {
        ["", "-wal"].reduce(0) { sum, end in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + end)
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    /// The bytes of a copy without free pages.
    func vacuumedBytes() throws -> Int {
        let copy = StoredFile(url: url.appendingPathExtension("vacuumed"), coordinator: coordinator)
        try coordinator.replacePersistentStore(
            at: copy.url, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
            type: .sqlite)
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        let store = try other.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: copy.url,
            options: [NSSQLiteManualVacuumOption: NSNumber(value: true)])
        try other.remove(store)
        return copy.bytes
    }
}

private func store(
    _ model: NSManagedObjectModel, _ name: String, _ folder: TemporaryFolder, hasHistory: Bool = true
) throws -> StoredFile {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = folder.file("\(name).sqlite")
    _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [NSPersistentHistoryTrackingKey: NSNumber(value: hasHistory)])
    return StoredFile(url: url, coordinator: coordinator)
}
