// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataPredicates
import CoreDataSync
import OpenCoreData

/// The engine of a store in place of the mirror of CloudKit.
final class SyncMirror: CloudKitMirror {
    typealias Event = NSPersistentCloudKitContainer.EventValues

    let engine: SyncEngine
    private let beginning: Task<Void, Never>

    /// - Throws: the reason for which the store can't sync.
    init(
        _ store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator,
        _ configuration: SyncEngine.Configuration, _ transport: any SyncTransport,
        _ report: @escaping @Sendable (Event) -> Void
    ) throws {
        let identifier = store.identifier ?? ""
        var configuration = configuration
        configuration.sideStoreURL = nil
        configuration.report = { work in
            report(
                Event(
                    identifier: work.id, storeIdentifier: identifier, type: work.kind == .sending ? .export : .import,
                    startDate: work.start, endDate: work.end, error: work.error))
        }
        let engine = try SyncEngine(coordinator, configuration, transport, store: store)
        self.engine = engine
        beginning = Task {
            var event = Event(identifier: UUID(), storeIdentifier: identifier, type: .setup, startDate: Date())
            report(event)
            do {
                try await Self.start(engine)
            } catch {
                event.error = error
            }
            event.endDate = Date()
            report(event)
        }
    }

    private static func start(_ engine: SyncEngine) async throws {
        do {
            try await engine.start()
        } catch SyncEngineError.needsFirstStart {
            try await engine.begin(.upload)
            try await engine.start()
        }
    }

    func stop() {
        let engine = engine
        Task { await engine.stop() }
    }

    func checkSchema() throws {
        let (engine, beginning) = (engine, beginning)
        try blocking {
            await beginning.value
            try await engine.checkModel()
        }
    }

    /// Waits for asynchronous work on the calling thread, which is none of the tasks' own.
    private func blocking(_ body: @escaping @Sendable () async throws -> Void) throws {
        let (done, result) = (DispatchSemaphore(value: 0), Locked<Result<Void, any Error>>(.success(())))
        Task.detached {
            do {
                try await body()
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        try result.withLock { try $0.get() }
    }
}
