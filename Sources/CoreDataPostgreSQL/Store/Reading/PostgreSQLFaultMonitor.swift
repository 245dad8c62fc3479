// SPDX-License-Identifier: Apache-2.0

/// Notices that a program fires faults one by one, and names the relationship to prefetch.
///
/// Each such fault is a round trip to the server. Faults of one relationship or entity count together if they follow
/// one another within some seconds, without a fetch between them: a program that goes through the objects of a fetch
/// makes no other fetch in between. The monitor logs each relationship and entity once for a store. The lock guards
/// everything.
final class PostgreSQLFaultMonitor: Sendable {
    /// The number of statements that is logged.
    static let limit = 50
    private static let interval: Duration = .seconds(10)

    private enum Subject: Hashable {
        /// The rows of an entity.
        case rows(entity: UInt32)
        /// The members of a relationship, by the layout of its owner.
        case members(owner: UInt32, property: Int)
    }

    private struct Run {
        let begin: ContinuousClock.Instant
        var count = 1
    }

    private struct Relationship: Hashable {
        let entity: String
        let name: String
    }

    private struct State {
        var runs: [Subject: Run] = [:]
        var logged: Set<Subject> = []
        /// The entities and relationships whose objects were read last: they own the faults that fire.
        var owners: [EntityLayout] = []
        var members: [(owner: EntityLayout, slot: PropertySlot)] = []
    }

    private let state = Locked(State())

    /// A fetch of an entity: what follows may be faults of its objects.
    func didFetch(_ layout: EntityLayout) {
        state.withLock { state in
            state.runs.removeAll(keepingCapacity: true)
            state.owners = [layout]
            state.members.removeAll(keepingCapacity: true)
        }
    }

    /// The destinations of a relationship were read for several owners at a time.
    func didPrefetch(_ layout: EntityLayout) {
        state.withLock { state in
            if !state.owners.contains(where: { $0 === layout }) { state.owners.append(layout) }
        }
    }

    /// A statement has read the row of one object.
    func didReadRow(_ layout: EntityLayout) {
        let message: String? = state.withLock { state in
            guard Self.isLogged(.rows(entity: layout.number), &state) else { return nil }
            return Self.message(layout, Self.relationships(to: layout, state))
        }
        if let message { CoreDataLog.warning(message) }
    }

    /// A statement has read the members of a relationship of one object.
    func didReadMembers(_ slot: PropertySlot, _ owner: EntityLayout) {
        let message: String? = state.withLock { state in
            if !state.members.contains(where: { $0.slot === slot }) { state.members.append((owner, slot)) }
            guard Self.isLogged(.members(owner: owner.number, property: slot.index), &state) else { return nil }
            return """
                The relationship \(slot.name) of \(Self.limit) objects of \(owner.name) was read with one statement \
                for each object. Name '\(slot.name)' in relationshipKeyPathsForPrefetching of the fetch request for \
                \(owner.name): then one statement reads the objects of all.
                """
        }
        if let message { CoreDataLog.warning(message) }
    }

    /// Counts a statement. The result is true for the fault to log.
    private static func isLogged(_ subject: Subject, _ state: inout State) -> Bool {
        guard !state.logged.contains(subject) else { return false }
        let now = ContinuousClock.now
        guard var run = state.runs[subject], now - run.begin < interval else {
            state.runs[subject] = Run(begin: now)
            return false
        }
        run.count += 1
        state.runs[subject] = run
        guard run.count == limit else { return false }
        state.logged.insert(subject)
        return true
    }

    /// The relationships by which a program may have come to the objects of an entity: relationships of the objects
    /// that were read last, or else all to-one relationships.
    private static func relationships(to layout: EntityLayout, _ state: State) -> [Relationship] {
        func leads(_ slot: PropertySlot) -> Bool {
            let destination = layout.model[slot.destination]
            return layout.isKind(of: destination) || destination.isKind(of: layout)
        }
        let members = state.members.filter { leads($0.slot) }
        if !members.isEmpty { return members.map { Relationship(entity: $0.owner.name, name: $0.slot.name) } }
        func toOne(_ layout: EntityLayout) -> [Relationship] {
            layout.properties.filter { $0.kind == .toOne && leads($0) }.map {
                Relationship(entity: $0.entityName, name: $0.name)
            }
        }
        var near: Set<Relationship> = []
        for owner in state.owners {
            // A fetch for an entity has the objects of its subentities, too.
            for number in owner.number...(owner.number + owner.span) { near.formUnion(toOne(owner.model[number])) }
        }
        if near.isEmpty { for owner in layout.model.layouts { near.formUnion(toOne(owner)) } }
        return near.sorted { ($0.entity, $0.name) < ($1.entity, $1.name) }
    }

    private static func message(_ layout: EntityLayout, _ relationships: [Relationship]) -> String {
        let fact = "\(limit) faults of \(layout.name) were fired with one statement for each object."
        guard !relationships.isEmpty else {
            return "\(fact) Fetch the objects with one fetch request, whose returnsObjectsAsFaults is false."
        }
        let names = relationships.map { "'\($0.name)' of \($0.entity)" }.joined(separator: " or ")
        return """
            \(fact) Name the relationship \(names) in relationshipKeyPathsForPrefetching of the fetch request: then \
            one statement reads the objects of all.
            """
    }
}
