// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// A page of the changes for an account that may have a part of the objects: what changed, what came into its scopes
/// and what left them, in one order.
struct SyncScopePage {
    private typealias Place = SyncScopeChanges.Place

    private let service: SyncService
    private let audience: SyncAudience
    private let since: Int64
    /// The identities of the page.
    private var identities: Set<UUID> = []
    private let changes: SyncScopeChanges?
    /// The place of the last object; nil for the last page.
    private(set) var end: (position: Int64, object: UUID)?

    /// - Parameters:
    ///   - changes: the changes of the scopes since the replica's position, or its first page.
    ///   - records: the objects of the page that have changed.
    ///   - end: the place of the last one, if there are more.
    init(
        _ service: SyncService, _ audience: SyncAudience, _ visibility: SyncVisibility, _ changes: SyncScopeChanges?,
        _ request: SyncChangesRequest, _ records: [SyncRecord], _ end: (position: Int64, object: UUID)?
    ) throws {
        self.service = service
        self.audience = audience
        since = request.since?.number ?? 0
        self.end = end
        self.changes = changes
        let begin = request.cursor.map { Place(position: $0.position.number, object: $0.object) }
        var places = changes?.places.filter { place in begin.map { $0 < place } ?? true } ?? []
        if let end { places.removeAll { Place(position: end.position, object: end.object) < $0 } }
        let visible = try visibility.visible(records)
        let all = Set(places).union(
            records.filter { visible.contains($0) || $0.target != nil }
                .map { Place(position: $0.position, object: $0.identity) }
        ).sorted()
        if all.count > service.limits.pageObjects {
            let page = all.prefix(service.limits.pageObjects)
            self.end = page.last.map { ($0.position, $0.object) }
            identities = Set(page.map(\.object))
        } else {
            identities = Set(all.map(\.object))
            // The next page begins behind an object that the account may have.
            if end != nil, let last = all.last { self.end = (last.position, last.object) }
        }
    }

    /// The states of the page's objects.
    func states() throws -> [SyncObjectState] {
        let records = try service.records(Array(identities))
        let states = try service.states(
            Array(records.values), after: since, audience, whole: changes?.entered ?? [])
        // An object that isn't visible and hasn't left was never the replica's.
        let left = changes?.left ?? []
        return try states.compactMap { state in
            guard state.kind == .gone else { return state }
            guard left.contains(state.object) else { return nil }
            if service.variant.contains(.showsLeavers), let shown = try service.states(of: [state.object]).first {
                return shown
            }
            guard let record = records[state.object], !record.isAlive else { return state }
            return SyncObjectState(
                object: state.object, entity: record.entityName, kind: .dead, life: record.life, values: [:])
        }.sorted { $0.object < $1.object }
    }
}
