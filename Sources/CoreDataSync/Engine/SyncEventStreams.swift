// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The streams of an engine's events, one for each listener.
final class SyncEventStreams: @unchecked Sendable {
    // Sendable: the lock guards the streams.
    private let lock = NSLock()
    private var streams: [UUID: AsyncStream<SyncEngine.Event>.Continuation] = [:]

    func make() -> AsyncStream<SyncEngine.Event> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { stream in
            let id = UUID()
            lock.withLock { streams[id] = stream }
            stream.onTermination = { [weak self] _ in
                guard let self else { return }
                lock.withLock { streams[id] = nil }
            }
        }
    }

    func send(_ event: SyncEngine.Event) {
        for stream in lock.withLock({ Array(streams.values) }) { stream.yield(event) }
    }

    func send(_ event: SyncEvent) {
        switch event {
        case .historyDeleted: send(SyncEngine.Event.historyDeleted)
        case .serverRestored: send(SyncEngine.Event.serverRestored)
        case .copied: send(SyncEngine.Event.copied)
        case .problems: send(SyncEngine.Event.problems)
        case .sameIdentity(let object): send(SyncEngine.Event.sameIdentity(object: object))
        case .importChanged(let object, let property):
            send(SyncEngine.Event.importChanged(object: object, property: property))
        }
    }

    deinit { for stream in streams.values { stream.finish() } }
}
