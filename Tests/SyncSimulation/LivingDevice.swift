import ArgumentParser
import CoreData
import CoreDataSync
import Foundation
import TestSupport

/// The process of an app whose store syncs with a server over HTTP, until it is killed.
///
/// A journal says what the app has done: the line `begin NUMBER KIND VALUES` before each save, `end NUMBER` after it,
/// and `fail NUMBER` if the save has thrown. `Scripts/test-sync-faults.py` starts and kills such processes, and
/// compares their stores with the journals.
struct LivingDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Changes a store that syncs over HTTP, until the process is killed.")

    @Argument(help: "The model of the store.")
    var model: String

    @Option(help: "The folder of the store, whose name is that of the device.")
    var folder: String

    @Option(help: "The file of the journal, which must not be on a disk that becomes full.")
    var journal: String

    @Option(help: "The URL of the server.")
    var server: String

    @Option(help: "The token of the user.")
    var token: String

    @Option(help: "The seed of the changes. Each start of a device has another one.")
    var seed: UInt64 = 1

    @Flag(help: "Change nothing: exchange what is pending, and print the objects.")
    var rest = false

    mutating func run() async throws {
        let folder = URL(fileURLWithPath: folder)
        let container = try await Self.container(URL(fileURLWithPath: model), folder.appending(path: "store.sqlite"))
        guard let url = URL(string: server) else { throw SimulationFailure("“\(server)” is no URL.") }
        var configuration = SyncEngine.Configuration()
        (configuration.pollingInterval, configuration.longestDelay) = (5, 2)
        let token = token
        let engine = try SyncEngine(container, server: url, configuration: configuration) { token }
        if rest {
            try await Self.bringToRest(engine)
            try Self.printObjects(container)
            return
        }
        try await Self.start(engine)
        let app = try LivingApp(container, folder.lastPathComponent, URL(fileURLWithPath: journal), seed: seed)
        while true {
            try app.changeSomething()
            try await Task.sleep(for: .milliseconds(app.pause()))
        }
    }

    private static func container(_ model: URL, _ store: URL) async throws -> NSPersistentContainer {
        guard let model = NSManagedObjectModel(contentsOf: model) else { throw SimulationFailure("No model.") }
        let container = NSPersistentContainer(name: "Device", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: store)
        description.setOption(NSNumber(value: true), forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        // The disk may be full: the process tries again as an app that is started again does.
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }

    private static func start(_ engine: SyncEngine) async throws {
        do {
            try await engine.start()
        } catch SyncEngineError.needsFirstStart {
            try await engine.begin(.upload)
            try await engine.start()
        }
    }

    /// Waits until the server has everything, and the store has everything of the server.
    private static func bringToRest(_ engine: SyncEngine) async throws {
        let end = ContinuousClock.now + .seconds(180)
        try await start(engine)
        while true {
            do {
                try await engine.waitForPending()
                try await engine.syncNow()
                break
            } catch {
                // The lease of a process that was killed ends by itself.
                guard ContinuousClock.now < end else { throw error }
                try await Task.sleep(for: .milliseconds(500))
            }
        }
        for problem in try await engine.problems() {
            FileHandle.standardError.write(Data("problem: \(problem.kind) \(problem.reason)\n".utf8))
        }
        await engine.stop()
    }

    private static func printObjects(_ container: NSPersistentContainer) throws {
        let context = container.newBackgroundContext()
        let lines = try context.performAndWait {
            try LivingApp.entities.flatMap { entity in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map(LivingApp.line)
            }
        }
        for line in lines.sorted() { print(line) }
    }
}

/// The changes of an app, with their journal.
private final class LivingApp: @unchecked Sendable {
    // Sendable: one task uses it.
    static let entities = ["List", "Entry", "Counter"]
    private static let counters = 4

    private let context: NSManagedObjectContext
    private let journal: FileHandle
    private let device: String
    private let start: Int
    private var number = 0
    private var random: SeededGenerator
    /// The entries of this device that it hasn't deleted.
    private var own: [String] = []

    init(_ container: NSPersistentContainer, _ device: String, _ url: URL, seed: UInt64) throws {
        context = container.newBackgroundContext()
        // An app that overwrites what it hasn't seen loses changes by itself.
        context.mergePolicy = NSMergePolicy.error
        self.device = device
        random = SeededGenerator(seed: seed)
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        journal = try FileHandle(forUpdating: url)
        let text = String(decoding: try journal.readToEnd() ?? Data(), as: UTF8.self)
        start = text.split(separator: "\n").count { $0.hasPrefix("start") } + 1
        try write("start \(start) seed \(seed)")
    }

    private func write(_ line: String) throws { try journal.write(contentsOf: Data((line + "\n").utf8)) }

    /// The milliseconds until the next change.
    func pause() -> Int { Int.random(in: 20...150, using: &random) }

    /// Makes a random change, and saves it.
    func changeSomething() throws {
        let kind = Int.random(in: 0..<20, using: &random)
        let value = Int.random(in: 0..<1_000_000, using: &random)
        let titles = (0..<Int.random(in: 1...3, using: &random)).map { "\(device).\(start).\(number).\($0)" }
        switch kind {
        case 0..<9: try save("insert " + titles.joined(separator: " ")) { try $0.insert(titles, list: value) }
        case 9..<13:
            let counter = value % Self.counters
            let step = value % 7 + 1
            try save("count c\(counter) \(step)") { try $0.count("c\(counter)", step) }
        case 13..<16: try save("change") { try $0.change(value) }
        case 16: try save("picture") { try $0.changePicture(value) }
        case 17:
            try save("list") { app in
                NSEntityDescription.insertNewObject(forEntityName: "List", into: app.context)
                    .setValue("list \(value)", forKey: "name")
            }
        default:
            guard !own.isEmpty else { return }
            let title = own.remove(at: value % own.count)
            try save("delete " + title) { try $0.delete(title) }
        }
        if kind < 9 { own += titles }
    }

    private func save(_ text: String, _ body: @escaping @Sendable (LivingApp) throws -> Void) throws {
        number += 1
        try context.performAndWait {
            context.reset()
            try body(self)
            guard context.hasChanges else { return }
            try write("begin \(number) \(text)")
            do {
                try context.save()
            } catch {
                try write("fail \(number) \((error as NSError).domain) \((error as NSError).code)")
                return
            }
            try write("end \(number)")
        }
    }

    private func insert(_ titles: [String], list: Int) throws {
        let list = try object("List", list)
        for title in titles {
            let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
            entry.setValue(title, forKey: "title")
            entry.setValue(list, forKey: "list")
        }
    }

    /// Counters have identifying names: those that several devices insert become one.
    private func count(_ name: String, _ step: Int) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Counter")
        request.predicate = NSPredicate(format: "name == %@", name)
        let present = try context.fetch(request).first
        let counter = present ?? NSEntityDescription.insertNewObject(forEntityName: "Counter", into: context)
        if present == nil { counter.setValue(name, forKey: "name") }
        counter.setValue((counter.value(forKey: "sum") as? Int ?? 0) + step, forKey: "sum")
    }

    private func change(_ value: Int) throws {
        guard let entry = try object("Entry", value) else { return }
        entry.setValue("text \(value)", forKey: "text")
        if value % 3 == 0 { entry.setValue(try object("List", value / 3), forKey: "list") }
    }

    private func changePicture(_ value: Int) throws {
        let data = Data(repeating: UInt8(value % 251), count: 1000 + value % 300_000)
        try object("Entry", value)?.setValue(data, forKey: "picture")
    }

    private func delete(_ title: String) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        request.predicate = NSPredicate(format: "title == %@", title)
        for entry in try context.fetch(request) { context.delete(entry) }
    }

    private func object(_ entity: String, _ number: Int) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        let count = try context.count(for: request)
        guard count > 0 else { return nil }
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        (request.fetchOffset, request.fetchLimit) = (number % count, 1)
        return try context.fetch(request).first
    }

    /// The values of an object that all devices have alike.
    static func line(_ object: NSManagedObject) -> String {
        let attributes = object.entity.attributesByName.keys.sorted().map { name in
            guard let data = object.value(forKey: name) as? Data else { return "\(object.value(forKey: name) ?? "-")" }
            return "\(data.count) bytes of \(data.first ?? 0)"
        }
        let list = object.entity.name == "Entry" ? object.value(forKeyPath: "list.name") as? String : nil
        return ([object.entity.name ?? ""] + attributes + [list ?? "-"]).joined(separator: "\t")
    }
}
