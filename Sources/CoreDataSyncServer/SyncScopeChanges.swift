// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The objects that came into the scopes of an account since a position, and those that left them. All that came have
/// the place of the newest edge that let one in, and all that left that of the newest one that took one away.
struct SyncScopeChanges {
    /// A place in the order of pages.
    struct Place: Hashable, Comparable {
        let position: Int64
        let object: UUID

        static func < (one: Place, other: Place) -> Bool {
            (one.position, one.object) < (other.position, other.object)
        }
    }

    /// The places in their order.
    private(set) var places: [Place] = []
    /// The objects that are sent whole.
    private(set) var entered: Set<UUID> = []
    /// The objects that the replica may have, and that aren't in its scopes.
    private(set) var left: Set<UUID> = []

    init(_ service: SyncService, _ visibility: SyncVisibility, since position: Int64) throws {
        let rows = try service.edges(after: position)
        guard !rows.isEmpty else { return }
        let records = try service.records(Array(Set(rows.flatMap { [$0.parent, $0.child] })))
        let visible = Set(try visibility.visible(Array(records.values)).map(\.identity))
        let entries = rows.filter { row in
            row.isAdded && visible.contains(row.child)
                && (visible.contains(row.parent) || visibility.nodes.contains(row.parent))
        }
        if let newest = entries.map(\.position).max() {
            let children = Set(entries.compactMap { records[$0.child].flatMap { service.id(of: $0) } })
            let new = try visibility.visible(visibility.closure(of: children))
            let all = try visibility.visible(new.union(Self.referring(to: new, service)))
            entered = Set(try service.records(of: all).values.map(\.identity))
            places = entered.map { Place(position: newest, object: $0) }
        }
        if !service.variant.contains(.keepsLeavers) {
            try addExits(rows.filter { !$0.isAdded }, records, visible, service, visibility)
        }
        places.sort()
    }

    /// The objects that refer to objects, by relationships that travel: their values show objects that are visible.
    private static func referring(
        to ids: Set<NSManagedObjectID>, _ service: SyncService
    ) throws -> Set<NSManagedObjectID> {
        var result: Set<NSManagedObjectID> = []
        for entity in service.schema.concreteEntities {
            for property in entity.properties.values {
                if case .attribute = property.kind { continue }
                let ends = ids.filter { property.accepts($0.entity) }
                guard !ends.isEmpty else { continue }
                let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.modelName)
                request.includesSubentities = false
                request.resultType = .managedObjectIDResultType
                let format = property.kind == .toOne ? "%K IN %@" : "ANY %K IN %@"
                request.predicate = NSPredicate(format: format, property.key, Array(ends))
                result.formUnion(try service.context.fetch(request))
            }
        }
        return result
    }

    private mutating func addExits(
        _ rows: [SyncEdgeRecord], _ records: [UUID: SyncRecord], _ visible: Set<UUID>, _ service: SyncService,
        _ visibility: SyncVisibility
    ) throws {
        var former = visible.union(visibility.nodes)
        var (rest, newest) = (rows, Int64(0))
        while true {
            let found = rest.filter { former.contains($0.parent) }
            if found.isEmpty { break }
            rest.removeAll { former.contains($0.parent) }
            newest = max(newest, found.map(\.position).max() ?? 0)
            let children = Set(found.map(\.child))
            let living = children.compactMap { records[$0].flatMap { $0.isAlive ? service.id(of: $0) : nil } }
            let all = try visibility.closure(of: Set(living))
            let stay = try visibility.visible(all)
            let gone = try service.records(of: all.subtracting(stay)).values.map(\.identity)
            let identities = children.subtracting(visible).union(gone)
            former.formUnion(identities)
            left.formUnion(identities)
        }
        places += left.map { Place(position: newest, object: $0) }
    }
}
