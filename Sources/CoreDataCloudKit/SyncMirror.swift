// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataPredicates
import CoreDataSync
import CoreDataSyncModel
import CoreDataSyncWire
import OpenCoreData

/// The engine of a store in place of the mirror of CloudKit.
final class SyncMirror: CloudKitMirror {
    typealias Event = NSPersistentCloudKitContainer.EventValues

    let engine: SyncEngine
    private let url: URL?
    private static let mirrors = Locked<[WeakMirror]>([])
    private let beginning: Task<Void, Never>
    /// Hears of the end of the engine.
    private let watching: Task<Void, Never>
    /// Hears of the removal of the store.
    private let removal = Locked<SyncObserver?>(nil)

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
        url = store.url
        let events = engine.events
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
        watching = Task {
            for await case .status(let status) in events where status.phase == .failed {
                await Self.goOn(engine, identifier, report)
            }
        }
        let observer = SyncObserver(.NSPersistentStoreCoordinatorStoresDidChange, of: coordinator) {
            [weak self] notification in
            let removed = notification.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
            if removed?.contains(where: { $0.identifier == identifier }) ?? false { self?.stop() }
        }
        removal.withLock { $0 = observer }
        Self.mirrors.withLock { mirrors in
            mirrors.removeAll { $0.mirror == nil }
            mirrors.append(WeakMirror(mirror: self))
        }
    }

    static func engine(forStoreAt url: URL) -> SyncEngine? {
        let url = url.standardizedFileURL
        return mirrors.withLock { $0.last { $0.mirror?.url?.standardizedFileURL == url }?.mirror?.engine }
    }

    /// Goes on with an engine that has stopped by itself, or says in an event why it doesn't.
    private static func goOn(
        _ engine: SyncEngine, _ identifier: String, _ report: @Sendable (Event) -> Void
    ) async {
        let reason = await engine.ending
        do {
            // Another engine had the store when this one started.
            guard reason == .needsFirstStart else { throw reason }
            try await start(engine)
        } catch {
            let now = Date()
            report(
                Event(
                    identifier: UUID(), storeIdentifier: identifier, type: .setup, startDate: now, endDate: now,
                    error: error))
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
        removal.withLock { $0 = nil }
        watching.cancel()
        let (engine, beginning) = (engine, beginning)
        Task {
            // A start that is under way takes the lease.
            await beginning.value
            await engine.stop()
        }
    }

    func checkSchema() throws {
        let engine = engine
        let (answer, result) = (DispatchGroup(), Locked<Result<Void, any Error>>(.success(())))
        answer.enter()
        Task.detached {
            do {
                try await engine.checkModel()
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            answer.leave()
        }
        guard answer.wait(timeout: .now() + 60) == .success else { throw SchemaCheckError(URLError(.timedOut)) }
        do {
            try result.withLock { try $0.get() }
        } catch {
            throw SchemaCheckError(error)
        }
    }

    func printSchema() { for line in engine.schemaLines { print(line) } }
}

/// The reason for which a model can't be compared with the server's, with what to do.
private struct SchemaCheckError: LocalizedError {
    let cause: any Error

    init(_ cause: any Error) { self.cause = cause }

    var errorDescription: String? { (cause as? SyncFailure)?.text ?? cause.localizedDescription }

    var recoverySuggestion: String? {
        switch cause {
        case let failure as SyncFailure where [.outdatedModel, .unknownModel].contains(failure.reason):
            "Give the server the model\u{2019}s version, or update the program."
        case is SyncFailure: "Try again later."
        case is URLError: "Look whether the server runs, and whether the machine reaches it."
        default: "Look at the token and at the store."
        }
    }
}

/// A mirror that ends with its container.
private struct WeakMirror: @unchecked Sendable {
    // Sendable: weak references are atomic, and nothing writes this one.
    weak var mirror: SyncMirror?
}
