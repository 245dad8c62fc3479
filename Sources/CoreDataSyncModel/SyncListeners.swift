// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The streams of those that listen to an engine or to a server. A listener that is behind loses the oldest elements.
package final class SyncListeners<Element: Sendable>: @unchecked Sendable {
    // Sendable: the lock guards the streams.
    private let lock = NSLock()
    private var streams: [UUID: AsyncStream<Element>.Continuation] = [:]
    private let most: Int

    /// - Parameter most: the number of elements by which a listener may be behind.
    package init(most: Int) { self.most = most }

    deinit { for stream in streams.values { stream.finish() } }

    /// A stream of what is sent from now on.
    package func listen() -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: .bufferingNewest(most)) { stream in
            let id = UUID()
            lock.withLock { streams[id] = stream }
            stream.onTermination = { [weak self] _ in
                guard let self else { return }
                lock.withLock { streams[id] = nil }
            }
        }
    }

    /// The number of those that listen.
    package var count: Int { lock.withLock { streams.count } }

    package func send(_ element: Element) {
        for stream in lock.withLock({ Array(streams.values) }) { stream.yield(element) }
    }
}
