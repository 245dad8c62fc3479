// SPDX-License-Identifier: Apache-2.0

/// The newest events of the work with the stores of a coordinator, by their identifiers.
final class RecentEvents: Sendable {
    private static let most = 1000
    private let events = Locked<[(id: UUID, event: any Sendable)]>([])

    /// Adds an event, in place of the one with its identifier that has not ended.
    func note(_ event: any Sendable, id: UUID) {
        events.withLock { events in
            if let index = events.lastIndex(where: { $0.id == id }) {
                events[index].event = event
            } else {
                if events.count == Self.most { events.removeFirst() }
                events.append((id, event))
            }
        }
    }

    /// The events, the oldest first.
    var all: [any Sendable] { events.withLock { $0.map(\.event) } }
}
