import CoreData
import Dispatch
import TestSupport
import Testing

/// The files that a killed `coredata store migrate` leaves beside a store.
@Suite("coredata store and interrupted migrations")
struct StoreLeftoverTests {
    private let cars: GrowingCars

    init() throws { cars = try GrowingCars() }

    private func leaveFiles(beside store: String) throws {
        let folder = MigrationLock.folder(of: URL(fileURLWithPath: store))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(repeating: 1, count: 1000).write(to: folder.appendingPathComponent("cars.store"))
        try Data().write(to: cars.folder.file(".cars.store.migration"))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cars.folder.url.path).filter { $0.contains(".store") }
            .sorted()
    }

    @Test("Each verb removes them, and says so", arguments: ["info", "fetch", "doctor", "backup", "copy", "migrate"])
    func removed(verb: String) async throws {
        let store = try cars.makeStore(4)
        try leaveFiles(beside: store)
        let rest =
            switch verb {
            case "fetch": ["--entity", "Car"]
            case "backup", "copy": [cars.folder.path("copy.sqlite")]
            case "migrate": ["--model", cars.bundle]
            default: [String]()
            }
        let run = try await CommandRun(arguments: ["store", verb, store] + rest)
        expectEqual(run.status, 0)
        expectContains(run.errors, ".cars.store.migrating, which an interrupted migration has left, is removed.")
        try expectEqual(names(), ["cars.store"])
    }

    /// Has the lock of a store until it is released, as a process that migrates the store.
    private final class RunningMigration: Sendable {
        private let begun = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(_ store: URL) {
            let (begun, end, ended) = (begun, end, ended)
            Thread.detachNewThread {
                try? MigrationLock.withLock(at: store, timeout: 60) {
                    _ = try? MigrationLock.makeFolder(of: store)
                    begun.signal()
                    end.wait()
                }
                ended.signal()
            }
            begun.wait()
        }

        func release() {
            end.signal()
            ended.wait()
        }
    }

    @Test("Those of a running migration stay")
    func running() async throws {
        let store = try cars.makeStore(4)
        let migration = RunningMigration(URL(fileURLWithPath: store))
        let run = try await CommandRun("store", "info", store)
        expectEqual(run.status, 0)
        expectEqual(run.errors, "")
        try expectEqual(names(), [".cars.store.migrating", ".cars.store.migration", "cars.store"])
        migration.release()
        try expectEqual(names(), ["cars.store"])
    }

    @Test("A migration says that it waits for another one")
    func waiting() throws {
        let store = try cars.makeStore(4)
        let migration = RunningMigration(URL(fileURLWithPath: store))
        let process = Process()
        let errors = Pipe()
        process.executableURL = CommandRun.executable
        process.arguments = ["store", "migrate", store, "--model", cars.bundle]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        var text = ""
        while !text.contains("Another process is migrating \(store). Waiting until it has ended …\n") {
            let data = errors.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        expectContains(text, "Waiting")
        migration.release()
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0)
        try expectEqual(cars.version(store), 5)
        try expectEqual(names(), ["cars.store"])
    }
}
