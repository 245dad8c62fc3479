import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import TestSupport

/// Measures what one large value costs on its way from a device over a server to another device, in one process.
struct LargeValueFigures {
    private let folder: TemporaryFolder
    private let service: SyncService
    private var highest = 0

    init() throws {
        folder = try TemporaryFolder()
        guard let model = SyncServerModel.merged(with: SimulationModel.model) else {
            throw SimulationFailure("The model of the server can't be made.")
        }
        let server = try SimulatedStore(model, .sqlite, "server", in: folder)
        service = try SyncService(server.coordinator, hook: { SimulatedServer.resolve($0) })
    }

    mutating func run(megabytes: Int) throws {
        let value = try makeValue(megabytes)
        let (first, one) = try makeDevice("first")
        let (second, two) = try makeDevice("second")
        let before = Self.anonymousMegabytes
        try measured("first device: saving the value") { _ in
            let context = SimulatedStore.context(first.coordinator)
            try context.performAndWait {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(UUID(), forKey: "id")
                note.setValue(value, forKey: "picture")
                try context.save()
            }
        }
        try measured("first device to the server") { figures in
            while let request = try one.pushRequest() {
                let response = figures.service.answer(request, account: "one")
                try one.receive(response, to: request)
                figures.noteMemory()
                if case .failure(let failure) = response { throw failure }
                if case .push = response { break }
            }
        }
        try measured("server to the second device") { figures in
            while true {
                let request = try two.pullRequest()
                let response = figures.service.answer(request, account: "one")
                try two.receive(response, to: request)
                figures.noteMemory()
                if case .failure(let failure) = response { throw failure }
                if try two.position != nil { break }
            }
        }
        let context = SimulatedStore.context(second.coordinator)
        let isSame = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first?.value(forKey: "picture")
                as? Data
                == value
        }
        print("the same value: \(isSame)")
        print("memory that the system can't take back: \(before) MB before, \(highest) MB at most")
    }

    private func makeDevice(_ name: String) throws -> (SimulatedStore, SyncReplica) {
        let app = try SimulatedStore(SimulationModel.model, .sqlite, name, in: folder)
        let side = try SimulatedStore(SyncReplica.sideModel, .sqlite, "\(name)-sync", in: folder)
        let replica = try SyncReplica(app.coordinator, side: side.coordinator)
        try replica.resume()
        return (app, replica)
    }

    /// A value in a file, which is mapped.
    private func makeValue(_ megabytes: Int) throws -> Data {
        let url = folder.file("value")
        try Data().write(to: url)
        let file = try FileHandle(forUpdating: url)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<megabytes {
            try file.write(
                contentsOf: Data((0..<131_072).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }))
        }
        try file.close()
        return try Data(contentsOf: url, options: .alwaysMapped)
    }

    private mutating func noteMemory() { highest = max(highest, Self.anonymousMegabytes) }

    private mutating func measured(_ name: String, _ body: (inout Self) throws -> Void) throws {
        let begin = Date()
        try body(&self)
        noteMemory()
        print(
            name.padding(toLength: 46, withPad: " ", startingAt: 0)
                + String(format: "%8.3f s", -begin.timeIntervalSinceNow))
    }

    /// The memory of the process that isn't that of files, as Linux counts it.
    private static var anonymousMegabytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) / 1024
    }
}
